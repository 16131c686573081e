interface Props {
  label: string;
  levels: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** None chosen: as it would be anyway. One: for all models. Several: every one of them is played. */
export function Levels({ label, levels, chosen, onChange }: Props) {
  const all = [...levels, ...chosen.filter((level) => !levels.includes(level))];
  return (
    <div class="field levels">
      <span class="label">
        {label}
        {chosen.length > 1 ? ` · ${chosen.length} are compared` : ""}
      </span>
      <div class="chips" role="group" aria-label={label}>
        {all.map((level) => {
          const on = chosen.includes(level);
          return (
            <button
              key={level}
              type="button"
              class="chip chip-button"
              aria-pressed={on}
              onClick={() => onChange(on ? chosen.filter((other) => other !== level) : [...chosen, level])}
            >
              {level}
            </button>
          );
        })}
      </div>
    </div>
  );
}
