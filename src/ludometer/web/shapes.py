"""The JSON of the viewer's API. The page in ``viewer/`` gets its types from these models, through OpenAPI.

Rates and scores are shares in [0, 1], ratings points, times seconds (``at``: seconds since 1970, UTC), costs US
dollars. null is what is not known or cannot be measured. No text in here is markup, except fields named ``svg`` and
``html``, which our own code draws and escapes.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Analysis",
    "AttemptShape",
    "Board",
    "BoardRow",
    "Catalogue",
    "CatalogueGame",
    "ControlRequest",
    "Counts",
    "Draft",
    "DraftAnswer",
    "Estimated",
    "ExchangeShape",
    "Facets",
    "HeadCell",
    "HeadToHead",
    "LiveMatch",
    "MatchDetail",
    "MatchEntry",
    "MatchPage",
    "MessageShape",
    "MoveValue",
    "Play",
    "PlayMove",
    "PlayRequest",
    "PlayStarted",
    "PlayerOption",
    "Position",
    "PresetOption",
    "ReportPage",
    "RunDetail",
    "RunEntry",
    "RunList",
    "RunPlace",
    "SamePosition",
    "SeatShape",
    "Session",
    "Step",
    "Wall",
]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


# ---------------------------------------------------------------------- session and runs


class Session(_Shape):
    """GET /api/session: what this page can do. ``live`` is false in a static report, where nothing can be started."""

    version: str
    live: bool
    can_run: bool  # new runs and play
    run: str | None  # the only run there is (a static report, or `ludometer view RUN` with one); else the list
    folder: str  # where runs and games from this page go, as a person calls it; empty where none can
    reach: str | None  # the address at which other devices find the page; null where only this machine can


class Counts(_Shape):
    """Matches of a run by what became of them. ``not_needed``: the run is decided without them (``stop_when``)."""

    total: int
    completed: int
    forfeit: int
    canceled: int
    void: int
    unfinished: int
    not_needed: int


class RunEntry(_Shape):
    """A run in the list. ``id`` names it in every path; it never holds a slash."""

    id: str
    name: str
    place: str  # the folder or the database that it is in, as a person calls it; empty in a static page
    description: str
    games: list[str]
    entrants: int
    counts: Counts
    playing: bool  # some process is at work on it now
    started_here: bool  # ... by this server, which can pause and stop it
    created: float | None
    last: float | None  # when something was last written
    calls: int
    cost: float | None
    problem: str | None  # one sentence where the run cannot be read; all else is then empty


class RunPlace(_Shape):
    """Where runs are looked for: a folder, by the last part of its path, or a database, by its address without its
    password."""

    name: str
    problem: str | None  # one sentence where it cannot be read now


class RunList(_Shape):
    """GET /api/runs, the latest first."""

    runs: list[RunEntry]
    folder: str  # where runs and games from this page go, as a person calls it
    places: list[RunPlace]


class Facets(_Shape):
    """What matches and tables can be filtered by. ``factors`` maps a factor of the conditions to its levels."""

    games: list[str]
    entrants: list[str]
    endings: list[str]
    kinds: list[str]  # kinds of bad answers that occur
    factors: dict[str, list[str]]


class RunDetail(_Shape):
    """GET /api/runs/{run}."""

    entry: RunEntry
    facets: Facets
    config: dict[str, Any]  # as resolved; no keys are ever in it
    methods: str
    notes: list[str]
    has_values: bool  # `ludometer analyze` has run
    has_moves: bool


# ---------------------------------------------------------------------- tables


class SeatCounts(_Shape):
    """Of one entrant in one seat."""

    seat: str
    wins: int
    draws: int
    losses: int
    forfeits: int
    forfeited_to: int
    canceled: int


class BoardRow(_Shape):
    """An entrant in the leaderboard. Each estimate has its interval and its n."""

    entrant: str
    family: str | None
    model: bool
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    rank_best: int | None
    rank_worst: int | None
    games: int  # rated ones
    score: float | None
    score_low: float | None
    score_high: float | None
    score_games: int
    seats: list[SeatCounts]
    valid: float | None  # legal answers / all answers
    valid_low: float | None
    valid_high: float | None
    attempts: int
    input_tokens: float | None  # per call
    output_tokens: float | None
    reasoning_tokens: float | None
    cost: float | None  # total
    latency: float | None  # median seconds of a call
    calls: int
    regret: float | None  # mean, where analyzed
    regret_low: float | None
    regret_high: float | None
    regret_n: int
    adjusted: float | None  # luck-adjusted mean score; poker: big blinds per 100 hands
    adjusted_low: float | None
    adjusted_high: float | None
    adjusted_n: int  # groups of matches with common luck; poker: hands


class Board(_Shape):
    """GET /api/runs/{run}/leaderboard?game=&counting=headline|played&factor.NAME=LEVEL."""

    rows: list[BoardRow]
    rated: int
    method: str
    notes: list[str]
    left_out: dict[str, int]  # games that are not rated, by reason
    missing: str | None  # why there are no ratings
    adjusted_in: Literal["score", "bb_100"]  # what luck-adjusted results count
    seat_effects: list[dict[str, Any]]  # seat, game, points, low, high, games


class HeadCell(_Shape):
    """Row entrant against column entrant: the row's score with its interval; null score where they never met."""

    row: str
    column: str
    games: int
    wins: int
    draws: int
    losses: int
    counted: int  # games that the score is of
    score: float | None
    low: float | None
    high: float | None
    canceled: int
    forfeits: int


