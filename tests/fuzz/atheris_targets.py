"""Guided fuzzing: ``python tests/fuzz/atheris_targets.py TARGET|all -runs=100000`` (or other options of libFuzzer)."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris


def main() -> None:
    name, *options = sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).parent))
    with atheris.instrument_imports(include=["ludometer"], enable_loader_override=False):
        from targets import TARGETS
    functions = [one for one, _ in TARGETS.values()] if name == "all" else [TARGETS[name][0]]

    def one(data: bytes) -> None:
        if len(functions) > 1 and data:
            functions[data[0] % len(functions)](data[1:])
        else:
            functions[0](data)

    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
