"""Any bytes where the program reads something that others wrote: it is understood, or one sentence says why not."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from .targets import TARGETS

PIECES = [
    *(bytes([byte]) for byte in b"{}[]()<>\"':,;=/\\.-+*#%&|\t\r\n\0 "),
    b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xae", b"9" * 30, b"-1", b"1e999", b"nan", b"inf", b"null", b"true", b"0x1",
    b"''' + 1", b"'; DROP TABLE matches; --", b"../../x", b"$(x)", b"%00", b"\xef\xbb\xbf", "²١é".encode(),
]  # fmt: skip
every_target = pytest.mark.parametrize("name", TARGETS)


def mutated(seeds: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    """A seed of which a few parts were replaced, repeated or left out; or anything."""

    @st.composite
    def changed(draw: st.DrawFn) -> bytes:
        data = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(1, 4))):
            start = draw(st.integers(0, len(data)))
            end = min(len(data), start + draw(st.integers(0, 8)))
            other = draw(st.sampled_from(seeds))
            inserted = draw(
                st.one_of(st.sampled_from(PIECES), st.just(data[start:end] * 3), st.just(other), st.just(b""))
            )
            data = data[:start] + inserted + data[end:]
        return data

    return st.one_of(changed(), st.binary(max_size=80), st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join))


@every_target
@pytest.mark.parametrize("examples", [60, pytest.param(600, marks=pytest.mark.slow)])
def test_any_bytes(name: str, examples: int) -> None:
    one, seeds = TARGETS[name]

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(mutated(seeds))
    @example(b"")
    def run(data: bytes) -> None:
        one(data)

    for seed in seeds:
        one(seed)
    run()


@pytest.mark.slow
def test_guided_by_coverage(tmp_path: Path) -> None:
    """All of them in one process, which the first byte chooses from: to start one takes longer than its runs."""
    if find_spec("atheris") is None:
        pytest.skip("needs atheris: pip install atheris (Linux and macOS)")
    corpus, found = tmp_path / "corpus", tmp_path / "found"
    corpus.mkdir()
    found.mkdir()
    for number, (name, (_, seeds)) in enumerate(TARGETS.items()):
        for i, seed in enumerate(seeds):
            (corpus / f"{name}-{i}").write_bytes(bytes([number]) + seed)
    command = [sys.executable, str(Path(__file__).with_name("atheris_targets.py")), "all", str(corpus)]
    options = ["-runs=3000", "-seed=1", "-max_len=300", "-timeout=60", f"-artifact_prefix={found}/"]
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, timeout=600, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "Done 3000 runs" in done.stderr
    assert not list(found.iterdir())
