import { useState } from "preact/hooks";
import type { Play, PlayMove } from "../api/types";

interface Props {
  play: Play;
  busy: boolean;
  offering: boolean; // a draw, with the next move
  onOffering: (on: boolean) => void;
  onAnswer: (body: Partial<PlayMove>) => Promise<boolean>;
}

/** Draws and giving up. An offer goes with the next move; giving up is asked twice. */
export function Offers({ play, busy, offering, onOffering, onAnswer }: Props) {
  const [sure, setSure] = useState(false);
  if (!play.can_resign && !play.can_draw && !play.draw_offered) return null;
  return (
    <div class="offers">
      {play.draw_offered ? (
        <button type="button" class="primary" disabled={busy} onClick={() => void onAnswer({ draw: "accept" })}>
          Accept the draw
        </button>
      ) : null}
      {play.can_draw ? (
        <label>
          <input type="checkbox" checked={offering} onChange={(event) => onOffering(event.currentTarget.checked)} /> offer a draw with my move
        </label>
      ) : null}
      {play.can_resign && !sure ? (
        <button type="button" class="quiet" disabled={busy} onClick={() => setSure(true)}>
          Resign…
        </button>
      ) : null}
      {play.can_resign && sure ? (
        <>
          <button type="button" class="danger" disabled={busy} onClick={() => void onAnswer({ resign: true })}>
            Resign
          </button>
          <button type="button" class="quiet" onClick={() => setSure(false)}>
            Play on
          </button>
        </>
      ) : null}
    </div>
  );
}
