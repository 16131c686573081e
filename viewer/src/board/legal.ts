// Legal moves as the picker and the boards use them: the move's notation and the parts it can be narrowed by.

export interface Part {
  name: string; // what the part is ("from", "card"); empty where nothing is known
  value: string;
}

export interface Legal {
  action: string;
  parts: Part[];
  from: string | null;
  to: string | null;
}

const SQUARE = /^(?:[a-z]\d{1,2}|\d{1,2})$/i;

function partsOf(raw: unknown, action: string): Part[] {
  if (Array.isArray(raw)) return raw.map((value) => ({ name: "", value: String(value) }));
  if (raw !== null && typeof raw === "object") {
    return Object.entries(raw)
      .filter(([, value]) => value !== null && value !== "")
      .map(([name, value]) => ({ name, value: String(value) }));
  }
  return [{ name: "", value: action }];
}

/** The places a move begins and ends at, where its parts are places. A drawing without such places takes no notice. */
function endsOf(parts: readonly Part[]): [string, string] | null {
  const named = (name: string) => parts.find((part) => part.name === name)?.value;
  const [from, to] = [named("from"), named("to")];
  if (from !== undefined && to !== undefined) return [from, to];
  const squares = parts.map((part) => part.value).filter((value) => SQUARE.test(value));
  const [first, last] = [squares[0], squares[squares.length - 1]];
  return first !== undefined && last !== undefined && squares.length > 1 && first === parts[0]?.value ? [first, last] : null;
}

/** Reads the `legal` list of the API. */
export function readLegal(list: readonly Record<string, unknown>[] | null): Legal[] | null {
  if (list === null) return null;
  return list.map((entry) => {
    const action = String(entry["action"] ?? "");
    const parts = partsOf(entry["parts"], action);
    const ends = endsOf(parts);
    return { action, parts, from: ends?.[0] ?? null, to: ends?.[1] ?? null };
  });
}

export interface Choice {
  value: string;
  name: string;
  moves: Legal[];
}

/** The next choice after `chosen` parts: what the moves that begin so go on with, in their order. */
export function choices(legal: readonly Legal[], chosen: readonly string[]): Choice[] {
  const found = new Map<string, Choice>();
  for (const move of legal) {
    if (!chosen.every((value, i) => move.parts[i]?.value === value)) continue;
    const part = move.parts[chosen.length];
    const value = part?.value ?? "";
    const choice = found.get(value) ?? { value, name: part?.name ?? "", moves: [] };
    choice.moves.push(move);
    found.set(value, choice);
  }
  return [...found.values()];
}

/** The moves whose notation holds what was typed; all where nothing was. */
export function matching(legal: readonly Legal[], typed: string): Legal[] {
  const wanted = typed.trim().toLowerCase();
  return wanted === "" ? [...legal] : legal.filter((move) => move.action.toLowerCase().includes(wanted));
}
