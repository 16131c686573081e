import type { CatalogueGame } from "../api/types";
import { Select } from "../parts/Fields";
import type { Form } from "./form";
import { NumberField } from "./NumberField";

interface Props {
  form: Form;
  game: CatalogueGame | undefined;
  onChange: (changes: Partial<Form>) => void;
}

/** Who meets whom, how often. */
export function ScheduleFields({ form, game, onChange }: Props) {
  const [least, most] = [game?.players[0] ?? 2, game?.players[1] ?? 2];
  return (
    <>
      <div class="filters">
        <NumberField label="Repeats" value={form.repeats} least={1} placeholder="1" onChange={(repeats) => onChange({ repeats })} />
        <Select
          label="Who meets whom"
          value={form.kind}
          options={[
            ["round_robin", "everybody meets everybody"],
            ["series", "a series, seats change"],
            ["gauntlet", "against a fixed pool"],
          ]}
          onChange={(kind) => onChange({ kind })}
        />
        {most > 2 ? (
          <NumberField
            label={`Seats (${least} to ${most})`}
            value={form.seats}
            least={least}
            most={most}
            placeholder={String(least)}
            onChange={(seats) => onChange({ seats })}
          />
        ) : null}
        <Select
          label="Seating"
          value={form.seating}
          options={[
            ["rotated", "rotated"],
            ["permuted", "every order"],
            ["fixed", "as listed"],
          ]}
          onChange={(seating) => onChange({ seating })}
        />
      </div>
      <div class="checks">
        <label>
          <input type="checkbox" checked={form.selfPlay} onChange={(event) => onChange({ selfPlay: event.currentTarget.checked })} /> also against
          themselves
        </label>
        <label>
          <input type="checkbox" checked={form.sharedLuck} onChange={(event) => onChange({ sharedLuck: event.currentTarget.checked })} /> the same
          luck at every table
        </label>
      </div>
      {form.kind === "gauntlet" ? (
        <div class="chips" role="group" aria-label="The pool">
          <span class="label">In the pool:</span>
          {[...new Set(form.players)].map((player) => {
            const on = form.pool.includes(player);
            return (
              <button
                key={player}
                type="button"
                class="chip chip-button"
                aria-pressed={on}
                onClick={() => onChange({ pool: on ? form.pool.filter((other) => other !== player) : [...form.pool, player] })}
              >
                {player}
              </button>
            );
          })}
        </div>
      ) : null}
    </>
  );
}
