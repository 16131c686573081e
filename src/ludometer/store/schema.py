"""Tables of a run database. The version goes up with every change that an older program could not read."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

__all__ = [
    "SCHEMA_VERSION",
    "attempts",
    "contents",
    "entrants",
    "exchanges",
    "failures",
    "imported",
    "matches",
    "meta",
    "metadata",
    "move_values",
]

SCHEMA_VERSION = 1

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),  # JSON
)

entrants = Table(
    "entrants",
    metadata,
    Column("name", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("data", Text, nullable=False),  # JSON of Entrant.to_dict
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("key", Text, nullable=False, unique=True),  # what the schedule calls it; planning twice adds nothing
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("condition", Text, nullable=False),  # JSON: the factors of this match
    Column("group", Text, nullable=False),  # duplicate group
    Column("luck", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("seats", Text, nullable=False),  # JSON: seat -> entrant, in seat order
    Column("opening", Text),  # JSON: moves made before anybody is asked
    Column("status", String(16), nullable=False),  # scheduled | running | void | finished
    Column("ending", String(16)),
    Column("why", Text),
    Column("offender", Text),
    Column("scores", Text),  # JSON: seat -> score, null where there is none
    Column("payoffs", Text),  # JSON
    Column("moves", Integer),  # actions in effect
    Column("attempts", Integer),  # all attempts, bad ones counted
    Column("bad_attempts", Integer),
    Column("substituted", Integer),
    Column("notation", Text),  # the actions in effect, one per line
    Column("started", Float),  # seconds since 1970, UTC
    Column("finished", Float),
    Column("seconds", Float),  # time at play, over all sessions
    Column("voids", Integer, nullable=False, default=0),
)
Index("matches_by_status", matches.c.status)

attempts = Table(
    "attempts",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("ordinal", Integer, nullable=False),  # order of submission within the match
    Column("status", String(20), nullable=False),
    Column("kind", String(64), nullable=False),
    Column("reason", Text, nullable=False),
    Column("notation", Text),
    Column("action", Text),  # JSON
    Column("text", Text, nullable=False),
    Column("rationale", Text, nullable=False),
    Column("resign", Boolean, nullable=False),
    Column("draw", String(8)),  # offer | accept
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
)

exchanges = Table(
    "exchanges",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("n", String(64), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("request", Text, nullable=False),  # JSON; messages by content hash
    Column("answer", Text),
    Column("reasoning", Text),
    Column("tool_arguments", Text),
    Column("refusal", Text),
    Column("finish_reason", String(20), nullable=False),
    Column("model", Text),
    Column("input_tokens", Integer),
    Column("cached_input_tokens", Integer),
    Column("output_tokens", Integer),
    Column("reasoning_tokens", Integer),
    Column("cost", Float),  # US dollars; null: unknown
    Column("latency", Float, nullable=False),  # seconds
    Column("raw", String(64)),  # content hash of the provider's answer as it came
    Column("at", Float, nullable=False),
)

failures = Table(
    "failures",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("match", String(32), nullable=False),
    Column("step", Integer, nullable=False),
    Column("seat", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("n", String(64), nullable=False),
    Column("error", Text, nullable=False),
    Column("status", Integer),
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
)

contents = Table(
    "contents",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("media_type", String(32), nullable=False),
    Column("body", LargeBinary, nullable=False),
)

imported = Table(
    # What a published table says beside the games themselves, for runs that were imported without moves.
    "imported",
    metadata,
    Column("kind", String(64), primary_key=True),
    Column("data", Text, nullable=False),  # JSON
)

move_values = Table(
    # What `ludometer analyze` adds: one row per legal move and evaluator. Runs that were never analyzed lack the table.
    "move_values",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("evaluator", String(64), primary_key=True),  # its name with all its options
    Column("action", Text, nullable=False),  # the chosen one, in the game's notation
    Column("value", Float, nullable=False),  # expected score of the chosen action, in [0, 1]
    Column("best", Float, nullable=False),  # of the best one
    Column("error", Float),  # standard error of their difference; null: proven, or not known
    Column("exact", Boolean, nullable=False),  # every value of the position is proven
    Column("optimal", Boolean, nullable=False),  # as good as the best, as far as the values tell
    Column("trivial", Boolean, nullable=False),  # every action is as good as every other, as far as the values tell
    Column("rank", Integer, nullable=False),  # 1 + the number of better actions
    Column("actions", Integer, nullable=False),  # legal ones
    Column("best_actions", Integer, nullable=False),  # of them as good as the best
    # JSON: action -> [value, exact, error], in the game's order; with an evaluator that knows them also the standard
    # error of the difference from the best, and a list of the expected scores of all seats after the action.
    Column("values", Text, nullable=False),
)
