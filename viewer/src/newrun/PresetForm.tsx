import type { Catalogue, PresetOption } from "../api/types";
import { Chosen } from "./Chosen";
import type { Form } from "./form";
import { NumberField } from "./NumberField";
import { PlayerChoice } from "./PlayerChoice";
import { gamesIn, playersIn, repeatsIn } from "./preset";
import { PresetWords } from "./PresetWords";

interface Props {
  preset: PresetOption;
  catalogue: Catalogue;
  form: Form;
  onChange: (changes: Partial<Form>) => void;
}

/** What may be changed of a preset here: its players, and how often they meet. The rest is as the preset has it. */
export function PresetForm({ preset, catalogue, form, onChange }: Props) {
  const own = playersIn(preset);
  const kept = own.filter((name) => !form.without.includes(name));
  const remove = (i: number) => {
    const name = kept[i];
    if (name !== undefined) onChange({ without: [...form.without, name] });
    else onChange({ players: form.players.filter((_, j) => j !== i - kept.length) });
  };
  return (
    <>
      <section>
        <PresetWords preset={preset} />
      </section>
      <section>
        <h2>Players</h2>
        <Chosen players={[...kept, ...form.players]} onRemove={remove} words="All were taken out; choose others." />
        {kept.length < own.length ? (
          <button type="button" class="quiet" onClick={() => onChange({ without: [] })}>
            Put back what was taken out
          </button>
        ) : null}
        <PlayerChoice
          players={catalogue.players}
          game={gamesIn(preset)[0] ?? ""}
          label="Players to choose from"
          onPick={(spec) => onChange({ players: [...form.players, spec] })}
        />
      </section>
      <section>
        <h2>Schedule</h2>
        <div class="filters">
          <NumberField
            label="Repeats"
            value={form.repeats}
            least={1}
            placeholder={String(repeatsIn(preset))}
            onChange={(repeats) => onChange({ repeats })}
          />
        </div>
        <p class="muted small">All else is as the preset has it; the file beside shows it.</p>
      </section>
    </>
  );
}
