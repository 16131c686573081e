// Text that somebody else wrote: a model's answer, a reason, a prompt. It is hostile until shown otherwise.
import { useMemo, useState } from "preact/hooks";
import { plural } from "../format";
import { foldAt, plain, visible } from "../text";

interface Props {
  readonly text: string;
  /** Characters that are shown at first. */
  readonly limit?: number;
  readonly label?: string;
  readonly class?: string;
}

export function TextBlock({ text, limit = 3000, label, class: kind = "" }: Props) {
  const [whole, setWhole] = useState(false);
  const end = foldAt(text, limit);
  const folded = end < text.length && !whole;
  const shown = useMemo(() => visible(folded ? text.slice(0, end) : text), [text, folded, end]);
  return (
    <div class={`text-block ${kind}`}>
      <pre dir="ltr" tabIndex={0} role="group" aria-label={label ?? "Text"}>
        {shown.map((piece, at) =>
          piece.hidden ? (
            <span key={at} class="unseen-character" title="A character that cannot be seen">
              {piece.text}
            </span>
          ) : (
            piece.text
          ),
        )}
        {folded && "…"}
      </pre>
      {end < text.length && (
        <button type="button" class="quiet" onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show all, ${plural(text.length, "character")}`}
        </button>
      )}
    </div>
  );
}

/** One line of such text, inside a sentence or a cell. */
export function PlainText({ text, limit = 300 }: { text: string; limit?: number }) {
  const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return <bdi dir="ltr">{plain(shown)}</bdi>;
}
