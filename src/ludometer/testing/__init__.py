"""PUBLIC. For the tests of games and players, built-in or plugged in: `check_game`, `check_player`, playthroughs, and
the faults of providers (`Mix.of(0.2, "429,hang")` for `ludometer.testing.fake_provider.FakeProvider`).

Nothing outside the tests imports this package.
"""

from ludometer.testing.conformance import check_game, check_player
from ludometer.testing.faults import FAULTS, Fault, Mix
from ludometer.testing.playthrough import playthrough, write_playthrough

__all__ = ["FAULTS", "Fault", "Mix", "check_game", "check_player", "playthrough", "write_playthrough"]
