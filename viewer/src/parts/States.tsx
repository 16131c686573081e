// What a screen shows while there is nothing to show.
import type { ComponentChildren } from "preact";
import type { Asked } from "../api/useResource";
import { plain } from "../text";
import type { Problem as ProblemOf } from "../api/source";

export function Loading({ what = "Loading" }: { what?: string }) {
  return (
    <div class="state state-loading" role="status">
      <span class="dots" aria-hidden="true" />
      {what}…
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** Whether it is the whole page, and its title the title of the page. */
  readonly top?: boolean;
  readonly children?: ComponentChildren;
}

export function Empty({ title, top = false, children }: EmptyProps) {
  return (
    <div class="state">
      {top ? <h1 class="state-title">{title}</h1> : <p class="state-title">{title}</p>}
      {children && <div class="state-words">{children}</div>}
    </div>
  );
}

export function Problem({ problem, retry }: { problem: ProblemOf; retry?: () => void }) {
  return (
    <div class="state state-problem" role="alert">
      <p class="state-title">{plain(problem.message)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The answer of a resource once it is there; until then what stands in its place. */
export function Await<T>({
  asked,
  what,
  children,
}: {
  asked: Asked<T>;
  what?: string;
  children: (data: T) => ComponentChildren;
}) {
  const { data, problem, stale, reload } = asked;
  if (problem && data === undefined) return <Problem problem={problem} retry={reload} />;
  if (data === undefined) return <Loading {...(what ? { what } : {})} />;
  return (
    <div class={stale ? "stale" : undefined} aria-busy={stale}>
      {problem && (
        <p class="note note-problem" role="status">
          {plain(problem.message)} Below is what was there before.
        </p>
      )}
      {children(data)}
    </div>
  );
}
