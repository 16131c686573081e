import { setQuery } from "../router";

interface Props {
  ply: number;
  last: number;
  playing: boolean;
  speed: string;
  speeds: readonly string[];
  canTurn: boolean;
  onPly: (ply: number) => void;
  onPlaying: (on: boolean) => void;
  onTurn: () => void;
}

// Drawn here, since some systems show the letters for these as coloured pictures.
const ICONS = {
  start: "M3 2h2v12H3zM14 2v12L6 8z",
  back: "M12 2v12L4 8z",
  play: "M4 2v12l9-6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  next: "M4 2v12l8-6z",
  end: "M11 2h2v12h-2zM2 2v12l8-6z",
};

function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={ICONS[name]} fill="currentColor" />
    </svg>
  );
}

/** What moves through a match. */
export function Controls({ ply, last, playing, speed, speeds, canTurn, onPly, onPlaying, onTurn }: Props) {
  const step = (words: string, icon: keyof typeof ICONS, to: number) => (
    <button type="button" aria-label={words} title={words} disabled={to < 0 || to > last || to === ply} onClick={() => onPly(to)}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="controls" role="group" aria-label="Moves through the match">
      {step("To the start", "start", 0)}
      {step("Move before", "back", ply - 1)}
      <button type="button" class="controls-play" aria-label={playing ? "Pause" : "Play"} onClick={() => onPlaying(!playing)}>
        <Icon name={playing ? "pause" : "play"} />
        <span>{playing ? "Pause" : "Play"}</span>
      </button>
      {step("Next move", "next", ply + 1)}
      {step("To the end", "end", last)}
      <span class="controls-ply num">
        {ply} / {last}
      </span>
      <label class="controls-speed">
        <span class="unseen">Moves a second</span>
        <select value={speed} onChange={(event) => setQuery({ speed: event.currentTarget.value })}>
          {speeds.map((value) => (
            <option key={value} value={value}>
              {value} / s
            </option>
          ))}
        </select>
      </label>
      {canTurn ? (
        <button type="button" class="quiet" onClick={onTurn} title="Turn the board (f)">
          Turn
        </button>
      ) : null}
    </div>
  );
}
