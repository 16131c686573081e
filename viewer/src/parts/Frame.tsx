// Navigation around a screen.
import type { ComponentChildren } from "preact";
import { href } from "../router";
import { useSession } from "../session";
import { RunHead } from "./RunHead";

interface Props {
  readonly run: string | undefined;
  readonly tab: string | undefined;
  readonly path: string;
  readonly onHelp: () => void;
  readonly children: ComponentChildren;
}

export function Frame({ run, tab, path, onHelp, children }: Props) {
  const session = useSession();
  const link = (to: string, words: string) => (
    <a href={`#${to}`} aria-current={path === to ? "page" : undefined}>
      {words}
    </a>
  );
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector("main")?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        {session ? (
          <a class="brand" href={session.run ? href(["run", session.run]) : "#/"}>
            <Mark />
            Ludometer
          </a>
        ) : (
          <span class="brand">
            <Mark />
            Ludometer
          </span>
        )}
        <nav aria-label="Ludometer">
          {session && !session.run && link("/", "Runs")}
          {session?.can_run && link("/new", "New run")}
          {session?.can_run && link("/play", "Play")}
        </nav>
        <button type="button" class="quiet key-help" onClick={onHelp} aria-label="Keyboard shortcuts">
          <kbd>?</kbd>
        </button>
      </header>
      {run !== undefined && <RunHead run={run} tab={tab} />}
      <main tabIndex={-1}>{children}</main>
    </>
  );
}

/** A gauge: an arc and its needle. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <path d="M3 17a9 9 0 0 1 18 0" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
      <path d="M12 17l5-7" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" />
    </svg>
  );
}
