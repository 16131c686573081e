// A run that starts from a preset: its configuration, with what the form changes in it.

import type { PresetOption } from "../api/types";
import { type Form, limitsOf, playersOf, type Table } from "./form";

const isTable = (value: unknown): value is Table => typeof value === "object" && value !== null && !Array.isArray(value);

/** What a player of a configuration is called: by its name, or as it is written. */
function calledOf(player: unknown): string {
  if (!isTable(player)) return String(player);
  return String(player["name"] ?? player["player"] ?? "");
}

/** The names of the preset's players, in order. */
export function playersIn(preset: PresetOption): string[] {
  const players = preset.config["players"];
  return Array.isArray(players) ? players.map(calledOf) : [];
}

/** The names of the preset's games. */
export function gamesIn(preset: PresetOption): string[] {
  const { game, games } = preset.config as { game?: unknown; games?: unknown };
  const all = [...(game === undefined ? [] : [game]), ...(Array.isArray(games) ? games : [])];
  return all.map((one) => String(isTable(one) ? one["name"] : one));
}

/** How often the preset repeats what it plays. */
export function repeatsIn(preset: PresetOption): number {
  const schedule = preset.config["schedule"];
  return isTable(schedule) && typeof schedule["repeats"] === "number" ? schedule["repeats"] : 1;
}

/** The configuration, as for POST /api/draft. */
export function presetConfig(preset: PresetOption, form: Form): Table {
  const players = preset.config["players"];
  const kept = (Array.isArray(players) ? players : []).filter((player) => !form.without.includes(calledOf(player)));
  const schedule: Table = isTable(preset.config["schedule"]) ? { ...preset.config["schedule"] } : {};
  if (form.repeats !== null) schedule["repeats"] = form.repeats;
  for (const key of ["pool", "challengers"]) {
    const named = schedule[key];
    if (Array.isArray(named)) schedule[key] = named.filter((name) => !form.without.includes(String(name)));
  }
  const changed: [string, unknown][] = [
    ["name", form.name.trim() || undefined],
    ["players", [...kept, ...playersOf(form.players, kept.map(calledOf))]],
    ["schedule", Object.keys(schedule).length ? schedule : undefined],
    ...limitsOf(form),
  ];
  return { ...preset.config, ...Object.fromEntries(changed.filter(([, value]) => value !== undefined)) };
}
