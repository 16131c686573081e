// A static page as a source: the answers that were embedded when it was written.
import type { MatchDetail, MatchEntry, MatchPage, Session } from "./types";
import { selectMatches } from "./select";
import { keyOf, Problem, type Query, type Source } from "./source";

/** What `ludometer report` embeds. The keys of `responses` are paths with their query, as `keyOf` writes them. */
export interface Embedded {
  readonly session: Session;
  readonly responses: Readonly<Record<string, unknown>>;
}

const ELEMENT = "ludometer-data";
const MATCHES = /^\/api\/runs\/[^/]+\/matches$/;

export class StaticSource implements Source {
  readonly live = false;

  constructor(private readonly embedded: Embedded) {}

  get<T>(path: string, query: Query = {}): Promise<T> {
    const found = this.find(path, query);
    return found === undefined ? Promise.reject(new Problem(404, missing(path))) : Promise.resolve(found as T);
  }

  post<T>(): Promise<T> {
    return Promise.reject(new Problem(403, "This is a written page: `ludometer view` can start runs and games."));
  }

  events(): () => void {
    return () => undefined;
  }

  private find(path: string, query: Query): unknown {
    if (path === "/api/session") return this.embedded.session;
    if (MATCHES.test(path)) return this.matches(path, query);
    const found = this.embedded.responses[keyOf(path, query)];
    if (typeof found !== "string") return found;
    // A text is the key of an answer that says the same: a position that two viewers see alike.
    const same = this.embedded.responses[found] as object;
    return query.viewer === undefined ? same : { ...same, viewer: query.viewer };
  }

  /** The page of matches for a query, selected here from the whole list. */
  private matches(path: string, query: Query): MatchPage | undefined {
    const whole = this.embedded.responses[path] as MatchPage | undefined;
    if (!whole) return undefined;
    const detail = (entry: MatchEntry) =>
      this.embedded.responses[`${path}/${encodeURIComponent(entry.id)}`] as MatchDetail | undefined;
    return { ...selectMatches(whole.matches, query, detail), note: whole.note ?? null };
  }
}

function missing(path: string): string {
  const rest = "`ludometer view` shows it.";
  if (/\/(leaderboard|matrix)$/.test(path)) return `This selection is not part of the written page; ${rest}`;
  if (/\/matches\//.test(path)) return `The moves of this match are not part of the written page; ${rest}`;
  return `This is not part of the written page; ${rest}`;
}

/** The data embedded in this document, or null where there is none and a server is to be asked. */
export async function embeddedData(page: Document): Promise<Embedded | null> {
  const text = page.getElementById(ELEMENT)?.textContent?.trim();
  if (!text) return null;
  const json = text.startsWith("{") ? text : await inflated(text);
  return JSON.parse(json) as Embedded;
}

/** Undoes base64 and gzip. */
async function inflated(text: string): Promise<string> {
  const binary = atob(text.replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}