class HeadToHead(_Shape):
    """GET /api/runs/{run}/matrix (filters as of the leaderboard; figures=false leaves out the figures, which may take a
    moment to draw). ``figures``: the figures of the run's report and preset, drawn: title, svg, words."""

    entrants: list[str]
    cells: list[HeadCell]
    figures: list[dict[str, str]]
    notes: list[str]


class ReportPage(_Shape):
    """GET /api/runs/{run}/report: the sections of the written report as our own markup, without scripts."""

    sections: list[dict[str, str]]  # id, title, html
    style: str


# ---------------------------------------------------------------------- matches


class SeatShape(_Shape):
    seat: str
    title: str  # "White", "Player 2"
    entrant: str  # of an official: what holds it
    kind: Literal["contestant", "official"]  # a further seat of a contestant (a teacher's prover) is an official here
    score: float | None
    payoff: float | None


class MatchEntry(_Shape):
    """A match in a list."""

    id: str
    number: int
    game: str
    options: dict[str, Any]
    condition: dict[str, Any]
    seats: list[SeatShape]
    status: str
    ending: str | None
    why: str | None
    offender: str | None
    moves: int | None
    attempts: int | None
    bad_attempts: int | None
    group: str
    finished: float | None
    seconds: float | None


class MatchPage(_Shape):
    """GET /api/runs/{run}/matches?player=&opponent=&game=&result=win|draw|loss&status=&ending=&kind=&min_moves=
    &max_moves=&q=&factor.NAME=LEVEL&sort=number|moves|bad_attempts|seconds|finished&order=asc|desc&after=&size=.

    ``result`` is the result of ``player``. ``q`` looks into moves, answers, rationales and reasons. ``after`` is the
    opaque ``next`` of the page before.
    """

    matches: list[MatchEntry]
    total: int | None  # null where counting would take too long
    next: str | None
    note: str | None = None  # one sentence where a search in texts stopped before it had seen everything


class AttemptShape(_Shape):
    """One attempt, in the order of the log."""

    seat: str
    attempt: int
    status: str  # legal, illegal, invalid_format, ...
    kind: str
    reason: str
    notation: str | None
    text: str  # what was answered
    rationale: str
    resign: bool
    draw: str | None
    seconds: float
    at: float
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost: float | None
    hidden: bool  # texts are left out, since a person is at play and only what is public may be shown


