// The table of screens. The first pattern that fits a path wins.
import type { ComponentType } from "preact";
import { HeadToHead } from "./screens/HeadToHead";
import { Leaderboard } from "./screens/Leaderboard";
import { Live } from "./screens/Live";
import { Matches } from "./screens/Matches";
import { NewRun } from "./screens/NewRun";
import { Play } from "./screens/Play";
import { PlayTable } from "./screens/PlayTable";
import { Replay } from "./screens/Replay";
import { Report } from "./screens/Report";
import { Runs } from "./screens/Runs";

export interface ScreenProps {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export interface Route {
  readonly pattern: string;
  readonly title: string;
  readonly screen: ComponentType<ScreenProps>;
  /** The tab of a run that is marked while this screen is open. */
  readonly tab?: string;
}

export const routes: readonly Route[] = [
  { pattern: "/", title: "Runs", screen: Runs },
  { pattern: "/run/:run", title: "Leaderboard", screen: Leaderboard, tab: "leaderboard" },
  { pattern: "/run/:run/matrix", title: "Head to head", screen: HeadToHead, tab: "matrix" },
  { pattern: "/run/:run/matches", title: "Matches", screen: Matches, tab: "matches" },
  { pattern: "/run/:run/match/:match/:ply?", title: "Match", screen: Replay, tab: "matches" },
  { pattern: "/run/:run/live", title: "Live", screen: Live, tab: "live" },
  { pattern: "/new", title: "New run", screen: NewRun },
  { pattern: "/play", title: "Play", screen: Play },
  { pattern: "/play/:id/:key", title: "Play", screen: PlayTable },
  { pattern: "/run/:run/report", title: "Report", screen: Report, tab: "report" },
];
