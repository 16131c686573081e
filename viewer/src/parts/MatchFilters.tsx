// The filters of the list of matches.
import { useState } from "preact/hooks";
import type { Query } from "../api/source";
import type { Facets } from "../api/types";
import { setQuery } from "../router";
import { Input, Select } from "./Fields";
import { Filters } from "./Filters";
import { factorName } from "./TableFilters";

const NAMES = [
  "player",
  "opponent",
  "game",
  "result",
  "status",
  "ending",
  "kind",
  "min_moves",
  "max_moves",
  "q",
  "sort",
  "order",
  "after",
];
const STATUSES = ["completed", "forfeit", "canceled", "void", "unfinished", "not needed"];

/** The part of the screen's query that the route understands. */
export function matchQuery(query: Query): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value && (NAMES.includes(name) || name.startsWith("factor."))) kept[name] = value;
  }
  return kept;
}

/** A new filter begins at the first page. */
function filter(changes: Query): void {
  setQuery({ ...changes, after: undefined, page: undefined });
}

const words = (name: string) => [name, name.replace(/_/g, " ")] as const;

export function MatchFilters({ facets, query }: { facets: Facets; query: Query }) {
  const rare = ["status", "ending", "kind", "min_moves", "max_moves"];
  const active = Object.keys(matchQuery(query)).filter((name) => !["sort", "order", "after"].includes(name)).length;
  const [more, setMore] = useState(() => rare.some((name) => query[name]));
  return (
    <Filters title="Filters" active={active}>
      <Select
        label="Player"
        none="Anyone"
        value={query.player}
        options={facets.entrants}
        onChange={(player) => filter({ player, result: player ? query.result : undefined })}
      />
      <Select
        label="Against"
        none="Anyone"
        value={query.opponent}
        options={facets.entrants}
        onChange={(opponent) => filter({ opponent })}
      />
      {query.player && (
        <Select
          label="Result"
          none="Any"
          value={query.result}
          options={["win", "draw", "loss"]}
          onChange={(result) => filter({ result })}
        />
      )}
      {facets.games.length > 1 && (
        <Select
          label="Game"
          none="Any"
          value={query.game}
          options={facets.games}
          onChange={(game) => filter({ game })}
        />
      )}
      {Object.entries(facets.factors).map(([factor, levels]) => (
        <Select
          key={factor}
          label={factorName(factor)}
          none="Any"
          value={query[`factor.${factor}`]}
          options={levels}
          onChange={(level) => filter({ [`factor.${factor}`]: level })}
        />
      ))}
      <Input
        label="Text"
        type="search"
        value={query.q}
        onChange={(q) => filter({ q })}
        placeholder="in moves and answers"
      />
      {more ? (
        <RareFilters facets={facets} query={query} />
      ) : (
        <button type="button" class="quiet" onClick={() => setMore(true)}>
          More filters
        </button>
      )}
    </Filters>
  );
}

function RareFilters({ facets, query }: { facets: Facets; query: Query }) {
  const endings = facets.endings.filter((ending) => !STATUSES.includes(ending)).map(words);
  return (
    <>
      <Select
        label="Outcome"
        none="Any"
        value={query.status}
        options={STATUSES}
        onChange={(status) => filter({ status })}
      />
      <Select
        label="How it ended"
        none="Any"
        value={query.ending}
        options={endings}
        onChange={(ending) => filter({ ending })}
      />
      {facets.kinds.length > 0 && (
        <Select
          label="Bad answers"
          none="Any"
          value={query.kind}
          options={facets.kinds.map(words)}
          onChange={(kind) => filter({ kind })}
        />
      )}
      <Input
        label="Moves from"
        type="number"
        value={query.min_moves}
        onChange={(min_moves) => filter({ min_moves })}
        size={4}
      />
      <Input
        label="Moves to"
        type="number"
        value={query.max_moves}
        onChange={(max_moves) => filter({ max_moves })}
        size={4}
      />
    </>
  );
}
