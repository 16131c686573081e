// Filtering, sorting and paging of matches where no server does it: in a static page. The rules are those of
// GET /api/runs/{run}/matches.
import type { MatchDetail, MatchEntry, MatchPage } from "./types";
import type { Query } from "./source";

const PAGE = 50;

type Details = (entry: MatchEntry) => MatchDetail | undefined;

/** The page that a query asks for. What only the moves tell (`kind`, `q`) is known of embedded matches alone. */
export function selectMatches(all: readonly MatchEntry[], query: Query, details: Details): MatchPage {
  const kept = all.filter((entry) => fits(entry, query, details));
  const value = sortValue(query.sort);
  const sign = query.order === "desc" ? -1 : 1;
  kept.sort((a, b) => compare(value(a), value(b), sign) || a.number - b.number);
  const start = Number(query.after ?? 0) || 0;
  const end = start + (Number(query.size) || PAGE);
  return { matches: kept.slice(start, end), total: kept.length, next: end < kept.length ? String(end) : null };
}

function fits(entry: MatchEntry, query: Query, details: Details): boolean {
  return (
    byNames(entry, query) &&
    byResult(entry, query.player, query.result) &&
    (!query.game || entry.game === query.game) &&
    (!query.status || outcome(entry) === query.status || entry.status === query.status) &&
    (!query.ending || entry.ending === query.ending || entry.why === query.ending) &&
    byLength(entry, query) &&
    byFactors(entry, query) &&
    byKind(entry, query.kind, details) &&
    byText(entry, query.q, details)
  );
}

/** What became of a match. */
function outcome(entry: MatchEntry): string {
  if (entry.status === "finished") return entry.ending ?? "unfinished";
  return entry.status === "void" || entry.status === "not needed" ? entry.status : "unfinished";
}

/** What became of a match, in one word. */
export function outcomeOf(entry: MatchEntry): string {
  if (entry.status === "finished") return entry.ending ?? "completed";
  return entry.status === "scheduled" || entry.status === "running" ? "unfinished" : entry.status;
}

function contestants(entry: MatchEntry) {
  return entry.seats.filter((seat) => seat.kind === "contestant");
}

function byNames(entry: MatchEntry, { player, opponent }: Query): boolean {
  const names = contestants(entry).map((seat) => seat.entrant);
  if (player && !names.includes(player)) return false;
  if (!opponent) return true;
  // Someone who met themselves must sit there twice.
  return player === opponent ? names.filter((name) => name === opponent).length > 1 : names.includes(opponent);
}

function byResult(entry: MatchEntry, player: string | undefined, result: string | undefined): boolean {
  if (!result || !player) return true;
  const seats = contestants(entry);
  const scores = seats.map((seat) => seat.score);
  if (scores.some((score) => score === null)) return false;
  const best = Math.max(...(scores as number[]));
  const shared = scores.filter((score) => score === best).length > 1;
  return seats.some((seat) => {
    if (seat.entrant !== player) return false;
    if (seat.score !== best) return result === "loss";
    return result === (shared ? "draw" : "win");
  });
}

function byLength(entry: MatchEntry, query: Query): boolean {
  if (query.min_moves && (entry.moves ?? -1) < Number(query.min_moves)) return false;
  return !query.max_moves || (entry.moves ?? Infinity) <= Number(query.max_moves);
}

function byFactors(entry: MatchEntry, query: Query): boolean {
  return Object.entries(query).every(
    ([name, level]) => !level || !name.startsWith("factor.") || word(entry.condition[name.slice(7)]) === level,
  );
}

/** A level as the facets spell it. */
function word(level: unknown): string {
  return typeof level === "string" ? level : JSON.stringify(level ?? null);
}

function byKind(entry: MatchEntry, kind: string | undefined, details: Details): boolean {
  if (!kind) return true;
  if (!entry.bad_attempts) return false;
  return attempts(details(entry)).some((attempt) => attempt.kind === kind);
}

function byText(entry: MatchEntry, q: string | undefined, details: Details): boolean {
  if (!q) return true;
  const wanted = q.toLowerCase();
  const has = (text: string | null) => text !== null && text.toLowerCase().includes(wanted);
  if (has(entry.why) || has(entry.ending)) return true;
  return attempts(details(entry)).some((a) => has(a.notation) || has(a.text) || has(a.rationale) || has(a.reason));
}

function attempts(detail: MatchDetail | undefined) {
  return detail ? detail.steps.flatMap((step) => step.attempts) : [];
}

function sortValue(sort: string | undefined): (entry: MatchEntry) => number | null {
  switch (sort) {
    case "moves":
      return (entry) => entry.moves;
    case "bad_attempts":
      return (entry) => entry.bad_attempts;
    case "seconds":
      return (entry) => entry.seconds;
    case "finished":
      return (entry) => entry.finished;
    default:
      return (entry) => entry.number;
  }
}

/** What is not known comes last, whichever way is sorted. */
function compare(a: number | null, b: number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (a - b) * sign;
}
