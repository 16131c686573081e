// All runs, of every folder and database that is looked in.
import { api } from "../api/routes";
import type { RunEntry, RunList } from "../api/types";
import { useResource } from "../api/useResource";
import { ago, count, dollars, plural, when } from "../format";
import { Input } from "../parts/Fields";
import { Progress } from "../parts/Progress";
import { Await, Empty } from "../parts/States";
import { PlainText } from "../parts/TextBlock";
import { href, setQuery } from "../router";
import type { ScreenProps } from "../routes";
import { plain } from "../text";
import { useSession } from "../session";

// More runs than this are searched rather than looked through.
const MANY = 8;

export function Runs({ query }: ScreenProps) {
  const first = useResource(api.runs(), 5);
  return (
    <Await asked={first} what="Looking for runs">
      {(list) => <List list={list} wanted={query.q ?? ""} />}
    </Await>
  );
}

/** Whether there are runs in other places than where new ones go. */
const elsewhere = (list: RunList) => list.runs.some((run) => run.place !== list.folder);

function List({ list, wanted }: { list: RunList; wanted: string }) {
  const session = useSession();
  const troubled = list.places.filter((place) => place.problem);
  const troubles = troubled.length > 0 && <Troubles places={troubled} />;
  const used = list.places.filter(({ name, problem }) => problem || list.runs.some((run) => run.place === name));
  if (list.runs.length === 0) {
    return (
      <>
        {troubles}
        <Nothing folder={list.folder} places={list.places.map(({ name }) => name)} />
      </>
    );
  }
  const needle = wanted.toLowerCase();
  const runs = list.runs.filter((run) =>
    [run.name, run.id, run.description, run.place, ...run.games].some((text) => text.toLowerCase().includes(needle)),
  );
  return (
    <>
      <div class="screen-head">
        <h1>Runs</h1>
        <span class="muted">
          {plural(list.runs.length, "run")} in{" "}
          <PlainText text={used.length > 2 ? `${used.length} places` : used.map(({ name }) => name).join(" and ")} />
        </span>
        {(list.runs.length > MANY || wanted) && (
          <Input
            label="Find"
            type="search"
            value={wanted}
            onChange={(q) => setQuery({ q })}
            placeholder="name or game"
          />
        )}
      </div>
      {troubles}
      {elsewhere(list) && session?.can_run && (
        <p class="muted runs-home">
          New runs and games from this page go to the folder <PlainText text={list.folder} />.
        </p>
      )}
      {runs.length ? (
        <ul class="runs">
          {runs.map((run) => (
            <Entry key={run.id} run={run} place={used.length > 1} />
          ))}
        </ul>
      ) : (
        <Empty title="No run has this in its name, its description or its games">
          <button type="button" onClick={() => setQuery({ q: undefined })}>
            Show all runs
          </button>
        </Empty>
      )}
    </>
  );
}

/** Folders and databases that cannot be read now; what was known of them before is listed all the same. */
function Troubles({ places }: { places: RunList["places"] }) {
  return (
    <ul class="note note-problem place-problems" role="status">
      {places.map(({ name, problem }) => (
        <li key={name}>
          <PlainText text={problem ?? ""} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ run, place }: { run: RunEntry; place: boolean }) {
  return (
    <li class="run">
      <div class="run-name">
        <a href={href(run.playing ? ["run", run.id, "live"] : ["run", run.id])}>
          <PlainText text={run.name || run.id} />
        </a>
        {run.description && (
          <p class="muted">
            <PlainText text={run.description} />
          </p>
        )}
        {place && (
          <p class="muted run-place">
            in <PlainText text={run.place} />
          </p>
        )}
      </div>
      {run.problem ? (
        <p class="run-problem">
          <PlainText text={run.problem} />
        </p>
      ) : (
        <>
          <Progress entry={run} />
          <dl class="run-facts">
            <Fact name="Game">{plain(run.games.join(", "))}</Fact>
            <Fact name="Entrants">{count(run.entrants)}</Fact>
            <Fact name="Calls">{count(run.calls)}</Fact>
            <Fact name="Cost">{dollars(run.cost)}</Fact>
            <Fact name="Last" title={when(run.last)}>
              {ago(run.last)}
            </Fact>
          </dl>
        </>
      )}
    </li>
  );
}

function Fact({ name, title, children }: { name: string; title?: string; children: string }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd class="num">{children}</dd>
    </div>
  );
}

function Nothing({ folder, places }: { folder: string; places: readonly string[] }) {
  const session = useSession();
  return (
    <Empty title={`There are no runs in ${plain(places.join(" and "))} yet`} top>
      {session?.can_run && (
        <p>
          <a class="button primary" href="#/play">
            Play a game
          </a>{" "}
          <a class="button" href="#/new">
            Set up a run
          </a>
        </p>
      )}
      <p>From the command line, this plays ten games and shows up here while it is at it:</p>
      <pre>ludometer play tictactoe -p random -p perfect --games 10 --dir {folder}/first</pre>
    </Empty>
  );
}
