"""One match in memory: who played what, and how it ended.

Run it:  python examples/one_match.py
"""

from __future__ import annotations

import ludometer
from ludometer.core import Watcher


def main() -> None:
    match = ludometer.play("tictactoe", ["random", "perfect"], seed=7)
    for move, notation in zip(match.moves, match.notation, strict=True):
        print(f"{move.step + 1}. {move.seat} plays {notation}")
    view = match.game.views()["illustration"]
    print(view.render(match.game.observe(match.state, Watcher.PUBLIC)))
    assert match.ending is not None
    print(f"{match.ending.kind}: {match.ending.why}; scores {match.scores()}")


if __name__ == "__main__":
    main()
