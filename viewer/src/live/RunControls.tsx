import { useEffect, useState } from "preact/hooks";
import { paths } from "../api/routes";
import { source } from "../api/source";
import type { ControlRequest, RunEntry } from "../api/types";
import { problemOf } from "../api/useResource";
import { count, dollars } from "../format";

interface Props {
  run: string;
  entry: RunEntry;
  canRun: boolean;
  onEntry: (entry: RunEntry) => void;
}

const PATIENCE = 4;

/** A run that was paused a moment ago may still be putting its things away: resuming is asked again a few times. */
async function asked(run: string, action: ControlRequest["action"], patience: number): Promise<RunEntry> {
  try {
    return await source().post<RunEntry>(paths.control(run), { action });
  } catch (cause) {
    if (patience === 0 || problemOf(cause).status !== 409) throw cause;
    await new Promise((resolve) => setTimeout(resolve, 800));
    return asked(run, action, patience - 1);
  }
}

/** How far the run is, and what steers it where this server started it. */
export function RunControls({ run, entry, canRun, onEntry }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [sure, setSure] = useState(false);
  const [pausing, setPausing] = useState(false);
  useEffect(() => {
    if (!entry.playing) setPausing(false);
  }, [entry.playing]);
  const { counts } = entry;
  // Runs in databases are played by whoever has a terminal; this server plays those in folders.
  const inDatabase = entry.place.includes("://");
  // What is void in a run that is decided stays so.
  const toPlay = !entry.playing && counts.unfinished + (counts.not_needed > 0 ? 0 : counts.void) > 0;
  const done = counts.total - counts.unfinished - counts.not_needed;

  const control = (action: ControlRequest["action"]) => {
    setBusy(true);
    setSure(false);
    setProblem("");
    asked(run, action, action === "resume" ? PATIENCE : 0)
      .then((next) => {
        setPausing(action === "pause");
        onEntry(next);
      })
      .catch((cause: unknown) => setProblem(problemOf(cause).message))
      .finally(() => setBusy(false));
  };
  return (
    <div class="run-controls">
      <p class="num">
        <strong>
          {count(done)} of {count(counts.total)}
        </strong>{" "}
        matches{counts.not_needed > 0 && `, ${count(counts.not_needed)} not needed`} · {count(entry.calls)} calls · {dollars(entry.cost)}
      </p>
      {canRun && entry.started_here && entry.playing ? (
        <>
          <button type="button" disabled={busy || pausing} title="Asks nothing more and records the answers on their way" onClick={() => control("pause")}>
            {pausing ? "Pausing…" : "Pause"}
          </button>
          {sure ? (
            <>
              <button type="button" class="danger" disabled={busy} onClick={() => control("stop")}>
                Stop at once
              </button>
              <button type="button" class="quiet" onClick={() => setSure(false)}>
                Keep going
              </button>
            </>
          ) : (
            <button type="button" disabled={busy} title="Ends it at once; nothing recorded is lost" onClick={() => setSure(true)}>
              Stop…
            </button>
          )}
        </>
      ) : null}
      {toPlay && inDatabase ? (
        <p class="muted">
          Nobody is at work on it: <code>ludometer resume</code> with its address in the database goes on with it.
        </p>
      ) : null}
      {canRun && toPlay && !inDatabase ? (
        <button type="button" class="primary" disabled={busy} onClick={() => control("resume")}>
          Resume
        </button>
      ) : null}
      {pausing ? (
        <p class="muted" role="status">
          Nothing more is asked; answers on their way are waited for. Stop does not wait.
        </p>
      ) : null}
      {problem ? (
        <p class="problem-line" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
