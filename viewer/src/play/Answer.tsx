import { useMemo, useRef, useState } from "preact/hooks";
import type { Play, PlayMove } from "../api/types";
import type { Legal } from "../board/legal";
import { Picker } from "../board/Picker";
import { readSvg } from "../board/svg";
import { useShortcuts } from "../shortcuts";

interface Props {
  play: Play;
  legal: readonly Legal[] | null;
  sending: boolean;
  problem: string;
  onAnswer: (body: Partial<PlayMove>) => Promise<boolean>;
}

/** How a move is made beside the board: typed, picked, or written as a text of its own. */
export function Answer({ play, legal, sending, problem, onAnswer }: Props) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useShortcuts("Play", [
    { keys: ["/"], words: "To the field where a move is typed", run: () => field.current?.focus() },
    { keys: ["b"], words: "To the board", run: () => document.querySelector<HTMLElement>(".play-board [tabindex='0']")?.focus() },
  ]);
  const placed = useMemo(() => actionsOn(play.svg), [play.svg]);
  const mine = play.your_turn && !sending;
  const send = () => {
    if (!text.trim() || !mine) return;
    void onAnswer({ text }).then((taken) => taken && setText(""));
  };
  const shared = {
    id: "answer",
    value: text,
    disabled: !play.your_turn,
    autocomplete: "off",
    "aria-describedby": "answer-hint",
    "aria-invalid": problem !== "",
  };
  return (
    <div class="answer">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label for="answer" class="unseen">
          Your move
        </label>
        {play.multiline ? (
          <textarea
            {...shared}
            ref={field}
            rows={6}
            placeholder={play.your_turn ? "Write here; Ctrl+Enter sends it" : "Wait for your turn"}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
            }}
          />
        ) : (
          <input
            {...shared}
            ref={field}
            type="text"
            spellcheck={false}
            placeholder={play.your_turn ? "Type a move" : "Wait for your turn"}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
        <button type="submit" class="primary" disabled={!mine || !text.trim()}>
          {play.multiline ? "Send" : "Move"}
        </button>
      </form>
      {problem ? (
        <p class="problem-line" role="alert">
          {problem}
        </p>
      ) : null}
      {play.hint ? (
        <p class="muted small" id="answer-hint">
          {play.hint}.{play.multiline && text ? <span class="num"> {words(text)} words so far.</span> : null}
        </p>
      ) : null}
      {legal && mine ? <Picker legal={legal} typed={play.multiline ? "" : text} placed={placed} onMove={(action) => void onAnswer({ action })} /> : null}
    </div>
  );
}

/** The moves that a drawing has places for. */
function actionsOn(source: string | null): Set<string> {
  const places = source ? (readSvg(source)?.querySelectorAll("[data-action]") ?? []) : [];
  return new Set([...places].map((place) => place.getAttribute("data-action") ?? ""));
}

function words(text: string): number {
  return text.trim().split(/\s+/).filter(Boolean).length;
}
