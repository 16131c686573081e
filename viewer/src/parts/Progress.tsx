// How far a run is: one bar by what became of its matches, and the live mark.
import type { Counts, RunEntry } from "../api/types";
import { count, plural } from "../format";

const PARTS: readonly (keyof Counts)[] = ["completed", "forfeit", "canceled", "void"];

export function Progress({ entry, words = false }: { entry: RunEntry; words?: boolean }) {
  const { counts } = entry;
  const matches = plural(counts.total, "match", "matches");
  const done = counts.total - counts.unfinished - counts.not_needed;
  const said = [...PARTS, "not_needed" as const]
    .filter((part) => counts[part] > 0)
    .map((part) => `${count(counts[part])} ${part.replace("_", " ")}`)
    .join(", ");
  return (
    <div class="progress">
      {entry.playing && <LiveMark />}
      <span class="progress-words num">
        {done < counts.total ? `${count(done)} of ${matches}` : matches}
        {counts.not_needed > 0 && " (decided)"}
      </span>
      <svg
        class="progress-bar"
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={said || "nothing played"}
      >
        <rect class="progress-track" width="100" height="6" />
        {bars(counts).map(({ part, x, width }) => (
          <rect key={part} class={`part-${part}`} x={x} width={width} height="6" />
        ))}
      </svg>
      {words && said && <span class="muted small">{said}</span>}
    </div>
  );
}

function bars(counts: Counts) {
  let x = 0;
  return PARTS.map((part) => {
    const width = counts.total ? (100 * counts[part]) / counts.total : 0;
    x += width;
    return { part, x: x - width, width };
  });
}

export function LiveMark() {
  return (
    <span class="live-mark">
      <span aria-hidden="true" />
      live
    </span>
  );
}
