import { useMemo } from "preact/hooks";
import { Board } from "../board/Board";
import type { Mark } from "../board/marks";
import type { MatchDetail, MoveValue } from "../api/types";
import { Loading, Problem } from "../parts/States";
import { Controls } from "./Controls";
import { EvalBar } from "./EvalBar";
import type { Point } from "./evaluation";
import { contestants } from "./moves";
import { usePosition } from "./positions";
import { Viewers } from "./Viewers";

interface Props {
  run: string;
  detail: MatchDetail;
  ply: number;
  last: number;
  viewer: string;
  turned: boolean;
  values: readonly MoveValue[]; // of the step that led here
  graph: ReadonlyMap<string, Point[]> | null; // null: no evaluation is shown
  playing: boolean;
  speed: string;
  speeds: readonly string[];
  onPly: (ply: number) => void;
  onPlaying: (on: boolean) => void;
  onTurn: () => void;
}

const REGRETTED = 0.005;

/** The board of a replay with what moves it. */
export function Stage(props: Props) {
  const { run, detail, ply, last, viewer, turned, values, graph } = props;
  // A step that ended the match without a move has no position of its own.
  const { position, before, problem, exact } = usePosition(run, detail.entry.id, Math.min(ply, detail.plies), viewer, detail.plies);
  const marks = useMemo<Mark[]>(
    () =>
      values
        .filter((value) => value.regret >= REGRETTED)
        .flatMap((value) => value.best_actions.slice(0, 3).map((action) => ({ kind: "best" as const, action }))),
    [values],
  );
  const played = position ? Object.values(position.last) : [];
  const two = contestants(detail).length === 2;
  const label = `${detail.entry.game}, ${ply === 0 ? "at the start" : `after move ${ply}`}${played.length ? `: ${played.join(", ").slice(0, 120)}` : ""}`;
  return (
    <div class="stage">
      {graph && !two ? <EvalBar detail={detail} lines={graph} ply={ply} turned={false} /> : null}
      <div class={`stage-row${exact || !position ? "" : " stage-late"}`}>
        {graph && two ? <EvalBar detail={detail} lines={graph} ply={ply} turned={turned} /> : null}
        {problem ? (
          <Problem problem={problem} />
        ) : position ? (
          <Board shown={position} before={before} label={label} turned={turned} marks={marks} />
        ) : (
          <Loading what="Loading the board" />
        )}
      </div>
      <Controls {...props} ply={ply} last={last} canTurn={position?.board?.["kind"] === "chess"} />
      <Viewers detail={detail} viewer={viewer} />
    </div>
  );
}
