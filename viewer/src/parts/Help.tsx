// The list of keyboard shortcuts.
import { useEffect, useRef } from "preact/hooks";
import { currentShortcuts } from "../shortcuts";

const NAMES: Record<string, string> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
  Escape: "Esc",
};

export function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="help-inside">
        <h2 id="help-title">Keyboard shortcuts</h2>
        {currentShortcuts().map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {shortcuts.map(({ keys, words }) => (
                <div key={words}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{NAMES[key] ?? key}</kbd>
                    ))}
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
