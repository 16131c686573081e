import type { MatchDetail } from "../api/types";
import { fixed } from "../format";
import { href } from "../router";
import { PlainText } from "../parts/TextBlock";
import { seriesOf } from "./moves";

/** Who met whom, how it ended and why. It stays in sight at every move. */
export function Headline({ run, detail }: { run: string; detail: MatchDetail }) {
  const { entry, links } = detail;
  const link = (to: string | null | undefined, words: string, arrow: string) =>
    to ? (
      <a class="button quiet" href={href(["run", run, "match", to])} aria-label={words} title={words}>
        {arrow}
      </a>
    ) : null;
  return (
    <header class="headline">
      <div class="headline-row">
        <h2>
          Match {entry.number} <span class="muted">{entry.game}</span>
        </h2>
        <div class="headline-links">
          {link(links["previous"], "Match before", "←")}
          {link(links["next"], "Next match", "→")}
        </div>
      </div>
      <ul class="headline-seats">
        {entry.seats.map((seat) => (
          <li key={seat.seat}>
            <span class={`dot series-${seriesOf(entry.seats, seat.seat)}`} />
            <span class="muted">{seat.title}</span>
            <strong>
              <PlainText text={seat.entrant} />
            </strong>
            {seat.score !== null ? <span class="score num">{scoreWords(seat.score)}</span> : null}
            {seat.payoff !== null ? <span class="muted num">{fixed(seat.payoff, Number.isInteger(seat.payoff) ? 0 : 2)}</span> : null}
          </li>
        ))}
      </ul>
      <p class="headline-why">
        <PlainText text={detail.headline} limit={600} />
      </p>
      {detail.public_only ? (
        <p class="note">A person is playing this match, so only what is public is shown until it is over.</p>
      ) : null}
    </header>
  );
}

function scoreWords(score: number): string {
  if (score === 0.5) return "½";
  return Number.isInteger(score) ? String(score) : fixed(score, 2);
}
