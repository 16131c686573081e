// Keyboard shortcuts of whatever is on the page now, and the list of them that "?" shows.
import { useEffect, useRef } from "preact/hooks";

export interface Shortcut {
  /** `KeyboardEvent.key` of each key that does it: "ArrowRight", "j", " ". */
  readonly keys: readonly string[];
  readonly words: string;
  readonly run: () => void;
}

interface Group {
  readonly title: string;
  readonly shortcuts: () => readonly Shortcut[];
}

// The latest group is asked first, so that a dialog goes before the screen under it.
const groups: Group[] = [];

/** Makes shortcuts work while the component is on the page. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const group = { title, shortcuts: () => latest.current };
    groups.push(group);
    return () => void groups.splice(groups.indexOf(group), 1);
  }, [title]);
}

/** What can be pressed now, by group. */
export function currentShortcuts(): { title: string; shortcuts: readonly Shortcut[] }[] {
  return groups
    .map(({ title, shortcuts }) => ({ title, shortcuts: shortcuts() }))
    .filter(({ shortcuts }) => shortcuts.length > 0);
}

const TYPING = "input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable]";
const PRESSING = "a[href], button, summary, [role=button], [role=tab], input, dialog";

export function startShortcuts(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(TYPING)) return;
    // Enter and space belong to what has the focus.
    if ((event.key === "Enter" || event.key === " ") && target?.closest(PRESSING)) return;
    for (let i = groups.length - 1; i >= 0; i--) {
      const shortcut = groups[i]?.shortcuts().find(({ keys }) => keys.includes(event.key));
      if (shortcut) {
        event.preventDefault();
        shortcut.run();
        return;
      }
    }
  });
}
