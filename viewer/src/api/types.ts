// Names for the shapes of the API, which `npm run types` makes from the Python side.
import type { components } from "./schema";

type Shapes = components["schemas"];

export type Session = Shapes["Session"];
export type Counts = Shapes["Counts"];
export type RunEntry = Shapes["RunEntry"];
export type RunList = Shapes["RunList"];
export type Facets = Shapes["Facets"];
export type RunDetail = Shapes["RunDetail"];
export type BoardRow = Shapes["BoardRow"];
export type SeatCounts = Shapes["SeatCounts"];
/** The leaderboard; called Board in the shapes. */
export type Leaderboard = Shapes["Board"];
export type HeadCell = Shapes["HeadCell"];
export type HeadToHead = Shapes["HeadToHead"];
export type ReportPage = Shapes["ReportPage"];
export type SeatShape = Shapes["SeatShape"];
export type MatchEntry = Shapes["MatchEntry"];
export type MatchPage = Shapes["MatchPage"];
export type AttemptShape = Shapes["AttemptShape"];
export type Step = Shapes["Step"];
export type Position = Shapes["Position"];
export type MatchDetail = Shapes["MatchDetail"];
export type MessageShape = Shapes["MessageShape"];
export type ExchangeShape = Shapes["ExchangeShape"];
export type MoveValue = Shapes["MoveValue"];
export type Analysis = Shapes["Analysis"];
export type SamePosition = Shapes["SamePosition"];
export type LiveMatch = Shapes["LiveMatch"];
export type Wall = Shapes["Wall"];
export type CatalogueGame = Shapes["CatalogueGame"];
export type PlayerOption = Shapes["PlayerOption"];
export type PresetOption = Shapes["PresetOption"];
export type Catalogue = Shapes["Catalogue"];
export type Draft = Shapes["Draft"];
export type DraftAnswer = Shapes["DraftAnswer"];
export type Estimated = Shapes["Estimated"];
export type ControlRequest = Shapes["ControlRequest"];
export type PlayRequest = Shapes["PlayRequest"];
export type PlayStarted = Shapes["PlayStarted"];
export type Play = Shapes["Play"];
export type PlayMove = Shapes["PlayMove"];
