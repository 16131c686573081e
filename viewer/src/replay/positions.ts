// Positions of one match, kept while it is looked at: going back and forth asks for nothing twice, and what comes next
// is there before it is wanted.

import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import { keyOf, type Problem, source } from "../api/source";
import type { Position } from "../api/types";
import { problemOf } from "../api/useResource";

const KEPT = 700;
const held = new Map<string, Position | Promise<Position>>();

function ask(run: string, match: string, ply: number, viewer: string): Promise<Position> {
  const wanted = api.position(run, match, ply, viewer);
  const key = keyOf(wanted.path, wanted.query);
  const known = held.get(key);
  if (known) return Promise.resolve(known);
  const coming = source().get<Position>(wanted.path, wanted.query);
  held.set(key, coming);
  coming.then(
    (position) => held.set(key, position),
    () => held.delete(key),
  );
  if (held.size > KEPT) held.delete(held.keys().next().value as string);
  return coming;
}

function known(run: string, match: string, ply: number, viewer: string): Position | undefined {
  const wanted = api.position(run, match, ply, viewer);
  const found = held.get(keyOf(wanted.path, wanted.query));
  return found && "ply" in found ? found : undefined;
}

export interface Seen {
  position: Position | undefined; // the latest one that is there: while one is awaited, that before
  before: Position | undefined; // the one a ply earlier
  problem: Problem | undefined;
  exact: boolean; // the position is the one that was asked for
}

/** The position after `ply` steps; its neighbours are fetched ahead. */
export function usePosition(run: string, match: string, ply: number, viewer: string, plies: number): Seen {
  const [shown, setShown] = useState<{ position?: Position; problem?: Problem }>({});
  const now = known(run, match, ply, viewer);
  useEffect(() => {
    let wanted = true;
    ask(run, match, ply, viewer).then(
      (position) => {
        if (!wanted) return;
        setShown({ position });
        for (const next of [ply + 1, ply - 1, ply + 2]) {
          if (next >= 0 && next <= plies) ask(run, match, next, viewer).then(() => wanted && setShown({ position }), () => {});
        }
      },
      (cause: unknown) => wanted && setShown({ problem: problemOf(cause) }),
    );
    return () => {
      wanted = false;
    };
  }, [run, match, ply, viewer, plies]);
  const position = now ?? shown.position;
  return {
    position,
    before: ply > 0 ? known(run, match, ply - 1, viewer) : undefined,
    problem: now ? undefined : shown.problem,
    exact: now !== undefined,
  };
}