class Step(_Shape):
    """One step of a match. ``ply`` is 1 for the first step; position 0 is the start (after a forced opening)."""

    step: int
    ply: int
    attempts: list[AttemptShape]
    moves: dict[str, str]  # seat -> notation in effect
    substituted: list[str]  # seats for which the policy moved


class Position(_Shape):
    """GET /api/runs/{run}/matches/{match}/positions/{ply}?viewer=public|full|SEAT: a state as a viewer sees it."""

    ply: int
    viewer: str
    svg: str | None
    text: str  # the drawn text view
    board: dict[str, Any] | None  # for boards of libraries: {"kind": "chess", "fen": ...} or {"kind": "go", ...}
    to_act: list[str]
    last: dict[str, str]  # moves that led here


class MatchDetail(_Shape):
    """GET /api/runs/{run}/matches/{match}."""

    entry: MatchEntry
    rules: str
    policy: dict[str, Any]
    opening: list[str]
    steps: list[Step]
    plies: int
    viewers: list[str]  # "public", "full" and seats, as far as they may be shown now
    headline: str  # why the game ended, as a sentence; always there
    public_only: bool  # a person is at play
    views: list[str]
    links: dict[str, str | None]  # previous and next match


class MessageShape(_Shape):
    role: str
    text: str
    images: list[str]  # data: URLs of PNG


class ExchangeShape(_Shape):
    """A call to a model. GET /api/runs/{run}/matches/{match}/calls/{step}/{seat}/{attempt} lists an attempt's."""

    n: str
    messages: list[MessageShape]
    output_schema: Any = Field(None, description="the JSON schema that was asked for")
    answer: str | None
    reasoning: str | None
    tool_arguments: str | None
    refusal: str | None
    finish_reason: str
    model: str | None
    input_tokens: int | None
    cached_input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost: float | None
    latency: float
    raw: str | None  # the provider's answer as it came
    failures: list[str]


class MoveValue(_Shape):
    """What `ludometer analyze` says of one decision; ``values`` maps an action to its expected score in [0, 1]."""

    step: int
    ply: int
    seat: str
    attempt: int
    evaluator: str
    action: str
    value: float
    best: float
    best_actions: list[str]
    regret: float
    error: float | None
    exact: bool
    rank: int
    actions: int
    values: dict[str, float]


class Analysis(_Shape):
    """GET /api/runs/{run}/matches/{match}/values."""

    evaluators: list[str]
    values: list[MoveValue]


class SamePosition(_Shape):
    """GET /api/runs/{run}/matches/{match}/same/{step}/{seat}: what others answered in the same position."""

    match: str
    entrant: str
    step: int
    seat: str
    attempts: list[AttemptShape]


# ---------------------------------------------------------------------- live


class LiveMatch(_Shape):
    id: str
    game: str
    seats: list[SeatShape]
    ply: int
    position: Position | None
    last: AttemptShape | None
    finished: bool
    headline: str


class Wall(_Shape):
    """GET /api/runs/{run}/live: the matches at play and the latest finished ones.

    GET /api/runs/{run}/events is a stream of server-sent events: ``counts`` (Counts), ``attempt``
    ({"match", "step", "seat", "attempt": AttemptShape}), ``match`` (LiveMatch), ``run`` (RunEntry), ``ping``. It reads
    the database, so that a run is seen whatever process plays it. Every event has an id; Last-Event-ID resumes.
    """

    entry: RunEntry
    matches: list[LiveMatch]
    public_only: bool


# ---------------------------------------------------------------------- new run


class CatalogueGame(_Shape):
    name: str
    title: str
    description: str
    players: tuple[int, int]
    options: list[dict[str, Any]]  # name, kind (int, float, bool, str, choice, text), default, choices, words
    views: list[str]
    officials: list[str]
    seats: list[dict[str, str]]  # seat and title of every seat at the largest table, in order


