import { useEffect, useMemo, useState } from "preact/hooks";
import { Folded } from "../parts/Folded";
import { type Choice, type Legal, choices, matching } from "./legal";

interface Props {
  legal: readonly Legal[];
  typed: string; // narrows too
  placed: ReadonlySet<string>; // moves that can be pressed on the board
  onMove: (action: string) => void;
}

const FEW = 16; // so many moves are shown at once; more are narrowed part by part
const MANY = 24; // so many choices are folded away where the board has them

/** Every legal move by buttons: all of them where they are few, else one part of the move after the other. */
export function Picker({ legal, typed, placed, onMove }: Props) {
  const [chosen, setChosen] = useState<string[]>([]);
  useEffect(() => setChosen([]), [legal]);
  const found = useMemo(() => matching(legal, typed), [legal, typed]);
  const few = found.length <= FEW;
  const { path, open } = useMemo(() => (few ? { path: chosen, open: [] } : narrowed(found, chosen)), [found, chosen, few]);

  const choice = (next: Choice) => <ChoiceButton key={next.value} choice={next} onMove={onMove} onOpen={setChosen} chosen={path} />;
  const onBoard = (next: Choice) => next.moves.every((move) => placed.has(move.action));
  const folded = open.length > MANY ? open.filter(onBoard) : [];

  if (!found.length) return <p class="picker-none">No legal move contains these letters.</p>;
  return (
    <div class="picker" role="group" aria-label="Legal moves">
      {chosen.length ? (
        <div class="picker-chosen">
          <span>{chosen.join(" ")}</span>
          <button type="button" class="quiet" onClick={() => setChosen(chosen.slice(0, -1))}>
            Back
          </button>
        </div>
      ) : null}
      <div class="picker-list">
        {few
          ? found.map((move) => (
              <button key={move.action} type="button" onClick={() => onMove(move.action)}>
                {move.action}
              </button>
            ))
          : open.filter((next) => !folded.includes(next)).map(choice)}
      </div>
      {folded.length ? (
        <Folded summary={`${folded.length} moves that can be pressed on the board`}>
          {() => <div class="picker-list">{folded.map(choice)}</div>}
        </Folded>
      ) : null}
      <p class="picker-count">
        {found.length} legal {found.length === 1 ? "move" : "moves"}
        {found.length < legal.length ? ` of ${legal.length} match` : ""}
      </p>
    </div>
  );
}

interface ChoiceProps {
  choice: Choice;
  chosen: string[];
  onMove: (action: string) => void;
  onOpen: (chosen: string[]) => void;
}

function ChoiceButton({ choice, chosen, onMove, onOpen }: ChoiceProps) {
  const only = choice.moves.length === 1 ? choice.moves[0] : undefined;
  return (
    <button type="button" onClick={() => (only ? onMove(only.action) : onOpen([...chosen, choice.value]))}>
      {only ? only.action : choice.value}
      {only ? null : <span class="picker-more">{choice.moves.length}</span>}
    </button>
  );
}

/** The next choice; a part that leaves no choice is not asked for. */
function narrowed(legal: readonly Legal[], chosen: readonly string[]): { path: string[]; open: Choice[] } {
  const path = [...chosen];
  let open = choices(legal, path);
  while (open.length === 1 && open[0] && open[0].moves.length > 1 && open[0].value !== "") {
    path.push(open[0].value);
    open = choices(legal, path);
  }
  // Moves that differ in nothing but their notation are told apart by it.
  if (open.length === 1 && open[0] && open[0].moves.length > 1) {
    open = open[0].moves.map((move) => ({ value: move.action, name: "", moves: [move] }));
  }
  return { path, open };
}
