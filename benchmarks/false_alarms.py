"""How often ordinary messages set off the detectors of Gandalf, by the number of words in the pass phrase.

The messages are made of sentences that use the very words phrases are made of (see tests/games/plain_messages.py), and
of the paragraphs of this project's pages as they are. Nothing is measured in time: machines do not differ.

    python benchmarks/false_alarms.py [messages] [phrases per message]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "games"))

from plain_messages import messages, phrases  # noqa: E402

from ludometer.games._gandalf_search import DETECTORS, revealed  # noqa: E402


def paragraphs() -> list[str]:
    """The paragraphs of the project's pages, which are prose, lists, tables and code."""
    pages = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
    return [part for page in pages for part in page.read_text(encoding="utf-8").split("\n\n") if len(part) > 80]


def main(count: int = 2000, each: int = 20) -> None:
    texts = [*messages(count), *paragraphs()]
    results = []
    for words in (1, 2, 3):
        drawn = list(phrases(each * 50, words))
        found: Counter[str] = Counter()
        for number, text in enumerate(texts):
            for i in range(each):
                found.update(revealed(text, drawn[(number * each + i) % len(drawn)]))
        searches = len(texts) * each
        results.append({"words": words, "searches": searches, "alarms": {name: found[name] for name in DETECTORS}})
        print(json.dumps(results[-1]))
    path = ROOT / "benchmarks" / "results" / "false_alarms.json"
    path.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
