import { useMemo, useState } from "preact/hooks";
import { api, paths } from "../api/routes";
import { source } from "../api/source";
import { problemOf, useResource } from "../api/useResource";
import type { Catalogue, DraftAnswer } from "../api/types";
import { EstimatePanel } from "../newrun/EstimatePanel";
import { configOf, type Form, gameOf, optionsOf, packed, unpacked } from "../newrun/form";
import { Levels } from "../newrun/Levels";
import { NumberField } from "../newrun/NumberField";
import { Officials } from "../newrun/Officials";
import { OptionFields } from "../newrun/OptionFields";
import { PlayerChoice } from "../newrun/PlayerChoice";
import { ScheduleFields } from "../newrun/ScheduleFields";
import { useDraft } from "../newrun/useDraft";
import { plural } from "../format";
import { Select } from "../parts/Fields";
import { Folded } from "../parts/Folded";
import { Await, Empty } from "../parts/States";
import { go, href, setQuery } from "../router";
import type { ScreenProps } from "../routes";
import { useSession } from "../session";

/** A run put together: game, players, start. Everything else has a default. */
export function NewRun({ query }: ScreenProps) {
  const session = useSession();
  const asked = useResource(api.catalogue());
  if (session && !session.can_run) {
    return <Empty title="Runs cannot be started from here">`ludometer view` on this machine can start them.</Empty>;
  }
  return (
    <Await asked={asked} what="Loading games and players">
      {(catalogue) => <Builder catalogue={catalogue} packedForm={query["form"]} />}
    </Await>
  );
}

function Builder({ catalogue, packedForm }: { catalogue: Catalogue; packedForm: string | undefined }) {
  const form = useMemo(() => unpacked(packedForm), [packedForm]);
  const change = (changes: Partial<Form>) => setQuery({ form: packed({ ...form, ...changes }) });
  const game = gameOf(catalogue, form.game);
  const config = useMemo(() => configOf(form), [form]);
  const enough = form.players.length >= (form.selfPlay ? 1 : (game?.players[0] ?? 1));
  const draft = useDraft(enough ? config : null);
  const [starting, setStarting] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const problem = refused ?? draft.problem;

  const start = () => {
    setStarting(true);
    setRefused(null);
    source()
      .post<DraftAnswer>(paths.runs, { config, name: form.name.trim() || null })
      .then((answer) => (answer.run ? go(href(["run", answer.run, "live"])) : setRefused(answer.problem ?? "The run did not start.")))
      .catch((cause: unknown) => setRefused(problemOf(cause).message))
      .finally(() => setStarting(false));
  };
  const startButton = (
    <button type="button" class="primary start" disabled={!enough || starting || problem !== null} onClick={start}>
      {starting ? "Starting…" : "Start"}
    </button>
  );
  const matches = draft.answer?.estimate?.matches;
  const hasModels = form.players.some((spec) => spec.includes("/"));
  return (
    <div class="builder">
      <div class="builder-form">
        <h1>New run</h1>
        <section>
          <div class="filters">
            <Select
              label="Game"
              value={form.game}
              options={catalogue.games.map((g) => [g.name, g.title] as const)}
              onChange={(name) => change({ game: name, options: {}, views: [], officials: {}, seats: null })}
            />
          </div>
          {optionsOf(game).length ? (
            <Folded
              open={Object.keys(form.options).length > 0}
              summary={`Options${Object.keys(form.options).length ? ` · ${Object.keys(form.options).length} changed` : ""}`}
            >
              {() => <OptionFields options={optionsOf(game)} values={form.options} onChange={(options) => change({ options })} />}
            </Folded>
          ) : null}
        </section>
        <section>
          <h2>Players</h2>
          <div class="chips chosen" aria-live="polite">
            {form.players.map((spec, i) => (
              <span class="chip" key={`${spec} ${i}`}>
                {spec}
                <button
                  type="button"
                  class="quiet chip-remove"
                  aria-label={`Take ${spec} out`}
                  onClick={() => change({ players: form.players.filter((_, j) => j !== i) })}
                >
                  ×
                </button>
              </span>
            ))}
            {form.players.length ? null : <span class="muted">Choose two or more.</span>}
          </div>
          <PlayerChoice
            players={catalogue.players}
            game={form.game}
            label="Players to choose from"
            onPick={(spec) => change({ players: [...form.players, spec] })}
          />
          <Officials
            officials={game?.officials ?? []}
            players={catalogue.players}
            chosen={form.officials}
            onChange={(officials) => change({ officials })}
          />
        </section>
        <section>
          <h2>Schedule</h2>
          <ScheduleFields form={form} game={game} onChange={change} />
        </section>
        <section>
          <h2>How language models are asked</h2>
          {hasModels ? null : <p class="muted">No language model is among the players, so nothing here matters yet.</p>}
          <Levels label="View" levels={game?.views ?? []} chosen={form.views} onChange={(views) => change({ views })} />
          <Levels label="Answer" levels={catalogue.answers} chosen={form.answers} onChange={(answers) => change({ answers })} />
          <Levels label="Strategy" levels={catalogue.strategies} chosen={form.strategies} onChange={(strategies) => change({ strategies })} />
          <div class="checks">
            <label>
              <input type="checkbox" checked={form.rationale} onChange={(event) => change({ rationale: event.currentTarget.checked })} /> ask for a
              short reason before the move
            </label>
            <label>
              <input type="checkbox" checked={form.legalOnly} onChange={(event) => change({ legalOnly: event.currentTarget.checked })} /> the schema
              lists exactly the legal moves (json_schema, tool)
            </label>
          </div>
        </section>
        <section>
          <h2>Limits</h2>
          <div class="filters">
            <NumberField label="Budget, US$" value={form.dollars} least={0} step="any" placeholder="no limit" onChange={(dollars) => change({ dollars })} />
            <NumberField label="Budget, tokens" value={form.tokens} least={1} placeholder="no limit" onChange={(tokens) => change({ tokens })} />
            <NumberField
              label="Matches at once"
              value={form.concurrency}
              least={1}
              placeholder="32"
              onChange={(concurrency) => change({ concurrency })}
            />
            <div class="field">
              <label for="seed">Seed</label>
              <input id="seed" value={form.seed} placeholder="0" onChange={(event) => change({ seed: event.currentTarget.value })} />
            </div>
            <div class="field">
              <label for="run-name">Name</label>
              <input id="run-name" value={form.name} placeholder="run" onChange={(event) => change({ name: event.currentTarget.value })} />
            </div>
          </div>
        </section>
        <div class="builder-bar">
          {startButton}
          <span class="muted num">{enough && matches !== undefined ? plural(matches, "match", "matches") : "choose players"}</span>
        </div>
      </div>
      <aside class="builder-side" aria-label="What it takes">
        {startButton}
        {problem !== null ? (
          <p class="problem-line" role="alert">
            {problem}
          </p>
        ) : null}
        {enough ? (
          <EstimatePanel answer={draft.answer} stale={draft.asking} />
        ) : (
          <p class="muted">Choose players: what the run takes is shown here before it starts.</p>
        )}
      </aside>
    </div>
  );
}
