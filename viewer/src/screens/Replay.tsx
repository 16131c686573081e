import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api/routes";
import { useResource } from "../api/useResource";
import type { MatchDetail } from "../api/types";
import { go, href, setQuery } from "../router";
import type { ScreenProps } from "../routes";
import { useShortcuts } from "../shortcuts";
import { Await } from "../parts/States";
import { DecisionPanel } from "../replay/DecisionPanel";
import { evaluationShown, lines, showEvaluation } from "../replay/evaluation";
import { Facts } from "../replay/Facts";
import { Headline } from "../replay/Headline";
import { MoveList } from "../replay/MoveList";
import { alternates, contestants, decisionsOf, lastPly, valueOf } from "../replay/moves";
import { Same } from "../replay/Same";
import { Stage } from "../replay/Stage";
import { ValueGraph } from "../replay/ValueGraph";

/** A match, move by move. */
export function Replay({ params, query }: ScreenProps) {
  const run = params["run"] ?? "";
  const match = params["match"] ?? "";
  const [going, setGoing] = useState(false);
  const asked = useResource(api.match(run, match), going ? 3 : undefined);
  const unfinished = asked.data !== undefined && asked.data.entry.finished === null;
  useEffect(() => setGoing(unfinished), [unfinished]);
  return (
    <Await asked={asked} what="Loading the match">
      {(detail) => <Replayed key={match} run={run} detail={detail} wanted={params["ply"]} query={query} />}
    </Await>
  );
}

interface Props {
  run: string;
  detail: MatchDetail;
  wanted: string | undefined;
  query: Readonly<Record<string, string>>;
}

const SPEEDS = ["0.5", "1", "2", "4"];

function Replayed({ run, detail, wanted, query }: Props) {
  const match = detail.entry.id;
  const last = lastPly(detail);
  const asked = Number(wanted ?? 0);
  const ply = Number.isFinite(asked) ? Math.max(0, Math.min(last, Math.round(asked))) : 0;
  const viewer = detail.viewers.includes(query["viewer"] ?? "") ? (query["viewer"] as string) : firstViewer(detail);
  const [playing, setPlaying] = useState(false);
  const speed = SPEEDS.includes(query["speed"] ?? "") ? Number(query["speed"]) : 1;
  const turned = query["turned"] === "1";
  const comparing = query["same"] === "1" && !detail.public_only;

  const goTo = (next: number) => {
    const to = Math.max(0, Math.min(last, next));
    if (to !== ply) go(href(["run", run, "match", match, to], { ...query, attempt: undefined, other: undefined }), { replace: true });
  };
  useEffect(() => {
    if (!playing) return;
    if (ply >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => goTo(ply + 1), 1000 / speed);
    return () => clearTimeout(timer);
  }, [playing, ply, last, speed]);

  const hasValues = useResource(api.run(run)).data?.has_values ?? false;
  const analysis = useResource(hasValues && !detail.public_only ? api.values(run, match) : null).data;
  const available = (analysis?.values.length ?? 0) > 0;
  const shown = evaluationShown(query);
  const evaluators = analysis?.evaluators ?? [];
  const evaluator = evaluators.includes(query["evaluator"] ?? "") ? query["evaluator"] : evaluators[0];
  const values = useMemo(
    () => (shown && analysis ? analysis.values.filter((value) => value.evaluator === evaluator) : []),
    [analysis, shown, evaluator],
  );
  const graph = useMemo(() => lines(detail, values), [detail, values]);

  const step = detail.steps.find((other) => other.ply === ply);
  const decisions = step ? decisionsOf(step) : [];
  const compared = decisions.find((d) => d.seat === query["seat"]) ?? decisions[0];
  const nextViewer = () => {
    const at = detail.viewers.indexOf(viewer);
    setQuery({ viewer: detail.viewers[(at + 1) % detail.viewers.length] });
  };
  const toggleSame = (seat?: string) => setQuery({ same: comparing && (!seat || seat === compared?.seat) ? undefined : "1", seat, other: undefined });
  const turn = () => setQuery({ turned: turned ? undefined : "1" });

  useShortcuts("Replay", [
    { keys: ["ArrowRight"], words: "Next move", run: () => goTo(ply + 1) },
    { keys: ["ArrowLeft"], words: "Move before", run: () => goTo(ply - 1) },
    { keys: ["Home"], words: "To the start", run: () => goTo(0) },
    { keys: ["End"], words: "To the end", run: () => goTo(last) },
    { keys: [" "], words: "Play or pause", run: () => (ply >= last && !playing ? (goTo(0), setPlaying(true)) : setPlaying(!playing)) },
    { keys: ["e"], words: "Hide or show every evaluation", run: () => showEvaluation(!shown) },
    { keys: ["v"], words: "See it as the next viewer: public, full, each seat", run: nextViewer },
    { keys: ["f"], words: "Turn the board, where it can be turned", run: turn },
    { keys: ["c"], words: "Compare with others in this position", run: () => compared && toggleSame() },
  ]);

  return (
    <div class="replay">
      <Headline run={run} detail={detail} />
      <div class={`replay-columns${alternates(detail) ? "" : " replay-wide"}`}>
        <div class="replay-board">
          <Stage
            run={run}
            detail={detail}
            ply={ply}
            last={last}
            viewer={viewer}
            turned={turned}
            values={step ? values.filter((value) => value.step === step.step) : []}
            graph={available && shown ? graph : null}
            playing={playing}
            speed={String(speed)}
            speeds={SPEEDS}
            onPly={goTo}
            onPlaying={(on) => (on && ply >= last ? (goTo(0), setPlaying(true)) : setPlaying(on))}
            onTurn={turn}
          />
          {available ? (
            <div class="eval-head">
              <button type="button" class="quiet" aria-pressed={!shown} onClick={() => showEvaluation(!shown)}>
                {shown ? "Hide evaluations" : "Show evaluations"} <kbd>e</kbd>
              </button>
              {shown && evaluators.length > 1 ? (
                <label>
                  by{" "}
                  <select value={evaluator} onChange={(event) => setQuery({ evaluator: event.currentTarget.value })}>
                    {evaluators.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                </label>
              ) : null}
            </div>
          ) : null}
          {available && shown ? (
            <ValueGraph detail={detail} lines={graph} values={values} ply={ply} plies={last} onPly={goTo} />
          ) : null}
        </div>
        <MoveList detail={detail} values={values} ply={ply} onPly={goTo} />
        <div class="replay-panel">
          {decisions.length ? (
            decisions.map((decision) => (
              <DecisionPanel
                key={decision.seat}
                run={run}
                detail={detail}
                decision={decision}
                attempt={query["attempt"]}
                value={valueOf(values, decision.step, decision.seat)}
                comparing={comparing && compared?.seat === decision.seat}
                onCompare={() => toggleSame(decision.seat)}
              />
            ))
          ) : (
            <Facts run={run} detail={detail} />
          )}
        </div>
      </div>
      {comparing && compared ? <Same run={run} detail={detail} decision={compared} other={query["other"]} /> : null}
      <p class="unseen" aria-live="polite">
        {ply === 0 ? "Start" : `Move ${ply} of ${last}${contestants(detail).length ? `: ${Object.values(step?.moves ?? {}).join(", ").slice(0, 200)}` : ""}`}
      </p>
    </div>
  );
}

/** The full state where it may be shown: a replay hides nothing that the reader does not ask to be hidden. */
function firstViewer(detail: MatchDetail): string {
  return detail.viewers.includes("full") ? "full" : (detail.viewers[0] ?? "public");
}
