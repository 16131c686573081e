// The leaderboard of a run.
import { api } from "../api/routes";
import type { BoardRow, Leaderboard as Shape, RunDetail } from "../api/types";
import { useResource } from "../api/useResource";
import { plural } from "../format";
import { Choices, Select } from "../parts/Fields";
import { Filters } from "../parts/Filters";
import { SeatEffects } from "../parts/SeatEffects";
import { Await, Empty } from "../parts/States";
import { parseSort, sorted, sortText, Table } from "../parts/Table";
import { TableFilters, tableQuery } from "../parts/TableFilters";
import { PlainText } from "../parts/TextBlock";
import { useNarrow } from "../parts/useNarrow";
import { href, setQuery } from "../router";
import { plain } from "../text";
import { useRunDetail } from "../run";
import type { ScreenProps } from "../routes";
import { columnsFor, GROUPS } from "./leaderboardColumns";

type Query = ScreenProps["query"];

export function Leaderboard({ params, query }: ScreenProps) {
  const run = params.run ?? "";
  const detail = useRunDetail();
  const playing = detail.data?.entry.playing ?? false;
  const board = useResource(api.leaderboard(run, tableQuery(query)), playing ? 10 : undefined);
  return (
    <Await asked={detail} what="Reading the run">
      {(found) =>
        found.entry.problem ? (
          <Empty title="This run cannot be read">{found.entry.problem}</Empty>
        ) : (
          <>
            <h2 class="unseen">Leaderboard</h2>
            <Await asked={board} what="Computing ratings">
              {(shape) => <Standing run={run} detail={found} shape={shape} query={query} />}
            </Await>
          </>
        )
      }
    </Await>
  );
}

interface StandingProps {
  readonly run: string;
  readonly detail: RunDetail;
  readonly shape: Shape;
  readonly query: Query;
}

function Standing({ run, detail, shape, query }: StandingProps) {
  const narrow = useNarrow();
  const columns = columnsFor(shape, (row) => <Entrant run={run} row={row} query={query} />);
  const groups = GROUPS.filter(([id]) => columns.some((column) => column.group === id));
  const shown = (
    query.columns ??
    (narrow
      ? "results"
      : groups
          .map(([id]) => id)
          .filter((id) => id !== "seats")
          .join(","))
  ).split(",");
  const visible = columns.filter((column) => !column.group || shown.includes(column.group));
  const sort = parseSort(query.sort);
  const rows = sorted(shape.rows, columns, sort);
  const families = shape.rows.some((row) => row.family !== null);
  return (
    <>
      <Filters title="Filters and columns" active={Object.keys(tableQuery(query)).length}>
        <TableFilters facets={detail.facets} query={query} />
        <Choices
          label="Columns"
          chosen={shown}
          options={groups}
          onChange={(chosen) => setQuery({ columns: chosen.join(",") || "none" })}
        />
        {families && (
          <Select
            label="Grouped by"
            none="Nothing"
            value={query.by}
            options={[
              ["family", "Family"],
              ["kind", "Models and others"],
            ]}
            onChange={(by) => setQuery({ by })}
          />
        )}
      </Filters>
      {shape.missing && <p class="note">{shape.missing}</p>}
      {rows.length ? (
        <Table
          rows={rows}
          columns={visible}
          rowKey={(row) => row.entrant}
          caption="Leaderboard"
          sort={sort}
          onSort={(next) => setQuery({ sort: sortText(next) })}
          {...(groupOf(query.by) ? { groupOf: groupOf(query.by)! } : {})}
        />
      ) : (
        <Empty title="Nobody has played yet">The table fills as soon as the first match has ended.</Empty>
      )}
      <Methods shape={shape} />
    </>
  );
}

function groupOf(by: string | undefined): ((row: BoardRow) => string) | null {
  if (by === "family") return (row) => row.family ?? (row.model ? "Other models" : "Players that are no models");
  if (by === "kind") return (row) => (row.model ? "Language models" : "Other players");
  return null;
}

function Entrant({ run, row, query }: { run: string; row: BoardRow; query: Query }) {
  return (
    <a
      href={href(["run", run, "matches"], { player: row.entrant, ...withoutCounting(query) })}
      title={`Matches of ${plain(row.entrant)}`}
    >
      <PlainText text={row.entrant} />
    </a>
  );
}

/** Filters that the list of matches has too. */
function withoutCounting(query: Query): Record<string, string> {
  const { counting: _, ...rest } = tableQuery(query);
  return rest;
}

function Methods({ shape }: { shape: Shape }) {
  const left = Object.entries(shape.left_out).filter(([, n]) => n > 0);
  return (
    <div class="methods">
      <section>
        <h3>How this was computed</h3>
        <p>{shape.method}</p>
        <p>
          {plural(shape.rated, "game")} rated
          {left.length
            ? `; left out: ${left.map(([reason, n]) => `${n} ${reason.replace(/_/g, " ")}`).join(", ")}.`
            : "."}
        </p>
        {shape.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </section>
      <SeatEffects effects={shape.seat_effects} />
    </div>
  );
}
