"""The run database: everything needed to repeat, resume, re-judge or report a run is inside one SQLite file, or one
schema of a PostgreSQL database.

One writer thread with group commit; readers never block it. The unit of durability is the exchange.
"""

from ludometer.store import schema
from ludometer.store.address import Address, DatabaseRun, Where, parse_address
from ludometer.store.database import RunStore
from ludometer.store.journal import RunJournal, Totals
from ludometer.store.records import MatchPlan, MatchRow
from ludometer.store.writer import Claim, ClaimLost

__all__ = [
    "Address",
    "Claim",
    "ClaimLost",
    "DatabaseRun",
    "MatchPlan",
    "MatchRow",
    "RunJournal",
    "RunStore",
    "Totals",
    "Where",
    "parse_address",
    "schema",
]
