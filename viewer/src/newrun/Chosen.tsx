interface Props {
  players: readonly string[];
  onRemove: (i: number) => void;
  words: string; // where nobody was chosen yet
}

/** The players that were chosen, each with a button to take it out. */
export function Chosen({ players, onRemove, words }: Props) {
  return (
    <div class="chips chosen" aria-live="polite">
      {players.map((spec, i) => (
        <span class="chip" key={`${spec} ${i}`}>
          {spec}
          <button type="button" class="quiet chip-remove" aria-label={`Take ${spec} out`} onClick={() => onRemove(i)}>
            ×
          </button>
        </span>
      ))}
      {players.length ? null : <span class="muted">{words}</span>}
    </div>
  );
}
