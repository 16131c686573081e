// The matches of a run, filtered and paged by the server. All of it is in the URL.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { MatchEntry, MatchPage } from "../api/types";
import { useResource } from "../api/useResource";
import { count } from "../format";
import { MatchFilters, matchQuery } from "../parts/MatchFilters";
import { Await, Empty } from "../parts/States";
import { Table, type Sort } from "../parts/Table";
import { useNarrow } from "../parts/useNarrow";
import { go, href, setQuery } from "../router";
import { useRunDetail } from "../run";
import type { ScreenProps } from "../routes";
import { useShortcuts } from "../shortcuts";
import { matchColumns } from "./matchColumns";

// As many as the server sends at a time.
const PAGE = 50;

type Query = ScreenProps["query"];

export function Matches({ params, query }: ScreenProps) {
  const run = params.run ?? "";
  const detail = useRunDetail();
  const page = useResource(api.matches(run, matchQuery(query)), detail.data?.entry.playing ? 5 : undefined);
  return (
    <>
      <h2 class="unseen">Matches</h2>
      {detail.data && <MatchFilters facets={detail.data.facets} query={query} />}
      <Await asked={page} what="Looking for matches">
        {(found) => <Found run={run} page={found} query={query} />}
      </Await>
    </>
  );
}

function Found({ run, page, query }: { run: string; page: MatchPage; query: Query }) {
  const narrow = useNarrow();
  const link = (match: MatchEntry) => href(["run", run, "match", match.id]);
  const selected = useSelection(page.matches, link);
  if (page.matches.length === 0 && !page.next) return <NoMatches query={query} />;
  const sort: Sort = { id: query.sort ?? "number", descending: query.order === "desc" };
  const onSort = ({ id, descending }: Sort) =>
    setQuery({
      sort: id === "number" ? undefined : id,
      order: descending ? "desc" : undefined,
      after: undefined,
      page: undefined,
    });
  return (
    <>
      <p class="muted num">{counted(page, query)}</p>
      {page.note && <p class="note">{page.note}</p>}
      <Table
        rows={page.matches}
        columns={matchColumns(page.matches, link, narrow)}
        rowKey={(match) => match.id}
        caption="Matches"
        sort={sort}
        onSort={onSort}
        selected={selected}
      />
      <Pager page={page} query={query} />
    </>
  );
}

function counted(page: MatchPage, query: Query): string {
  const number = Number(query.page ?? 1);
  const total = page.total === null ? "many matches" : `${count(page.total)} ${page.total === 1 ? "match" : "matches"}`;
  if (number === 1 && !page.next) return total;
  return page.total === null
    ? `${total}, page ${number}`
    : `${total}, page ${number} of ${Math.ceil(page.total / PAGE)}`;
}

function NoMatches({ query }: { query: Query }) {
  const filtered = Object.keys(matchQuery(query)).length > 0;
  return filtered ? (
    <Empty title="No match fits these filters">
      <button
        type="button"
        onClick={() => setQuery(Object.fromEntries(Object.keys(query).map((name) => [name, undefined])))}
      >
        Take all filters away
      </button>
    </Empty>
  ) : (
    <Empty title="No match has been played yet">They are listed as soon as they begin.</Empty>
  );
}

function Pager({ page, query }: { page: MatchPage; query: Query }) {
  const number = Number(query.page ?? 1);
  const next = () => setQuery({ after: page.next ?? undefined, page: String(number + 1) }, { replace: false });
  const first = () => setQuery({ after: undefined, page: undefined }, { replace: false });
  useShortcuts("Pages", [
    ...(page.next ? [{ keys: ["n"], words: "Next page", run: next }] : []),
    ...(number > 1 ? [{ keys: ["p"], words: "First page", run: first }] : []),
  ]);
  if (!page.next && number === 1) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={number === 1} onClick={first}>
        First page
      </button>
      <span class="num">Page {number}</span>
      <button type="button" disabled={!page.next} onClick={next}>
        Next page
      </button>
    </nav>
  );
}

/** The match that the keyboard is at; j and k move, Enter opens. */
function useSelection(matches: readonly MatchEntry[], link: (match: MatchEntry) => string): string | undefined {
  const [at, setAt] = useState(-1);
  const first = matches[0]?.id;
  useEffect(() => setAt(-1), [first]);
  useEffect(() => document.querySelector("tr.selected")?.scrollIntoView({ block: "nearest" }), [at]);
  const match = matches[at];
  useShortcuts("Matches", [
    { keys: ["j"], words: "Next match", run: () => setAt(Math.min(at + 1, matches.length - 1)) },
    { keys: ["k"], words: "Match before", run: () => setAt(Math.max(at - 1, 0)) },
    { keys: ["Enter", "o"], words: "Open the match", run: () => match && go(link(match)) },
    {
      keys: ["/"],
      words: "Search",
      run: () => document.querySelector<HTMLInputElement>("input[type=search]")?.focus(),
    },
  ]);
  return match?.id;
}
