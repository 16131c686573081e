// The one interface to data. Live it is the server; in a static page it is what was embedded in the file.

export type Query = Readonly<Record<string, string | undefined>>;

/** What went wrong, as one sentence for a person; `status` as of HTTP, 0 where no answer came. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence);
    this.name = "Problem";
  }
}

/** Handlers of server-sent events by their name. `open` and `lost` tell of the connection. */
export interface Listeners {
  readonly on: Readonly<Record<string, (data: never) => void>>;
  readonly open?: () => void;
  readonly lost?: () => void;
}

export interface Source {
  readonly live: boolean;
  /** Throws a `Problem`. */
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  /** Throws a `Problem`; a static source always does. */
  post<T>(path: string, body: unknown, query?: Query): Promise<T>;
  /** Listens until the returned function is called. A static source stays silent. */
  events(path: string, listeners: Listeners, query?: Query): () => void;
}

/** Path and query in one canonical form: empty values left out, names sorted. It is the key of embedded answers. */
export function keyOf(path: string, query: Query = {}): string {
  const pairs = Object.entries(query)
    .filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "")
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length ? `${path}?${pairs.join("&")}` : path;
}

let chosen: Source | undefined;

export function setSource(source: Source): void {
  chosen = source;
}

/** The source of this page; set once before the page is drawn. */
export function source(): Source {
  if (!chosen) throw new Error("no source was set");
  return chosen;
}
