import { memo } from "./memo";
import type { LiveMatch } from "../api/types";
import { SvgBoard } from "../board/SvgBoard";
import { href } from "../router";
import { isBad, seriesOf } from "../replay/moves";
import { PlainText } from "../parts/TextBlock";

/** One board of the wall. All of it leads to the match. */
export const WallBoard = memo(function WallBoard({ run, match }: { run: string; match: LiveMatch }) {
  const { position, last } = match;
  const seats = match.seats.filter((seat) => seat.kind === "contestant");
  const link = href(["run", run, "match", match.id, match.ply]);
  const words = `${match.game}: ${seats.map((seat) => seat.entrant).join(" against ")}, ${match.headline}`;
  return (
    <article class={`wall-board${match.finished ? " wall-finished" : ""}`}>
      <header>
        {seats.slice(0, 6).map((seat) => (
          <p key={seat.seat} class={position?.to_act.includes(seat.seat) && !match.finished ? "to-act" : undefined}>
            <span class={`dot series-${seriesOf(match.seats, seat.seat)}`} />
            <span class="wall-name">
              <PlainText text={seat.entrant} limit={60} />
            </span>
            {seat.score !== null ? <span class="num">{seat.score === 0.5 ? "½" : Number(seat.score.toFixed(2))}</span> : null}
          </p>
        ))}
      </header>
      <a href={link}>
        <span class="unseen">
          <PlainText text={words} limit={300} />
        </span>
        {/* The link says in words what the board shows: what is written on the board is not read out too. */}
        <div class="wall-picture" aria-hidden="true">
          {position?.svg ? (
            <SvgBoard svg={position.svg} label={words} />
          ) : (
            <pre class="wall-text">
              <PlainText text={position?.text.slice(-700) ?? "no board"} limit={700} />
            </pre>
          )}
        </div>
      </a>
      <footer>
        <span class="num muted">move {match.ply}</span>
        {last && !match.finished ? (
          <span class={isBad(last) ? "move-bad" : undefined}>
            <PlainText text={last.notation ?? last.kind.replace(/_/g, " ")} limit={30} />
          </span>
        ) : null}
        <span class="wall-headline">
          <PlainText text={match.headline} limit={160} />
        </span>
      </footer>
    </article>
  );
});
