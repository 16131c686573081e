import type { Catalogue, CatalogueGame } from "../api/types";
import { Select } from "../parts/Fields";
import { Folded } from "../parts/Folded";
import { Chosen } from "./Chosen";
import { type Form, optionsOf } from "./form";
import { Levels } from "./Levels";
import { Officials } from "./Officials";
import { OptionFields } from "./OptionFields";
import { PlayerChoice } from "./PlayerChoice";
import { ScheduleFields } from "./ScheduleFields";

interface Props {
  catalogue: Catalogue;
  game: CatalogueGame | undefined;
  form: Form;
  onChange: (changes: Partial<Form>) => void;
}

/** A run of one game, put together from nothing. */
export function OwnForm({ catalogue, game, form, onChange }: Props) {
  const hasModels = form.players.some((spec) => spec.includes("/"));
  return (
    <>
      <section>
        <div class="filters">
          <Select
            label="Game"
            value={form.game}
            options={catalogue.games.map((g) => [g.name, g.title] as const)}
            onChange={(name) => onChange({ game: name, options: {}, views: [], officials: {}, seats: null })}
          />
        </div>
        {optionsOf(game).length ? (
          <Folded
            open={Object.keys(form.options).length > 0}
            summary={`Options${Object.keys(form.options).length ? ` · ${Object.keys(form.options).length} changed` : ""}`}
          >
            {() => <OptionFields options={optionsOf(game)} values={form.options} onChange={(options) => onChange({ options })} />}
          </Folded>
        ) : null}
      </section>
      <section>
        <h2>Players</h2>
        <Chosen
          players={form.players}
          onRemove={(i) => onChange({ players: form.players.filter((_, j) => j !== i) })}
          words="Choose two or more."
        />
        <PlayerChoice
          players={catalogue.players}
          game={form.game}
          label="Players to choose from"
          onPick={(spec) => onChange({ players: [...form.players, spec] })}
        />
        <Officials
          officials={game?.officials ?? []}
          players={catalogue.players}
          chosen={form.officials}
          onChange={(officials) => onChange({ officials })}
        />
      </section>
      <section>
        <h2>Schedule</h2>
        <ScheduleFields form={form} game={game} onChange={onChange} />
      </section>
      <section>
        <h2>How language models are asked</h2>
        {hasModels ? null : <p class="muted">No language model is among the players, so nothing here matters yet.</p>}
        <Levels label="View" levels={game?.views ?? []} chosen={form.views} onChange={(views) => onChange({ views })} />
        <Levels label="Answer" levels={catalogue.answers} chosen={form.answers} onChange={(answers) => onChange({ answers })} />
        <Levels label="Strategy" levels={catalogue.strategies} chosen={form.strategies} onChange={(strategies) => onChange({ strategies })} />
        <div class="checks">
          <label>
            <input type="checkbox" checked={form.rationale} onChange={(event) => onChange({ rationale: event.currentTarget.checked })} /> ask for a
            short reason before the move
          </label>
          <label>
            <input type="checkbox" checked={form.legalOnly} onChange={(event) => onChange({ legalOnly: event.currentTarget.checked })} /> the schema
            lists exactly the legal moves (json_schema, tool)
          </label>
        </div>
      </section>
    </>
  );
}
