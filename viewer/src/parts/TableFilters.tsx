// The filters that the leaderboard and the matrix share. They stay in the URL, also from one screen to the other.
import type { Facets } from "../api/types";
import type { Query } from "../api/source";
import { setQuery } from "../router";
import { Select, Switch } from "./Fields";

/** The part of a screen's query that the tables' routes understand. Values that say nothing are left out. */
export function tableQuery(query: Query): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value && (name === "game" || name.startsWith("factor."))) kept[name] = value;
  }
  if (query.counting === "played") kept.counting = "played";
  return kept;
}

const COUNTING = [
  ["headline", "Headline", "Forfeits count as games that were lost; see the method below"],
  ["played", "Played out", "Only games that were played to their end count"],
] as const;

export function TableFilters({ facets, query }: { facets: Facets; query: Query }) {
  return (
    <>
      {facets.games.length > 1 && (
        <Select
          label="Game"
          none="All together"
          value={query.game}
          options={facets.games}
          onChange={(game) => setQuery({ game })}
        />
      )}
      {Object.entries(facets.factors).map(([factor, levels]) => (
        <Select
          key={factor}
          label={factorName(factor)}
          none="All together"
          value={query[`factor.${factor}`]}
          options={levels}
          onChange={(level) => setQuery({ [`factor.${factor}`]: level })}
        />
      ))}
      <Switch
        label="Games counted"
        value={query.counting === "played" ? "played" : "headline"}
        options={COUNTING}
        onChange={(counting) => setQuery({ counting: counting === "played" ? "played" : undefined })}
      />
    </>
  );
}

export function factorName(factor: string): string {
  const words = factor.replace(/[_.]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
