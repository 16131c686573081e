// Asking for a resource from a component, with the three states that every screen has.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Resource } from "./routes";
import { keyOf, Problem, source } from "./source";

export interface Asked<T> {
  /** The latest answer. While another one of the same path is awaited it is that of the query before: see `stale`. */
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  readonly stale: boolean;
  readonly reload: () => void;
}

interface Held {
  readonly key: string;
  readonly path: string;
  readonly data: unknown;
  readonly problem: Problem | undefined;
}

// Answers that were seen already, so that going back shows them at once (they are asked for again all the same).
const seen = new Map<string, unknown>();
const KEPT = 60;

// Milliseconds before a server that did not answer is asked again.
const PATIENCE = 3000;

function keep(key: string, data: unknown): void {
  seen.delete(key);
  seen.set(key, data);
  if (seen.size > KEPT) seen.delete(seen.keys().next().value as string);
}

/**
 * Asks for a resource, again whenever it changes, and every `every` seconds while the page is in sight.
 * A null resource is not asked for.
 */
export function useResource<T>(resource: Resource<T> | null, every?: number): Asked<T> {
  const key = resource ? keyOf(resource.path, resource.query) : "";
  const [held, setHeld] = useState<Held>();
  const [turn, setTurn] = useState(0);
  const latest = useRef(resource);
  latest.current = resource;
  const waiting = useRef(false);

  useEffect(() => {
    const wanted = latest.current;
    if (!wanted) return;
    const stop = new AbortController();
    waiting.current = true;
    source()
      .get<T>(wanted.path, wanted.query, stop.signal)
      .then((data) => {
        if (stop.signal.aborted) return;
        waiting.current = false;
        keep(key, data);
        setHeld({ key, path: wanted.path, data, problem: undefined });
      })
      .catch((cause: unknown) => {
        if (stop.signal.aborted) return;
        waiting.current = false;
        // What was there already stays, so that a server that pauses takes nothing off the page.
        const problem = problemOf(cause);
        setHeld((held) => ({ key, path: wanted.path, data: held?.key === key ? held.data : undefined, problem }));
      });
    return () => stop.abort();
  }, [key, turn]);

  useEffect(() => {
    if (!every || !source().live) return;
    // An answer that takes longer than that is waited for, not asked for again.
    const ask = () => document.hidden || waiting.current || setTurn((n) => n + 1);
    const timer = setInterval(ask, every * 1000);
    return () => {
      clearInterval(timer);
      setTurn((n) => n + 1); // once more, for what came between the last look and the end
    };
  }, [every]);

  useEffect(() => {
    // A server that does not answer may come back.
    if (held?.problem?.status !== 0 || !source().live) return;
    const timer = setTimeout(() => setTurn((n) => n + 1), PATIENCE);
    return () => clearTimeout(timer);
  }, [held]);

  const reload = useCallback(() => setTurn((n) => n + 1), []);
  const current = held?.key === key;
  const earlier = held?.path === resource?.path ? held?.data : undefined;
  const data = current ? held.data : (seen.get(key) ?? earlier);
  return { data: data as T | undefined, problem: current ? held.problem : undefined, stale: !current, reload };
}

export function problemOf(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return new Problem(0, "Something went wrong in this page; loading it again may help.");
}
