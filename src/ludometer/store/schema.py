"""Tables of a run database. The version goes up with every change that an older program could not read."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, LargeBinary, MetaData, Table, func

from ludometer.store.types import Number, Real, Words

__all__ = [
    "SCHEMA_VERSION",
    "attempts",
    "claims",
    "contents",
    "entrants",
    "exchanges",
    "failures",
    "imported",
    "matches",
    "meta",
    "metadata",
    "move_values",
    "runners",
    "shared",
]

SCHEMA_VERSION = 1

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", Words, primary_key=True),
    Column("value", Words, nullable=False),  # JSON
)

entrants = Table(
    "entrants",
    metadata,
    Column("name", Words, primary_key=True),
    Column("number", Number, nullable=False),
    Column("data", Words, nullable=False),  # JSON of Entrant.to_dict
)

matches = Table(
    "matches",
    metadata,
    Column("id", Words, primary_key=True),
    Column("number", Number, nullable=False, unique=True),
    Column("key", Words, nullable=False),  # what the schedule calls it; planning twice adds nothing
    Column("game", Words, nullable=False),
    Column("options", Words, nullable=False),  # JSON
    Column("condition", Words, nullable=False),  # JSON: the factors of this match
    Column("group", Words, nullable=False),  # duplicate group
    Column("luck", Words, nullable=False),
    Column("seed", Words, nullable=False),
    Column("seats", Words, nullable=False),  # JSON: seat -> entrant, in seat order
    Column("opening", Words),  # JSON: moves made before anybody is asked
    Column("status", Words, nullable=False),  # scheduled | running | void | finished
    Column("ending", Words),
    Column("why", Words),
    Column("offender", Words),
    Column("scores", Words),  # JSON: seat -> score, null where there is none
    Column("payoffs", Words),  # JSON
    Column("moves", Number),  # actions in effect
    Column("attempts", Number),  # all attempts, bad ones counted
    Column("bad_attempts", Number),
    Column("substituted", Number),
    Column("notation", Words),  # the actions in effect, one per line
    Column("started", Real),  # seconds since 1970, UTC
    Column("finished", Real),
    Column("seconds", Real),  # time at play, over all sessions
    Column("voids", Number, nullable=False, default=0),
)
Index("matches_by_status", matches.c.status)
# PostgreSQL's indexes hold no long texts.
Index("matches_by_key", matches.c.key, unique=True).ddl_if(dialect="sqlite")
Index("matches_by_key_digest", func.md5(matches.c.key), unique=True).ddl_if(dialect="postgresql")

attempts = Table(
    "attempts",
    metadata,
    Column("match", Words, primary_key=True),
    Column("step", Number, primary_key=True),
    Column("seat", Words, primary_key=True),
    Column("attempt", Number, primary_key=True),
    Column("ordinal", Number, nullable=False),  # order of submission within the match
    Column("status", Words, nullable=False),
    Column("kind", Words, nullable=False),
    Column("reason", Words, nullable=False),
    Column("notation", Words),
    Column("action", Words),  # JSON
    Column("text", Words, nullable=False),
    Column("rationale", Words, nullable=False),
    Column("resign", Boolean, nullable=False),
    Column("draw", Words),  # offer | accept
    Column("seconds", Real, nullable=False),
    Column("at", Real, nullable=False),
)

exchanges = Table(
    "exchanges",
    metadata,
    Column("match", Words, primary_key=True),
    Column("step", Number, primary_key=True),
    Column("seat", Words, primary_key=True),
    Column("attempt", Number, primary_key=True),
    Column("n", Words, primary_key=True),
    Column("fingerprint", Words, nullable=False),
    Column("request", Words, nullable=False),  # JSON; messages by content hash
    Column("answer", Words),
    Column("reasoning", Words),
    Column("tool_arguments", Words),
    Column("refusal", Words),
    Column("finish_reason", Words, nullable=False),
    Column("model", Words),
    Column("input_tokens", Number),
    Column("cached_input_tokens", Number),
    Column("output_tokens", Number),
    Column("reasoning_tokens", Number),
    Column("cost", Real),  # US dollars; null: unknown
    Column("latency", Real, nullable=False),  # seconds
    Column("raw", Words),  # content hash of the provider's answer as it came
    Column("at", Real, nullable=False),
)

failures = Table(
    "failures",
    metadata,
    Column("id", Number, primary_key=True, autoincrement=True),
    Column("match", Words, nullable=False),
    Column("step", Number, nullable=False),
    Column("seat", Words, nullable=False),
    Column("attempt", Number, nullable=False),
    Column("n", Words, nullable=False),
    Column("error", Words, nullable=False),
    Column("status", Number),
    Column("seconds", Real, nullable=False),
    Column("at", Real, nullable=False),
)

contents = Table(
    "contents",
    metadata,
    Column("hash", Words, primary_key=True),
    Column("media_type", Words, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

imported = Table(
    # What a published table says beside the games themselves, for runs that were imported without moves.
    "imported",
    metadata,
    Column("kind", Words, primary_key=True),
    Column("data", Words, nullable=False),  # JSON
)

move_values = Table(
    # What `ludometer analyze` adds: one row per legal move and evaluator. Runs that were never analyzed lack the table.
    "move_values",
    metadata,
    Column("match", Words, primary_key=True),
    Column("step", Number, primary_key=True),
    Column("seat", Words, primary_key=True),
    Column("attempt", Number, primary_key=True),
    Column("evaluator", Words, primary_key=True),  # its name with all its options
    Column("action", Words, nullable=False),  # the chosen one, in the game's notation
    Column("value", Real, nullable=False),  # expected score of the chosen action, in [0, 1]
    Column("best", Real, nullable=False),  # of the best one
    Column("error", Real),  # standard error of their difference; null: proven, or not known
    Column("exact", Boolean, nullable=False),  # every value of the position is proven
    Column("optimal", Boolean, nullable=False),  # as good as the best, as far as the values tell
    Column("trivial", Boolean, nullable=False),  # every action is as good as every other, as far as the values tell
    Column("rank", Number, nullable=False),  # 1 + the number of better actions
    Column("actions", Number, nullable=False),  # legal ones
    Column("best_actions", Number, nullable=False),  # of them as good as the best
    # JSON: action -> [value, exact, error], in the game's order; with an evaluator that knows them also the standard
    # error of the difference from the best, and a list of the expected scores of all seats after the action.
    Column("values", Words, nullable=False),
)

shared = MetaData()
"""Tables of a database in which several runners work on one run."""

runners = Table(
    "runners",
    shared,
    Column("id", Words, primary_key=True),
    Column("machine", Words, nullable=False),
    Column("process", Number, nullable=False),
    Column("joined", Real, nullable=False),  # seconds since 1970, by the database's clock, as is the next one
    Column("until", Real, nullable=False),  # a runner that has not renewed this by then is taken to be dead
)

claims = Table(
    # The matches that are not finished, and which runner has each of them.
    "claims",
    shared,
    Column("match", Words, primary_key=True),
    Column("number", Number, nullable=False),  # of the match, in schedule order
    Column("runner", Words),
    Column("claim", Number, nullable=False),  # how often it was claimed; who wrote a lower number writes nothing more
    Column("given_up", Words, nullable=False),  # ids of the runners that cannot play it now
)
Index("claims_free", claims.c.number, postgresql_where=claims.c.runner.is_(None))
Index("claims_by_runner", claims.c.runner)
