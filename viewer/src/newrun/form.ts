// The form of a new run and the configuration that it stands for. The configuration is what a TOML file holds; what is
// as it would be anyway is left out of it.

import type { Catalogue, CatalogueGame } from "../api/types";

export type Value = string | number | boolean | null;

export interface Form {
  preset: string; // the preset that it starts from, or ""
  without: string[]; // players of the preset that are taken out, by their names
  name: string;
  game: string;
  options: Record<string, Value>;
  players: string[];
  officials: Record<string, string>;
  views: string[];
  answers: string[];
  strategies: string[];
  rationale: boolean;
  legalOnly: boolean;
  kind: string;
  repeats: number | null; // null: once, or as the preset has it
  seats: number | null;
  seating: string;
  selfPlay: boolean;
  sharedLuck: boolean;
  pool: string[];
  seed: string;
  concurrency: number | null;
  dollars: number | null;
  tokens: number | null;
}

export const EMPTY: Form = {
  preset: "",
  without: [],
  name: "",
  game: "tictactoe",
  options: {},
  players: [],
  officials: {},
  views: [],
  answers: [],
  strategies: [],
  rationale: false,
  legalOnly: false,
  kind: "round_robin",
  repeats: null,
  seats: null,
  seating: "rotated",
  selfPlay: false,
  sharedLuck: false,
  pool: [],
  seed: "",
  concurrency: null,
  dollars: null,
  tokens: null,
};

export interface OptionShape {
  name: string;
  kind: string; // int, float, bool, str, choice, text
  default: Value;
  choices: Value[];
  words: string;
  optional: boolean;
}

export function optionsOf(game: CatalogueGame | undefined): OptionShape[] {
  return (game?.options ?? []) as unknown as OptionShape[];
}

export function gameOf(catalogue: Catalogue, name: string): CatalogueGame | undefined {
  return catalogue.games.find((game) => game.name === name);
}

export type Table = Record<string, unknown>;

/** One choice is a setting of all models, several are a factor: every combination is played. */
function settings(form: Form): { prompt: Table; factors: Table } {
  const [prompt, factors]: [Table, Table] = [{}, {}];
  for (const [key, chosen] of [
    ["view", form.views],
    ["answer", form.answers],
    ["strategy", form.strategies],
  ] as const) {
    if (chosen.length === 1) prompt[key] = chosen[0];
    if (chosen.length > 1) factors[key] = chosen;
  }
  if (form.rationale) prompt["rationale"] = true;
  if (form.legalOnly) prompt["legal_only"] = true;
  return { prompt, factors };
}

function scheduleOf(form: Form): Table {
  const schedule: Table = {};
  if (form.kind !== EMPTY.kind) schedule["kind"] = form.kind;
  if (form.repeats !== null && form.repeats !== 1) schedule["repeats"] = form.repeats;
  if (form.seats !== null) schedule["seats"] = form.seats;
  if (form.seating !== EMPTY.seating) schedule["seating"] = form.seating;
  if (form.selfPlay) schedule["self_play"] = true;
  if (form.sharedLuck) schedule["shared_luck"] = true;
  if (form.kind === "gauntlet") schedule["pool"] = form.pool.filter((name) => form.players.includes(name));
  return schedule;
}

/** The same spec twice would be one entrant twice: the later ones are given a number. `taken` are there already. */
export function playersOf(players: readonly string[], taken: readonly string[] = []): (string | Table)[] {
  const seen = new Map<string, number>(taken.map((name) => [name, 1]));
  return players.map((spec) => {
    const n = (seen.get(spec) ?? 0) + 1;
    seen.set(spec, n);
    return n === 1 ? spec : { player: spec, name: `${spec} ${n}` };
  });
}

/** The configuration of a form, as for POST /api/draft. */
export function configOf(form: Form): Table {
  const { prompt, factors } = settings(form);
  const officials = Object.entries(form.officials).filter(([, spec]) => spec.trim() !== "");
  const parts: [string, unknown][] = [
    ["name", form.name.trim() || undefined],
    ["game", Object.keys(form.options).length ? { name: form.game, options: form.options } : form.game],
    ["players", playersOf(form.players)],
    ["officials", officials.length ? Object.fromEntries(officials) : undefined],
    ["schedule", orNothing(scheduleOf(form))],
    ["prompt", orNothing(prompt)],
    ["factors", orNothing(factors)],
    ...limitsOf(form),
  ];
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

/** What a run of any kind may be given: undefined where the form says nothing. */
export function limitsOf(form: Form): [string, unknown][] {
  const seed = form.seed.trim();
  return [
    ["seed", seed === "" ? undefined : /^-?\d{1,15}$/.test(seed) ? Number(seed) : seed],
    ["concurrency", form.concurrency ?? undefined],
    ["budget_usd", form.dollars ?? undefined],
    ["budget_tokens", form.tokens ?? undefined],
  ];
}

function orNothing(table: Table): Table | undefined {
  return Object.keys(table).length ? table : undefined;
}

/** What a form differs in from an empty one: what a link holds. */
export function packed(form: Form): string | undefined {
  const changed = Object.entries(form).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(EMPTY[key as keyof Form]));
  return changed.length ? JSON.stringify(Object.fromEntries(changed)) : undefined;
}

/** The form of a link. A link may hold anything: what has not the kind of its field is left out. */
export function unpacked(text: string | undefined): Form {
  const form: Form = { ...EMPTY };
  let given: unknown = null;
  try {
    given = JSON.parse(text ?? "null");
  } catch {
    return form;
  }
  if (typeof given !== "object" || given === null) return form;
  for (const [key, value] of Object.entries(given)) {
    if (!(key in EMPTY)) continue;
    const standard = EMPTY[key as keyof Form];
    const fits = Array.isArray(standard)
      ? Array.isArray(value) && value.every((item) => typeof item === "string")
      : standard === null
        ? typeof value === "number"
        : typeof standard === "object"
          ? typeof value === "object" && value !== null && !Array.isArray(value)
          : typeof value === typeof standard;
    if (fits) Object.assign(form, { [key]: value });
  }
  return form;
}
