"""The referee: `Match` (no I/O), `MatchPolicy`, `Ending`, and `play`, which drives a match with its players."""

from ludometer.matches.adjudication import ADJUDICATOR
from ludometer.matches.ending import Ending
from ludometer.matches.match import Match, Move
from ludometer.matches.opening import opened
from ludometer.matches.play import play
from ludometer.matches.policy import MatchPolicy

__all__ = ["ADJUDICATOR", "Ending", "Match", "MatchPolicy", "Move", "opened", "play"]
