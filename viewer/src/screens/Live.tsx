import { useEffect, useState } from "preact/hooks";
import { api, paths } from "../api/routes";
import { source } from "../api/source";
import { useResource } from "../api/useResource";
import type { AttemptShape, Counts, LiveMatch, RunEntry, Wall } from "../api/types";
import { count } from "../format";
import type { ScreenProps } from "../routes";
import { useSession } from "../session";
import { Empty, Await } from "../parts/States";
import { RunControls } from "../live/RunControls";
import { WallBoard } from "../live/WallBoard";

interface LiveAttempt {
  match: string;
  step: number;
  seat: string;
  attempt: AttemptShape;
}

/** All boards at play, as a wall that events keep up to date, and the latest that were finished. */
export function Live({ params }: ScreenProps) {
  const run = params["run"] ?? "";
  const asked = useResource(api.live(run));
  return (
    <Await asked={asked} what="Setting up the wall">
      {(wall) => <WallOf key={run} run={run} first={wall} />}
    </Await>
  );
}

const KEPT = 24; // finished boards that stay

function placed(matches: readonly LiveMatch[], next: LiveMatch): LiveMatch[] {
  const known = matches.findIndex((match) => match.id === next.id);
  const others = matches.filter((match) => match.id !== next.id);
  // A board stays where it is while it is played; once finished it goes to the front of the finished ones.
  if (known >= 0 && !next.finished) return matches.map((match) => (match.id === next.id ? next : match));
  const playing = others.filter((match) => !match.finished);
  const done = others.filter((match) => match.finished);
  return next.finished ? [...playing, next, ...done].slice(0, playing.length + KEPT) : [...playing, next, ...done];
}

function WallOf({ run, first }: { run: string; first: Wall }) {
  const [entry, setEntry] = useState<RunEntry>(first.entry);
  const [matches, setMatches] = useState<LiveMatch[]>(first.matches);
  const [lost, setLost] = useState(false);
  const canRun = useSession()?.can_run ?? false;

  useEffect(
    () =>
      source().events(paths.events(run), {
        on: {
          counts: (counts: Counts) => setEntry((old) => ({ ...old, counts })),
          run: (next: RunEntry) => setEntry(next),
          match: (next: LiveMatch) => setMatches((old) => placed(old, next)),
          attempt: ({ match, attempt }: LiveAttempt) =>
            setMatches((old) => old.map((other) => (other.id === match ? { ...other, last: attempt } : other))),
        },
        open: () => setLost(false),
        lost: () => setLost(true),
      }),
    [run],
  );

  const playing = matches.filter((match) => !match.finished);
  const done = matches.filter((match) => match.finished);
  const over = entry.counts.not_needed ? "The run is decided" : "Every match is finished";
  return (
    <div class="live">
      <RunControls run={run} entry={entry} canRun={canRun && !first.public_only} onEntry={setEntry} />
      {lost ? (
        <p class="note" role="status">
          The connection was lost; this page connects again by itself.
        </p>
      ) : null}
      {first.public_only ? <p class="note">A person is playing, so only what is public is shown.</p> : null}
      <h2>
        At play <span class="muted num">{count(playing.length)}</span>
      </h2>
      {playing.length ? (
        <div class="wall">
          {playing.map((match) => (
            <WallBoard key={match.id} run={run} match={match} />
          ))}
        </div>
      ) : (
        <Empty title={entry.counts.unfinished ? "No match is being played now" : over}>
          {entry.counts.unfinished
            ? `${count(entry.counts.unfinished)} of ${count(entry.counts.total)} matches are still to be played. ${entry.started_here ? "Resume goes on with them." : "`ludometer resume` goes on with them."}`
            : "The latest boards are below; the leaderboard has all of them."}
        </Empty>
      )}
      {done.length ? (
        <>
          <h2>Latest finished</h2>
          <div class="wall wall-done">
            {done.map((match) => (
              <WallBoard key={match.id} run={run} match={match} />
            ))}
          </div>
        </>
      ) : null}
    </div>
  );
}
