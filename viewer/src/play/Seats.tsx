import type { Play } from "../api/types";
import { PlainText } from "../parts/TextBlock";
import { seriesOf } from "../replay/moves";

/** Who sits where, whose turn it is, and which people are here. */
export function Seats({ play }: { play: Play }) {
  return (
    <ul class="play-seats">
      {play.seats.map((seat) => {
        const present = play.people[seat.seat];
        const acts = play.to_act.includes(seat.seat) && !play.over;
        return (
          <li key={seat.seat} class={acts ? "to-act" : undefined} aria-current={acts ? "true" : undefined}>
            <span class={`dot series-${seriesOf(play.seats, seat.seat)}`} />
            <span class="muted">{seat.title}</span>
            <strong>
              <PlainText text={seat.entrant} limit={60} />
            </strong>
            {seat.seat === play.seat ? <span class="chip">you</span> : null}
            {present === false && seat.seat !== play.seat ? <span class="muted">not here</span> : null}
            {seat.score !== null ? <span class="score num">{seat.score === 0.5 ? "½" : Number(seat.score.toFixed(2))}</span> : null}
          </li>
        );
      })}
    </ul>
  );
}
