// Made by `npm run types` from the shapes in src/ludometer/web/shapes.py. Not to be edited.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Analysis
         * @description GET /api/runs/{run}/matches/{match}/values.
         */
        Analysis: {
            /** Evaluators */
            evaluators: string[];
            /** Values */
            values: components["schemas"]["MoveValue"][];
        };
        /**
         * AttemptShape
         * @description One attempt, in the order of the log.
         */
        AttemptShape: {
            /** At */
            at: number;
            /** Attempt */
            attempt: number;
            /** Calls */
            calls: number;
            /** Cost */
            cost: number | null;
            /** Draw */
            draw: string | null;
            /** Hidden */
            hidden: boolean;
            /** Input Tokens */
            input_tokens: number | null;
            /** Kind */
            kind: string;
            /** Notation */
            notation: string | null;
            /** Output Tokens */
            output_tokens: number | null;
            /** Rationale */
            rationale: string;
            /** Reason */
            reason: string;
            /** Reasoning Tokens */
            reasoning_tokens: number | null;
            /** Resign */
            resign: boolean;
            /** Seat */
            seat: string;
            /** Seconds */
            seconds: number;
            /** Status */
            status: string;
            /** Text */
            text: string;
        };
        /**
         * Board
         * @description GET /api/runs/{run}/leaderboard?game=&counting=headline|played&factor.NAME=LEVEL.
         */
        Board: {
            /**
             * Adjusted In
             * @enum {string}
             */
            adjusted_in: "score" | "bb_100";
            /** Left Out */
            left_out: {
                [key: string]: number;
            };
            /** Method */
            method: string;
            /** Missing */
            missing: string | null;
            /** Notes */
            notes: string[];
            /** Rated */
            rated: number;
            /** Rows */
            rows: components["schemas"]["BoardRow"][];
            /** Seat Effects */
            seat_effects: {
                [key: string]: unknown;
            }[];
        };
        /**
         * BoardRow
         * @description An entrant in the leaderboard. Each estimate has its interval and its n.
         */
        BoardRow: {
            /** Adjusted */
            adjusted: number | null;
            /** Adjusted High */
            adjusted_high: number | null;
            /** Adjusted Low */
            adjusted_low: number | null;
            /** Adjusted N */
            adjusted_n: number;
            /** Attempts */
            attempts: number;
            /** Calls */
            calls: number;
            /** Cost */
            cost: number | null;
            /** Entrant */
            entrant: string;
            /** Family */
            family: string | null;
            /** Games */
            games: number;
            /** Input Tokens */
            input_tokens: number | null;
            /** Latency */
            latency: number | null;
            /** Model */
            model: boolean;
            /** Output Tokens */
            output_tokens: number | null;
            /** Rank Best */
            rank_best: number | null;
            /** Rank Worst */
            rank_worst: number | null;
            /** Rating */
            rating: number | null;
            /** Rating High */
            rating_high: number | null;
            /** Rating Low */
            rating_low: number | null;
            /** Reasoning Tokens */
            reasoning_tokens: number | null;
            /** Regret */
            regret: number | null;
            /** Regret High */
            regret_high: number | null;
            /** Regret Low */
            regret_low: number | null;
            /** Regret N */
            regret_n: number;
            /** Score */
            score: number | null;
            /** Score Games */
            score_games: number;
            /** Score High */
            score_high: number | null;
            /** Score Low */
            score_low: number | null;
            /** Seats */
            seats: components["schemas"]["SeatCounts"][];
            /** Valid */
            valid: number | null;
            /** Valid High */
            valid_high: number | null;
            /** Valid Low */
            valid_low: number | null;
        };
        /**
         * Catalogue
         * @description GET /api/catalogue: what a run can be made of. No key is in it, only whether one is set.
         */
        Catalogue: {
            /** Answers */
            answers: string[];
            /** Games */
            games: components["schemas"]["CatalogueGame"][];
            /** Players */
            players: components["schemas"]["PlayerOption"][];
            /** Presets */
            presets: components["schemas"]["PresetOption"][];
            /** Providers */
            providers: {
                [key: string]: string;
            }[];
            /** Strategies */
            strategies: string[];
        };
        /** CatalogueGame */
        CatalogueGame: {
            /** Description */
            description: string;
            /** Name */
            name: string;
            /** Officials */
            officials: string[];
            /** Options */
            options: {
                [key: string]: unknown;
            }[];
            /** Players */
            players: [
                number,
                number
            ];
            /** Seats */
            seats: {
                [key: string]: string;
            }[];
            /** Title */
            title: string;
            /** Views */
            views: string[];
        };
        /**
         * ControlRequest
         * @description POST /api/runs/{run}/control. ``pause`` asks nothing more and records the answers on their way; ``stop`` ends the
         *     process at once (nothing recorded is lost); ``resume`` goes on.
         */
        ControlRequest: {
            /**
             * Action
             * @enum {string}
             */
            action: "pause" | "resume" | "stop";
        };
        /**
         * Counts
         * @description Matches of a run by what became of them. ``not_needed``: the run is decided without them (``stop_when``).
         */
        Counts: {
            /** Canceled */
            canceled: number;
            /** Completed */
            completed: number;
            /** Forfeit */
            forfeit: number;
            /** Not Needed */
            not_needed: number;
            /** Total */
            total: number;
            /** Unfinished */
            unfinished: number;
            /** Void */
            void: number;
        };
        /**
         * Draft
         * @description POST /api/draft and POST /api/runs: a configuration as in TOML (see docs/configuration.md).
         */
        Draft: {
            /** Config */
            config: {
                [key: string]: unknown;
            };
            /** Name */
            name?: string | null;
        };
        /**
         * DraftAnswer
         * @description The TOML that the command line runs just the same, and what it would take; or the one thing that is wrong.
         */
        DraftAnswer: {
            /** Command */
            command?: string | null;
            estimate: components["schemas"]["Estimated"] | null;
            /** File */
            file?: string | null;
            /** Problem */
            problem: string | null;
            /** Run */
            run: string | null;
            /** Toml */
            toml: string;
        };
        /** Estimated */
        Estimated: {
            /** Matches */
            matches: number;
            /** Model Matches */
            model_matches: number;
            /** Models */
            models: {
                [key: string]: unknown;
            }[];
            /** Notes */
            notes: string[];
            /** Schedule */
            schedule: {
                [key: string]: unknown;
            }[];
        };
        /**
         * ExchangeShape
         * @description A call to a model. GET /api/runs/{run}/matches/{match}/calls/{step}/{seat}/{attempt} lists an attempt's.
         */
        ExchangeShape: {
            /** Answer */
            answer: string | null;
            /** Cached Input Tokens */
            cached_input_tokens: number | null;
            /** Cost */
            cost: number | null;
            /** Failures */
            failures: string[];
            /** Finish Reason */
            finish_reason: string;
            /** Input Tokens */
            input_tokens: number | null;
            /** Latency */
            latency: number;
            /** Messages */
            messages: components["schemas"]["MessageShape"][];
            /** Model */
            model: string | null;
            /** N */
            n: string;
            /**
             * Output Schema
             * @description the JSON schema that was asked for
             */
            output_schema?: unknown;
            /** Output Tokens */
            output_tokens: number | null;
            /** Raw */
            raw: string | null;
            /** Reasoning */
            reasoning: string | null;
            /** Reasoning Tokens */
            reasoning_tokens: number | null;
            /** Refusal */
            refusal: string | null;
            /** Tool Arguments */
            tool_arguments: string | null;
        };
        /**
         * Facets
         * @description What matches and tables can be filtered by. ``factors`` maps a factor of the conditions to its levels.
         */
        Facets: {
            /** Endings */
            endings: string[];
            /** Entrants */
            entrants: string[];
            /** Factors */
            factors: {
                [key: string]: string[];
            };
            /** Games */
            games: string[];
            /** Kinds */
            kinds: string[];
        };
        /**
         * Head
         * @description What an error answers, whatever the route: one sentence.
         */
        Head: {
            /** Detail */
            detail: string;
        };
        /**
         * HeadCell
         * @description Row entrant against column entrant: the row's score with its interval; null score where they never met.
         */
        HeadCell: {
            /** Canceled */
            canceled: number;
            /** Column */
            column: string;
            /** Counted */
            counted: number;
            /** Draws */
            draws: number;
            /** Forfeits */
            forfeits: number;
            /** Games */
            games: number;
            /** High */
            high: number | null;
            /** Losses */
            losses: number;
            /** Low */
            low: number | null;
            /** Row */
            row: string;
            /** Score */
            score: number | null;
            /** Wins */
            wins: number;
        };
        /**
         * HeadToHead
         * @description GET /api/runs/{run}/matrix (filters as of the leaderboard; figures=false leaves out the figures, which may take a
         *     moment to draw). ``figures``: the figures of the run's report and preset, drawn: title, svg, words.
         */
        HeadToHead: {
            /** Cells */
            cells: components["schemas"]["HeadCell"][];
            /** Entrants */
            entrants: string[];
            /** Figures */
            figures: {
                [key: string]: string;
            }[];
            /** Notes */
            notes: string[];
        };
        /** LiveMatch */
        LiveMatch: {
            /** Finished */
            finished: boolean;
            /** Game */
            game: string;
            /** Headline */
            headline: string;
            /** Id */
            id: string;
            last: components["schemas"]["AttemptShape"] | null;
            /** Ply */
            ply: number;
            position: components["schemas"]["Position"] | null;
            /** Seats */
            seats: components["schemas"]["SeatShape"][];
        };
        /**
         * MatchDetail
         * @description GET /api/runs/{run}/matches/{match}.
         */
        MatchDetail: {
            entry: components["schemas"]["MatchEntry"];
            /** Headline */
            headline: string;
            /** Links */
            links: {
                [key: string]: string | null;
            };
            /** Opening */
            opening: string[];
            /** Plies */
            plies: number;
            /** Policy */
            policy: {
                [key: string]: unknown;
            };
            /** Public Only */
            public_only: boolean;
            /** Rules */
            rules: string;
            /** Steps */
            steps: components["schemas"]["Step"][];
            /** Viewers */
            viewers: string[];
            /** Views */
            views: string[];
        };
        /**
         * MatchEntry
         * @description A match in a list.
         */
        MatchEntry: {
            /** Attempts */
            attempts: number | null;
            /** Bad Attempts */
            bad_attempts: number | null;
            /** Condition */
            condition: {
                [key: string]: unknown;
            };
            /** Ending */
            ending: string | null;
            /** Finished */
            finished: number | null;
            /** Game */
            game: string;
            /** Group */
            group: string;
            /** Id */
            id: string;
            /** Moves */
            moves: number | null;
            /** Number */
            number: number;
            /** Offender */
            offender: string | null;
            /** Options */
            options: {
                [key: string]: unknown;
            };
            /** Seats */
            seats: components["schemas"]["SeatShape"][];
            /** Seconds */
            seconds: number | null;
            /** Status */
            status: string;
            /** Why */
            why: string | null;
        };
        /**
         * MatchPage
         * @description GET /api/runs/{run}/matches?player=&opponent=&game=&result=win|draw|loss&status=&ending=&kind=&min_moves=
         *     &max_moves=&q=&factor.NAME=LEVEL&sort=number|moves|bad_attempts|seconds|finished&order=asc|desc&after=&size=.
         *
         *     ``result`` is the result of ``player``. ``q`` looks into moves, answers, rationales and reasons. ``after`` is the
         *     opaque ``next`` of the page before.
         */
        MatchPage: {
            /** Matches */
            matches: components["schemas"]["MatchEntry"][];
            /** Next */
            next: string | null;
            /** Note */
            note?: string | null;
            /** Total */
            total: number | null;
        };
        /** MessageShape */
        MessageShape: {
            /** Images */
            images: string[];
            /** Role */
            role: string;
            /** Text */
            text: string;
        };
        /**
         * MoveValue
         * @description What `ludometer analyze` says of one decision; ``values`` maps an action to its expected score in [0, 1].
         */
        MoveValue: {
            /** Action */
            action: string;
            /** Actions */
            actions: number;
            /** Attempt */
            attempt: number;
            /** Best */
            best: number;
            /** Best Actions */
            best_actions: string[];
            /** Error */
            error: number | null;
            /** Evaluator */
            evaluator: string;
            /** Exact */
            exact: boolean;
            /** Ply */
            ply: number;
            /** Rank */
            rank: number;
            /** Regret */
            regret: number;
            /** Seat */
            seat: string;
            /** Step */
            step: number;
            /** Value */
            value: number;
            /** Values */
            values: {
                [key: string]: number;
            };
        };
        /**
         * Play
         * @description GET /api/play/{id}?key=SECRET: the game as this person's seat sees it; events under /api/play/{id}/events.
         */
        Play: {
            /** Board */
            board: {
                [key: string]: unknown;
            } | null;
            /** Can Draw */
            can_draw: boolean;
            /** Can Resign */
            can_resign: boolean;
            /** Draw Offered */
            draw_offered: boolean;
            /** Events */
            events: string[];
            /** Free Text */
            free_text: boolean;
            /** Game */
            game: string;
            /** Headline */
            headline: string;
            /** Hint */
            hint: string;
            /** Id */
            id: string;
            /** Legal */
            legal: {
                [key: string]: unknown;
            }[] | null;
            /** Match */
            match: string;
            /** Moves */
            moves: {
                [key: string]: string;
            }[];
            /** Multiline */
            multiline: boolean;
            /** Over */
            over: boolean;
            /** People */
            people: {
                [key: string]: boolean;
            };
            /** Ply */
            ply: number;
            /** Recorded */
            recorded: string[];
            /** Refused */
            refused: string | null;
            /** Rules */
            rules: string;
            /** Run */
            run: string;
            /** Seat */
            seat: string;
            /** Seats */
            seats: components["schemas"]["SeatShape"][];
            /** Svg */
            svg: string | null;
            /** Text */
            text: string;
            /** Title */
            title: string;
            /** To Act */
            to_act: string[];
            /** Your Turn */
            your_turn: boolean;
        };
        /**
         * PlayMove
         * @description POST /api/play/{id}/move?key=SECRET: a move as text in the game's notation, or an action by its name.
         */
        PlayMove: {
            /** Action */
            action?: string | null;
            /** Draw */
            draw?: ("offer" | "accept") | null;
            /**
             * Resign
             * @default false
             */
            resign: boolean;
            /** Text */
            text?: string | null;
        };
        /**
         * PlayRequest
         * @description POST /api/play. ``seats`` holds one player spec per seat in order; "human" is a person, by a link of its own.
         */
        PlayRequest: {
            /** Game */
            game: string;
            /**
             * Names
             * @default {}
             */
            names: {
                [key: string]: string;
            };
            /**
             * Officials
             * @default {}
             */
            officials: {
                [key: string]: string;
            };
            /**
             * Options
             * @default {}
             */
            options: {
                [key: string]: unknown;
            };
            /**
             * Policy
             * @default {}
             */
            policy: {
                [key: string]: unknown;
            };
            /** Seats */
            seats: string[];
            /** Seed */
            seed?: number | null;
        };
        /**
         * PlayStarted
         * @description ``links`` maps every person's seat to the secret that opens it: /#/play/ID/SECRET.
         */
        PlayStarted: {
            /** Id */
            id: string;
            /** Links */
            links: {
                [key: string]: string;
            };
            /** Match */
            match: string;
            /** Recorded */
            recorded: string[];
            /** Run */
            run: string;
        };
        /**
         * PlayerOption
         * @description A player that can be chosen. ``ready`` is null, or one sentence that says what is missing (a key's NAME).
         */
        PlayerOption: {
            /** Description */
            description: string;
            /** Games */
            games: string[] | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "built-in" | "local" | "model";
            /** Ready */
            ready: string | null;
            /** Spec */
            spec: string;
            /** Title */
            title: string;
        };
        /**
         * Position
         * @description GET /api/runs/{run}/matches/{match}/positions/{ply}?viewer=public|full|SEAT: a state as a viewer sees it.
         */
        Position: {
            /** Board */
            board: {
                [key: string]: unknown;
            } | null;
            /** Last */
            last: {
                [key: string]: string;
            };
            /** Ply */
            ply: number;
            /** Svg */
            svg: string | null;
            /** Text */
            text: string;
            /** To Act */
            to_act: string[];
            /** Viewer */
            viewer: string;
        };
        /**
         * PresetOption
         * @description A preset to start from. ``keys`` maps the NAMES of the variables with the keys that its models need to whether
         *     they are set.
         */
        PresetOption: {
            /** Config */
            config: {
                [key: string]: unknown;
            };
            /** Description */
            description: string;
            /** Keys */
            keys: {
                [key: string]: boolean;
            };
            /** Name */
            name: string;
            /** Toml */
            toml: string;
        };
        /**
         * ReportPage
         * @description GET /api/runs/{run}/report: the sections of the written report as our own markup, without scripts.
         */
        ReportPage: {
            /** Sections */
            sections: {
                [key: string]: string;
            }[];
            /** Style */
            style: string;
        };
        /**
         * RunDetail
         * @description GET /api/runs/{run}.
         */
        RunDetail: {
            /** Config */
            config: {
                [key: string]: unknown;
            };
            entry: components["schemas"]["RunEntry"];
            facets: components["schemas"]["Facets"];
            /** Has Moves */
            has_moves: boolean;
            /** Has Values */
            has_values: boolean;
            /** Methods */
            methods: string;
            /** Notes */
            notes: string[];
        };
        /**
         * RunEntry
         * @description A run in the list. ``id`` names it in every path; it never holds a slash.
         */
        RunEntry: {
            /** Calls */
            calls: number;
            /** Cost */
            cost: number | null;
            counts: components["schemas"]["Counts"];
            /** Created */
            created: number | null;
            /** Description */
            description: string;
            /** Entrants */
            entrants: number;
            /** Games */
            games: string[];
            /** Id */
            id: string;
            /** Last */
            last: number | null;
            /** Name */
            name: string;
            /** Place */
            place: string;
            /** Playing */
            playing: boolean;
            /** Problem */
            problem: string | null;
            /** Started Here */
            started_here: boolean;
        };
        /**
         * RunList
         * @description GET /api/runs, the latest first.
         */
        RunList: {
            /** Folder */
            folder: string;
            /** Places */
            places: components["schemas"]["RunPlace"][];
            /** Runs */
            runs: components["schemas"]["RunEntry"][];
        };
        /**
         * RunPlace
         * @description Where runs are looked for: a folder, by the last part of its path, or a database, by its address without its
         *     password.
         */
        RunPlace: {
            /** Name */
            name: string;
            /** Problem */
            problem: string | null;
        };
        /**
         * SamePosition
         * @description GET /api/runs/{run}/matches/{match}/same/{step}/{seat}: what others answered in the same position.
         */
        SamePosition: {
            /** Attempts */
            attempts: components["schemas"]["AttemptShape"][];
            /** Entrant */
            entrant: string;
            /** Match */
            match: string;
            /** Seat */
            seat: string;
            /** Step */
            step: number;
        };
        /**
         * SeatCounts
         * @description Of one entrant in one seat.
         */
        SeatCounts: {
            /** Canceled */
            canceled: number;
            /** Draws */
            draws: number;
            /** Forfeited To */
            forfeited_to: number;
            /** Forfeits */
            forfeits: number;
            /** Losses */
            losses: number;
            /** Seat */
            seat: string;
            /** Wins */
            wins: number;
        };
        /** SeatShape */
        SeatShape: {
            /** Entrant */
            entrant: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "contestant" | "official";
            /** Payoff */
            payoff: number | null;
            /** Score */
            score: number | null;
            /** Seat */
            seat: string;
            /** Title */
            title: string;
        };
        /**
         * Session
         * @description GET /api/session: what this page can do. ``live`` is false in a static report, where nothing can be started.
         */
        Session: {
            /** Can Run */
            can_run: boolean;
            /** Folder */
            folder: string;
            /** Live */
            live: boolean;
            /** Reach */
            reach: string | null;
            /** Run */
            run: string | null;
            /** Version */
            version: string;
        };
        /**
         * Step
         * @description One step of a match. ``ply`` is 1 for the first step; position 0 is the start (after a forced opening).
         */
        Step: {
            /** Attempts */
            attempts: components["schemas"]["AttemptShape"][];
            /** Moves */
            moves: {
                [key: string]: string;
            };
            /** Ply */
            ply: number;
            /** Step */
            step: number;
            /** Substituted */
            substituted: string[];
        };
        /**
         * Wall
         * @description GET /api/runs/{run}/live: the matches at play and the latest finished ones.
         *
         *     GET /api/runs/{run}/events is a stream of server-sent events: ``counts`` (Counts), ``attempt``
         *     ({"match", "step", "seat", "attempt": AttemptShape}), ``match`` (LiveMatch), ``run`` (RunEntry), ``ping``. It reads
         *     the database, so that a run is seen whatever process plays it. Every event has an id; Last-Event-ID resumes.
         */
        Wall: {
            entry: components["schemas"]["RunEntry"];
            /** Matches */
            matches: components["schemas"]["LiveMatch"][];
            /** Public Only */
            public_only: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
