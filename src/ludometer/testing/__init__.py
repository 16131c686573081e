"""PUBLIC. For the tests of games and players, built-in or plugged in: `check_game`, `check_player`, playthroughs.

Nothing outside the tests imports this package.
"""

from ludometer.testing.conformance import check_game, check_player
from ludometer.testing.playthrough import playthrough, write_playthrough

__all__ = ["check_game", "check_player", "playthrough", "write_playthrough"]
