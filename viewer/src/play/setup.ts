// What a game with people is set up from; all of it is in the address, so that a table can be shared or played again.

import type { CatalogueGame } from "../api/types";
import type { Value } from "../newrun/form";

/** The spec of a person, whoever it is. */
export const PERSON = "human";
/** In the setup alone: the person at this screen. */
export const ME = "me";

export interface Setup {
  game: string;
  seats: string[]; // a spec, "me", "human", or "" where nobody was chosen yet
  options: Record<string, Value>;
  names: Record<string, string>; // seat to what its person is called in the record
  officials: Record<string, string>; // who judges, where the game has no judge of its own
}

function json(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

function tableOf<T>(text: string | undefined): Record<string, T> {
  const value = json(text);
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, T>) : {};
}

/** The setup of an address. One begins as the first player, and chooses the others. */
export function setupOf(query: Readonly<Record<string, string>>, games: readonly CatalogueGame[]): Setup {
  const game = games.find((other) => other.name === query["game"]) ?? games.find((other) => other.name === "tictactoe");
  const given = json(query["seats"]);
  const wanted = Array.isArray(given) ? given.map(String) : [ME];
  const [least, most] = game?.players ?? [2, 2];
  const n = Math.max(least, Math.min(most, wanted.length));
  const seats = Array.from({ length: n }, (_, i) => wanted[i] ?? "");
  return {
    game: game?.name ?? "",
    seats,
    options: tableOf<Value>(query["options"]),
    names: tableOf<string>(query["names"]),
    officials: tableOf<string>(query["officials"]),
  };
}

export function queryOf(setup: Setup): Record<string, string | undefined> {
  const filled = (table: object) => (Object.keys(table).length ? JSON.stringify(table) : undefined);
  return {
    game: setup.game,
    seats: JSON.stringify(setup.seats),
    options: filled(setup.options),
    names: filled(setup.names),
    officials: filled(setup.officials),
  };
}

// The links of a table are told once, to whoever set it up; this browser tab keeps them.

const kept = new Map<string, Record<string, string>>();
const keyOf = (id: string) => `ludometer.links.${id}`;

export function keepLinks(id: string, links: Record<string, string>): void {
  kept.set(id, links);
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(links));
  } catch {
    // Without storage they last as long as this page.
  }
}

export function keptLinks(id: string): Record<string, string> {
  const known = kept.get(id);
  if (known) return known;
  try {
    return tableOf<string>(sessionStorage.getItem(keyOf(id)) ?? undefined);
  } catch {
    return {};
  }
}
