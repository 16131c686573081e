import { useEffect, useMemo, useState } from "preact/hooks";
import { api, paths } from "../api/routes";
import { source } from "../api/source";
import { problemOf, useResource } from "../api/useResource";
import type { Catalogue, DraftAnswer } from "../api/types";
import { EstimatePanel } from "../newrun/EstimatePanel";
import { configOf, EMPTY, type Form, gameOf, packed, unpacked } from "../newrun/form";
import { Limits } from "../newrun/Limits";
import { OwnForm } from "../newrun/OwnForm";
import { presetConfig } from "../newrun/preset";
import { PresetForm } from "../newrun/PresetForm";
import { useDraft } from "../newrun/useDraft";
import { plural } from "../format";
import { Select } from "../parts/Fields";
import { Await, Empty } from "../parts/States";
import { PlainText } from "../parts/TextBlock";
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
  const session = useSession();
  const form = useMemo(() => unpacked(packedForm), [packedForm]);
  const change = (changes: Partial<Form>) => setQuery({ form: packed({ ...form, ...changes }) });
  const game = gameOf(catalogue, form.game);
  const preset = catalogue.presets.find((one) => one.name === form.preset);
  const config = useMemo(() => (preset ? presetConfig(preset, form) : configOf(form)), [form, preset]);
  const chosen = Array.isArray(config["players"]) ? config["players"].length : 0;
  const enough = chosen >= (preset || form.selfPlay ? 1 : (game?.players[0] ?? 1));
  const draft = useDraft(enough ? config : null);
  const [starting, setStarting] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const problem = refused ?? draft.problem;
  useEffect(() => setRefused(null), [config]); // it was about the form as it was

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
    <button type="button" class="primary start" disabled={!enough || starting || draft.asking || problem !== null} onClick={start}>
      {starting ? "Starting…" : "Start"}
    </button>
  );
  const matches = draft.answer?.estimate?.matches;
  return (
    <div class="builder">
      <div class="builder-form">
        <h1>New run</h1>
        <div class="filters">
          <Select
            label="Start from"
            value={preset?.name ?? ""}
            none="a game of your choice"
            options={catalogue.presets.map((one) => [one.name, `preset ${one.name}`] as const)}
            onChange={(name) => setQuery({ form: packed({ ...EMPTY, preset: name }) })}
          />
        </div>
        {preset ? (
          <PresetForm preset={preset} catalogue={catalogue} form={form} onChange={change} />
        ) : (
          <OwnForm catalogue={catalogue} game={game} form={form} onChange={change} />
        )}
        <section>
          <h2>Limits</h2>
          <Limits form={form} usual={preset?.config ?? {}} onChange={change} />
        </section>
        <div class="builder-bar">
          {startButton}
          <span class="muted num">{enough ? (matches === undefined ? "" : plural(matches, "match", "matches")) : "choose players"}</span>
        </div>
      </div>
      <aside class="builder-side" aria-label="What it takes">
        {startButton}
        {session?.folder ? (
          <p class="muted small">
            It is kept in the folder <PlainText text={session.folder} />.
          </p>
        ) : null}
        {problem !== null ? (
          <p class="problem-line" role="alert">
            {problem}
          </p>
        ) : null}
        {enough && draft.asking && !draft.answer ? (
          <p class="muted" role="status">
            Working out what it takes…
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
