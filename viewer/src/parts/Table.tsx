// A table of which any column can be sorted by. Groups of columns can be switched on and off; the sort and the groups
// are the caller's, which keeps them in the URL.
import type { ComponentChildren } from "preact";
import { plain } from "../text";

export interface Column<R> {
  readonly id: string;
  readonly head: ComponentChildren;
  /** Said to who cannot see, and shown as a tip: what the column is. */
  readonly words: string;
  readonly cell: (row: R, index: number) => ComponentChildren;
  /** What is sorted by; without it the column cannot be. */
  readonly value?: (row: R) => number | string | null;
  /** Most wanted first: numbers that are better when high. */
  readonly descending?: boolean;
  readonly text?: boolean;
  readonly group?: string;
  readonly class?: string;
}

export interface Sort {
  readonly id: string;
  readonly descending: boolean;
}

/** "-rating" is descending, "latency" ascending. */
export function parseSort(text: string | undefined): Sort | null {
  if (!text) return null;
  return text.startsWith("-") ? { id: text.slice(1), descending: true } : { id: text, descending: false };
}

export function sortText({ id, descending }: Sort): string {
  return descending ? `-${id}` : id;
}

/** Rows in the order of a column; what is not known comes last, equals keep their order. */
export function sorted<R>(rows: readonly R[], columns: readonly Column<R>[], sort: Sort | null): R[] {
  const value = columns.find(({ id }) => id === sort?.id)?.value;
  if (!sort || !value) return [...rows];
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === "string" || typeof y === "string") return sign * String(x).localeCompare(String(y), "en");
    return sign * (x - y);
  });
}

interface Props<R> {
  readonly rows: readonly R[];
  readonly columns: readonly Column<R>[];
  readonly rowKey: (row: R) => string;
  readonly caption: string;
  readonly sort?: Sort | null;
  readonly onSort?: (sort: Sort) => void;
  readonly selected?: string | undefined;
  /** Rows of one group stand together under its name. */
  readonly groupOf?: (row: R) => string;
}

export function Table<R>({ rows, columns, rowKey, caption, sort = null, onSort, selected, groupOf }: Props<R>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={column.value ? onSort : undefined} />
            ))}
          </tr>
        </thead>
        {grouped(rows, groupOf).map(([group, members]) => (
          <tbody key={group}>
            {group && (
              <tr class="group">
                <th scope="rowgroup" colSpan={columns.length}>
                  {plain(group)}
                </th>
              </tr>
            )}
            {members.map((row, index) => (
              <Row
                key={rowKey(row)}
                row={row}
                index={index}
                columns={columns}
                selected={selected && selected === rowKey(row)}
              />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function grouped<R>(rows: readonly R[], groupOf: ((row: R) => string) | undefined): [string, R[]][] {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const name = groupOf?.(row) ?? "";
    const members = groups.get(name);
    if (members) members.push(row);
    else groups.set(name, [row]);
  }
  return [...groups];
}

interface RowProps<R> {
  readonly row: R;
  readonly index: number;
  readonly columns: readonly Column<R>[];
  readonly selected: boolean | string | undefined;
}

function Row<R>({ row, index, columns, selected }: RowProps<R>) {
  return (
    <tr class={selected ? "selected" : undefined}>
      {columns.map((column, at) => {
        const kind = `${column.text ? "t" : "num"} ${column.class ?? ""}`;
        const content = column.cell(row, index);
        return at === 0 ? (
          <th key={column.id} scope="row" class={kind}>
            {content}
          </th>
        ) : (
          <td key={column.id} class={kind}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

interface HeadProps<R> {
  readonly column: Column<R>;
  readonly sort: Sort | null;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function Head<R>({ column, sort, onSort }: HeadProps<R>) {
  const mine = sort?.id === column.id;
  const order = mine ? (sort.descending ? "descending" : "ascending") : undefined;
  const next = { id: column.id, descending: mine ? !sort.descending : (column.descending ?? !column.text) };
  const kind = `${column.text ? "t" : "num"} ${column.class ?? ""}`;
  return (
    <th scope="col" class={kind} aria-sort={order} title={column.words}>
      {onSort ? (
        <button type="button" class="sort" onClick={() => onSort(next)}>
          {column.head}
          {order && (
            <span class="sort-mark" aria-hidden="true">
              {order === "descending" ? "▾" : "▴"}
            </span>
          )}
        </button>
      ) : (
        column.head || <span class="unseen">{column.words}</span>
      )}
    </th>
  );
}
