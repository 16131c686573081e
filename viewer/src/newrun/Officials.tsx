import { useId } from "preact/hooks";
import type { PlayerOption } from "../api/types";

interface Props {
  officials: readonly string[];
  players: readonly PlayerOption[];
  chosen: Readonly<Record<string, string>>;
  onChange: (chosen: Record<string, string>) => void;
}

/** Who holds the seats that judge or compute. Empty: whom the game has for it itself. */
export function Officials({ officials, players, chosen, onChange }: Props) {
  const id = useId();
  if (!officials.length) return null;
  return (
    <div class="filters officials">
      <datalist id={`${id}-players`}>
        {players
          .filter((player) => player.kind !== "built-in" && player.ready === null)
          .map((player) => (
            <option key={player.spec} value={player.spec} />
          ))}
      </datalist>
      {officials.map((official) => (
        <div class="field" key={official}>
          <label for={`${id}-${official}`}>{official}: a model that judges</label>
          <input
            id={`${id}-${official}`}
            list={`${id}-players`}
            value={chosen[official] ?? ""}
            placeholder="as the game has it"
            onChange={(event) => {
              const { [official]: _, ...rest } = chosen;
              const spec = event.currentTarget.value.trim();
              onChange(spec ? { ...rest, [official]: spec } : rest);
            }}
          />
        </div>
      ))}
    </div>
  );
}
