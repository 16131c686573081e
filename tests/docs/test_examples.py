"""Every example script runs as it stands, without a key, in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SAYS = {
    "one_match.py": ("1. X plays", "completed: "),
    "inspect_ai_task.py": ("Inspect AI",),
    "langchain_strategy.py": ("LangChain",),
    "own_game.py": ("always calling 3 against random numbers: ",),
    "own_strategy.py": ("3 decisions of 12 calls", "completed"),
    "train_tictactoe.py": ("--dir DIR", "--entropy ENTROPY"),
    "tournament.py": ("perfect", "40 matches", "all agree"),
}


def test_an_example_runs(example: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    done = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for words in SAYS[example.name]:
        assert words in done.stdout
    assert not list(tmp_path.iterdir()), "an example leaves nothing behind"