class PlayerOption(_Shape):
    """A player that can be chosen. ``ready`` is null, or one sentence that says what is missing (a key's NAME)."""

    spec: str
    title: str
    description: str
    kind: Literal["built-in", "local", "model"]
    ready: str | None
    games: list[str] | None  # null: all


class PresetOption(_Shape):
    """A preset to start from. ``keys`` maps the NAMES of the variables with the keys that its models need to whether
    they are set."""

    name: str
    description: str
    toml: str  # as it comes, with its comments
    config: dict[str, Any]  # the same, for a draft
    keys: dict[str, bool]


class Catalogue(_Shape):
    """GET /api/catalogue: what a run can be made of. No key is in it, only whether one is set."""

    games: list[CatalogueGame]
    players: list[PlayerOption]
    answers: list[str]
    strategies: list[str]
    presets: list[PresetOption]
    providers: list[dict[str, str]]  # name, variable, set (yes or no)


class Draft(_Shape):
    """POST /api/draft and POST /api/runs: a configuration as in TOML (see docs/configuration.md)."""

    config: dict[str, Any]
    name: str | None = None  # of the run's folder


class Estimated(_Shape):
    matches: int
    model_matches: int
    schedule: list[dict[str, Any]]
    models: list[dict[str, Any]]
    notes: list[str]


class DraftAnswer(_Shape):
    """The TOML that the command line runs just the same, and what it would take; or the one thing that is wrong."""

    toml: str
    estimate: Estimated | None
    problem: str | None
    run: str | None  # POST /api/runs: the id of the new run
    file: str | None = None  # ... where its configuration was written
    command: str | None = None  # ... what was started, as one would type it


class ControlRequest(_Shape):
    """POST /api/runs/{run}/control. ``pause`` asks nothing more and records the answers on their way; ``stop`` ends the
    process at once (nothing recorded is lost); ``resume`` goes on."""

    action: Literal["pause", "resume", "stop"]


# ---------------------------------------------------------------------- play


class PlayRequest(_Shape):
    """POST /api/play. ``seats`` holds one player spec per seat in order; "human" is a person, by a link of its own."""

    game: str
    options: dict[str, Any] = {}
    seats: list[str]
    names: dict[str, str] = {}  # seat -> what the person is called in the record
    seed: int | None = None  # null: drawn, so that nobody can know what will be dealt
    policy: dict[str, Any] = {}  # conditions of play, as in a configuration
    officials: dict[str, str] = {}  # player specs by official, where the game has no own


class PlayStarted(_Shape):
    """``links`` maps every person's seat to the secret that opens it: /#/play/ID/SECRET."""

    id: str
    run: str
    match: str
    links: dict[str, str]
    recorded: list[str]  # what is recorded, told before the first move


class Play(_Shape):
    """GET /api/play/{id}?key=SECRET: the game as this person's seat sees it; events under /api/play/{id}/events."""

    id: str
    run: str
    match: str
    game: str
    rules: str
    seat: str
    title: str
    seats: list[SeatShape]
    people: dict[str, bool]  # seats of people -> whether their page is open
    ply: int
    svg: str | None  # what can be clicked has data-action with an action in the game's notation
    text: str
    board: dict[str, Any] | None
    events: list[str]
    your_turn: bool
    to_act: list[str]
    legal: list[dict[str, Any]] | None  # action (notation), parts (for the picker that narrows); null: free text
    hint: str  # how an answer is written
    free_text: bool
    multiline: bool
    moves: list[dict[str, str]]  # seat, notation
    refused: str | None  # why the last answer of this seat was not accepted
    over: bool
    headline: str
    recorded: list[str]
    can_resign: bool
    can_draw: bool
    draw_offered: bool


class PlayMove(_Shape):
    """POST /api/play/{id}/move?key=SECRET: a move as text in the game's notation, or an action by its name."""

    text: str | None = None
    action: str | None = None
    resign: bool = False
    draw: Literal["offer", "accept"] | None = None


class Head(_Shape):
    """What an error answers, whatever the route: one sentence."""

    detail: str
