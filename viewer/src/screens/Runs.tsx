// All runs of the folder.
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

function List({ list, wanted }: { list: RunList; wanted: string }) {
  if (list.runs.length === 0) return <Nothing folder={list.folder} />;
  const needle = wanted.toLowerCase();
  const runs = list.runs.filter((run) =>
    [run.name, run.id, run.description, ...run.games].some((text) => text.toLowerCase().includes(needle)),
  );
  return (
    <>
      <div class="screen-head">
        <h1>Runs</h1>
        <span class="muted">
          {plural(list.runs.length, "run")} in <PlainText text={list.folder} />
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
      {runs.length ? (
        <ul class="runs">
          {runs.map((run) => (
            <Entry key={run.id} run={run} />
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

function Entry({ run }: { run: RunEntry }) {
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

function Nothing({ folder }: { folder: string }) {
  const session = useSession();
  return (
    <Empty title={`There are no runs in ${plain(folder)} yet`} top>
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
