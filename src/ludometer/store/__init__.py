"""The run database: everything needed to repeat, resume, re-judge or report a run is inside one file.

One writer thread with group commit; readers never block it. The unit of durability is the exchange.
"""

from ludometer.store import schema
from ludometer.store.database import RunStore
from ludometer.store.journal import RunJournal, Totals
from ludometer.store.records import MatchPlan, MatchRow

__all__ = ["MatchPlan", "MatchRow", "RunJournal", "RunStore", "Totals", "schema"]
