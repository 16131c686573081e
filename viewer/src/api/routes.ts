// The paths of the API with the type of what each answers.
import type { Query } from "./source";
import type * as shape from "./types";

/** What can be asked for: a path, a query, and (for the compiler alone) the type of the answer. */
export interface Resource<T> {
  readonly path: string;
  readonly query: Query;
  readonly answers?: T;
}

function resource<T>(path: string, query: Query = {}): Resource<T> {
  return { path, query };
}

const part = encodeURIComponent;
const ofRun = (run: string) => `/api/runs/${part(run)}`;
const ofMatch = (run: string, match: string) => `${ofRun(run)}/matches/${part(match)}`;

export const api = {
  session: () => resource<shape.Session>("/api/session"),
  runs: () => resource<shape.RunList>("/api/runs"),
  run: (run: string) => resource<shape.RunDetail>(ofRun(run)),
  leaderboard: (run: string, query: Query) => resource<shape.Leaderboard>(`${ofRun(run)}/leaderboard`, query),
  matrix: (run: string, query: Query) => resource<shape.HeadToHead>(`${ofRun(run)}/matrix`, query),
  report: (run: string) => resource<shape.ReportPage>(`${ofRun(run)}/report`),
  matches: (run: string, query: Query) => resource<shape.MatchPage>(`${ofRun(run)}/matches`, query),
  match: (run: string, match: string) => resource<shape.MatchDetail>(ofMatch(run, match)),
  position: (run: string, match: string, ply: number, viewer: string) =>
    resource<shape.Position>(`${ofMatch(run, match)}/positions/${ply}`, { viewer }),
  calls: (run: string, match: string, step: number, seat: string, attempt: number) =>
    resource<shape.ExchangeShape[]>(`${ofMatch(run, match)}/calls/${step}/${part(seat)}/${attempt}`),
  values: (run: string, match: string) => resource<shape.Analysis>(`${ofMatch(run, match)}/values`),
  same: (run: string, match: string, step: number, seat: string) =>
    resource<shape.SamePosition[]>(`${ofMatch(run, match)}/same/${step}/${part(seat)}`),
  live: (run: string) => resource<shape.Wall>(`${ofRun(run)}/live`),
  catalogue: () => resource<shape.Catalogue>("/api/catalogue"),
  play: (id: string, key: string) => resource<shape.Play>(`/api/play/${part(id)}`, { key }),
};

/** Paths that are listened to or posted to. */
export const paths = {
  events: (run: string) => `${ofRun(run)}/events`,
  control: (run: string) => `${ofRun(run)}/control`,
  runs: "/api/runs",
  draft: "/api/draft",
  plays: "/api/play",
  move: (id: string) => `/api/play/${part(id)}/move`,
  playEvents: (id: string) => `/api/play/${part(id)}/events`,
};
