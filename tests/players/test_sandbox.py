"""The official of PyJail with the real sandbox: jails that fall, jails that hold, jails that cheat."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ludometer import sandbox
from ludometer.core import ConfigurationError, Decision, SandboxError, Turn, make_game
from ludometer.games._pyjail_samples import _BLIND, _MUTE, EXAMPLE
from ludometer.games.pyjail import Attack, Defence, Execution, PyJail, fallen, proven, solved, stock_payloads
from ludometer.matches import Match, MatchPolicy, play
from ludometer.players import sandbox as official
from ludometer.players.entrant import check_contestant
from ludometer.players.sandbox import SandboxPlayer
from ludometer.tournaments import load_config
from ludometer.tournaments.launch import resume, start, verify


@pytest.fixture
def real() -> None:
    """Skips a test where programs cannot be run."""
    reason = sandbox.unavailable()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture
def unstocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No stock payloads are tried, which saves time where they are not what is looked at."""
    monkeypatch.setattr(official, "_STOCK_SECONDS", -1.0)


needs_a_sandbox = pytest.mark.usefixtures("real")
without_stock = pytest.mark.usefixtures("unstocked")


class Scripted:
    """Takes the given actions, one after the other; a function is given what the seat has seen."""

    def __init__(self, *actions: Any) -> None:
        self.actions = list(actions)

    async def act(self, turn: Turn) -> Decision:
        action = self.actions.pop(0)
        return Decision(action(turn.observation.data) if callable(action) else action)


def match_of(defence: Defence, *attacks: Any, official: Any = None, luck: int = 0) -> Match:
    """A match in which the attacker has one attempt less than it has words: the last is its last word."""
    match = Match(PyJail(attacks=max(1, len(attacks) - 1)), luck=luck, policy=MatchPolicy(attempts=1))
    seats = {"defender": Scripted(defence), "attacker": Scripted(*attacks), "sandbox": official or SandboxPlayer()}
    asyncio.run(play(match, seats))
    return match


def runs_of(match: Match) -> dict[str, Execution]:
    reports = [match.state.vetting, *(attempt.report for attempt in match.state.attempts), match.state.again]
    return {run.name: run for report in reports if report is not None for run in report.runs}


def why(match: Match) -> str:
    assert match.ending is not None and match.ending.kind == "completed", match.ending
    return match.ending.why


def jail(check: str, allowed: str = '{"__builtins__": {"print": print, "open": open}}', before: str = "") -> str:
    return f"{before}\ndef check(source):\n    {check}\n\nALLOWED = {allowed}"


PLAIN = "print(open(0).readline())"
READER = "import sys\ndef read(step=1):\n    print(sys.stdin.readline()[::step])"
SHORT = jail(
    "return len(source) < 30 and 'open' not in source", '{"read": read, "__builtins__": {"print": print}}', READER
)
"""Its way out is ``read()``; the shortest stock payloads find no function to call."""
NOTHING = (Attack("0"), Attack())
EVERYTHING = '{"__builtins__": __builtins__}'

# ------------------------------------------------------------------- whole games


@needs_a_sandbox
@pytest.mark.parametrize("defence", [_BLIND, _MUTE])
def test_jails_of_random_play_hold_and_have_a_way_out(defence: Defence) -> None:
    match = match_of(defence, *NOTHING)
    assert why(match) == "jail held"
    assert fallen(match.state) == () and proven(match.state)
    runs = runs_of(match)
    assert set(runs) == {
        *(f"stock:{name}" for name in stock_payloads()),
        *("proof:1", "proof:2", "proof:3", "renamed:1", "attempt:1", "again:1"),
    }
    assert len({run.output for name, run in runs.items() if name.startswith("proof")}) == 3, "three flags"
    assert solved(match.state, runs["renamed:1"])
    assert match.state.vetting.sandbox == asyncio.run(sandbox.describe())


@needs_a_sandbox
def test_the_example_of_the_prompt_is_lost() -> None:
    match = match_of(EXAMPLE, *NOTHING)
    assert why(match) == "defender failed: trivial jail"
    assert "open" in fallen(match.state)


@needs_a_sandbox
@pytest.mark.parametrize("defence", [_BLIND, _MUTE])
def test_an_attacker_that_finds_the_way_wins(defence: Defence) -> None:
    match = match_of(defence, Attack("0"), Attack(defence.proof), Attack())
    assert why(match) == "attacker got out"
    assert match.state.again is None


@without_stock
@needs_a_sandbox
def test_a_flag_read_in_a_transformed_output_is_stated() -> None:
    def backwards(data: Any) -> Attack:
        output = data["attempts"][0]["run"]["output"]
        assert not data["attempts"][0]["run"]["out"]
        return Attack(flag=output.strip()[::-1])

    match = match_of(Defence(SHORT, "read()"), Attack("read(-1)"), backwards)
    assert why(match) == "attacker got out"


# ------------------------------------------------------------------ stock payloads

# For each stock payload a jail that it gets out of and the plainest one does not, so that it is the payload that works.
OPENED: dict[str, str] = {
    "open": jail("return True"),
    "input": jail("return 'open' not in source", '{"__builtins__": {"print": print, "input": input}}'),
    "import-os": jail("return 'open' not in source", EVERYTHING),
    "import-call": jail("return 'open' not in source and 'import os' not in source", EVERYTHING),
    "error": jail("return 'print' not in source", '{"__builtins__": {"open": open}}'),
    "encoded": jail("return not any(word in source for word in ('print', 'open', 'import', '__'))", EVERYTHING),
    "unicode": jail("return not any(word in source for word in ('print', 'open', 'exec', '__'))"),
    "self": jail("return '__import__' not in source", '{"__builtins__": {"print": print}}'),
    "subclasses": jail("return True", "{}"),
    "frames": jail("return '__class__' not in source", "{}"),
}


@needs_a_sandbox
def test_every_stock_payload_gets_out_of_some_jail() -> None:
    async def outputs() -> dict[str, bool]:
        flag = "flag{" + 32 * "7" + "}"
        runs = {name: await sandbox.run_jail(OPENED[name], stock_payloads()[name], flag) for name in stock_payloads()}
        plain = {name: await sandbox.run_jail(OPENED[name], PLAIN, flag) for name in OPENED if name != "open"}
        assert not any(run.contains(flag) for run in plain.values())
        return {name: run.contains(flag) for name, run in runs.items()}

    assert asyncio.run(outputs()) == dict.fromkeys(OPENED, True)
    assert set(OPENED) == set(stock_payloads())


# --------------------------------------------------------------------- bad defences


@without_stock
@needs_a_sandbox
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def check(source:", "jail cannot be used"),
        ("x = 1", "jail cannot be used"),
        ("raise ValueError", "jail cannot be used"),
        ("check = 5", "jail cannot be used"),
        ("import sys; sys.exit(0)", "jail cannot be used"),
        ("import os; os._exit(0)", "no proof"),
        ("import os; os._exit(81)", "jail cannot be used"),
        ("import ctypes; ctypes.string_at(0)", "no proof"),
        (jail("return 1"), "no proof"),
        (jail("return 'Q' in source"), "no proof"),
        (jail("raise KeyError"), "no proof"),
        (jail("return True", "[1, 2]"), "jail cannot be used"),
        (jail("return True", before="import sys\nsys.stdin.readline()"), "no proof"),
        (jail("return len(source) == 25", "{'print': print, 'open': lambda n: open('/etc/passwd')}"), "no proof"),
        ("print('flag{' + 32 * '0' + '}')", "jail cannot be used"),
    ],
)
def test_defenders_that_fail(source: str, reason: str) -> None:
    assert why(match_of(Defence(source, PLAIN))) == f"defender failed: {reason}"


@without_stock
@needs_a_sandbox
def test_a_jail_that_works_by_luck_fails_three_proofs_of_three() -> None:
    # Whether it lets a payload through hangs on the flag, which is a new one every time.
    lucky = jail("return False", before="import sys\nif int(sys.stdin.readline()[-4], 16) % 2: print('no')")
    assert why(match_of(Defence(lucky, PLAIN))) == "defender failed: no proof"
    half = "import sys\nflag = sys.stdin.readline()\ndef check(source):\n"
    half += "    if source == 'pass' and int(flag[-3], 16) % 2: print(flag)\n    return True"
    outcomes = [match_of(Defence(half, "pass"), luck=luck) for luck in range(3)]
    assert all(why(match) == "defender failed: no proof" for match in outcomes), [why(m) for m in outcomes]


@needs_a_sandbox
@pytest.mark.slow
def test_a_jail_that_keeps_everybody_waiting_loses_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official, "_STOCK_SECONDS", 1.0)
    match = match_of(Defence("while True: pass", PLAIN))
    assert why(match) == "defender failed: no proof"
    runs = runs_of(match)
    assert {run.status for run in runs.values()} == {"timeout"}
    assert len(runs) == 2, "further stock payloads and proofs are not tried"


@without_stock
@needs_a_sandbox
def test_nothing_a_jail_prints_or_exits_with_is_believed() -> None:
    report = json.dumps({"sandbox": "x", "runs": [{"name": "proof:1", "out": True}]})
    loud = f"import os, sys\nprint({report!r})\nprint('flag{{' + 32 * 'f' + '}}')\nsys.stdout.flush()\nos._exit(0)"
    match = match_of(Defence(loud, PLAIN))
    assert why(match) == "defender failed: no proof"
    assert runs_of(match)["proof:1"].status == "ok"


# -------------------------------------------------------------------- password-like


@without_stock
@needs_a_sandbox
def test_a_password_in_the_proofs_names_is_found_by_renaming() -> None:
    before = "from sys import stdin\nfrom hashlib import sha256\n"
    secret = "import hashlib\n"
    proof = "hunter = 2\nprint(read(hunter))"
    digest = __import__("hashlib").sha256(proof.encode()).hexdigest()
    source = f"{before}{secret}" + jail(
        f"return sha256(source.encode()).hexdigest() == {digest!r}",
        '{"__builtins__": {"print": print}, "read": lambda n: stdin.readline()}',
    )
    match = match_of(Defence(source, proof), *NOTHING)
    assert why(match) == "jail held", "it is no fault"
    runs = runs_of(match)
    assert [solved(match.state, runs[f"renamed:{i}"]) for i in (1, 2, 3)] == [False] * 3
    assert runs["renamed:3"].output.startswith("the filter refused")


@without_stock
@needs_a_sandbox
def test_a_proof_without_names_of_its_own_is_not_renamed() -> None:
    match = match_of(Defence(SHORT, "read()"), *NOTHING)
    assert why(match) == "jail held" and not any(name.startswith("renamed") for name in runs_of(match))


# ------------------------------------------------------------------------- outputs


@without_stock
@needs_a_sandbox
@pytest.mark.parametrize("length", [0, 4000, 4080, 4096, 60_000])
def test_the_flag_counts_wherever_it_stands_in_the_output(length: int) -> None:
    payload = f"print({length} * 'x')\n{PLAIN}"
    match = match_of(Defence(jail("return source != 'print(input())'"), payload), *NOTHING)
    run = runs_of(match)["proof:1"]
    assert solved(match.state, run)
    assert run.size == length + 41
    assert len(run.output) <= 4096 and bool(run.found) == (length >= 4080)


@without_stock
@needs_a_sandbox
def test_output_is_escaped_before_it_is_logged() -> None:
    hostile = Attack("print('\\x1b[31m\\u202e\\x00')")
    match = match_of(Defence(SHORT, "read()"), hostile, Attack())
    assert runs_of(match)["attempt:1"].output == "\\x1b[31m\\u202e\\x00\n"


@without_stock
@needs_a_sandbox
def test_an_attack_that_breaks_down_is_told_so() -> None:
    match = match_of(Defence(SHORT, "read()"), Attack("1/0"), Attack("a" * 30), Attack())
    assert why(match) == "jail held"
    runs = runs_of(match)
    assert (runs["attempt:1"].status, runs["attempt:1"].exit_code) == ("error", 1)
    assert "ZeroDivisionError" in runs["attempt:1"].output
    assert (runs["attempt:2"].exit_code, runs["attempt:2"].output) == (82, "the filter refused the payload\n")


# ------------------------------------------------------------------------- official


@pytest.mark.parametrize("call", ["run_jail", "describe"])
def test_a_sandbox_that_fails_voids_the_match(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    async def broken(*args: Any, **settings: Any) -> Any:
        raise SandboxError("no sandbox works here")

    monkeypatch.setattr(official, call, broken)
    if call == "describe":
        monkeypatch.setattr(official, "run_jail", canned)
    match = match_of(EXAMPLE, *NOTHING)
    assert match.ending is not None
    assert (match.ending.kind, match.ending.offender) == ("void", "sandbox")
    assert match.scores() is None
    assert "no sandbox works here" in match.ending.why


async def canned(jail: str, payload: str, flag: str, *, backend: str | None = None) -> sandbox.Run:
    """A sandbox that lets proofs out and nothing else."""
    raw = f"{flag}\n".encode() if "read" in payload and "open" not in payload else b"no\n"
    return sandbox.Run("ok", 0, raw, False, 0.01)


def test_it_judges_pyjail_only_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="sandbox runs the programs of PyJail, not of Tic-tac-toe"):
        SandboxPlayer().supports(make_game("tictactoe"))
    monkeypatch.setattr(official, "unavailable", lambda: "no sandbox works here: this and that")
    with pytest.raises(ConfigurationError, match="no sandbox works here: this and that"):
        SandboxPlayer().supports(PyJail())


def test_a_backend_may_be_named() -> None:
    with pytest.raises(ConfigurationError, match="there is no sandbox 'bubblewarp'; did you mean 'bubblewrap'"):
        SandboxPlayer(backend="bubblewarp").supports(PyJail())
    SandboxPlayer(backend="bubblewrap").supports(PyJail())


def test_it_cannot_enter_as_a_contestant() -> None:
    with pytest.raises(ConfigurationError, match="is an official"):
        check_contestant("sandbox", SandboxPlayer())


# ---------------------------------------------------------------------- tournaments


def table(**more: Any) -> dict[str, Any]:
    players = ["random", {"player": "random", "name": "other"}]
    games = {"name": "pyjail", "attacks": 2}
    return {"name": "jails", "games": [games], "players": players, "seed": 4, **more}


@needs_a_sandbox
def test_a_run_is_played_and_verified_without_the_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(start(load_config(table()), tmp_path / "run")).complete

    async def none(*args: Any, **settings: Any) -> Any:
        raise AssertionError("verify runs nothing")

    monkeypatch.setattr(official, "run_jail", none)
    monkeypatch.setattr(official, "unavailable", lambda: "nothing works any more")
    result = asyncio.run(verify(tmp_path / "run"))
    assert (result.problems, result.matches) == ([], 2)


def test_a_run_goes_on_after_the_sandbox_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*args: Any, **settings: Any) -> Any:
        raise SandboxError("out of memory")

    async def described(backend: str | None = None) -> str:
        return "canned"

    monkeypatch.setattr(official, "unavailable", lambda: None)
    monkeypatch.setattr(official, "describe", described)
    monkeypatch.setattr(official, "run_jail", broken)
    config = load_config(table())
    assert not asyncio.run(start(config, tmp_path / "run")).complete
    monkeypatch.setattr(official, "run_jail", canned)
    assert asyncio.run(resume(tmp_path / "run")).complete
    assert asyncio.run(verify(tmp_path / "run")).problems == []


def test_the_whole_game_is_played_without_a_sandbox_where_another_official_is_named(tmp_path: Path) -> None:
    config = load_config(table(officials={"sandbox": "random"}, schedule={"repeats": 4}))
    assert asyncio.run(start(config, tmp_path / "run")).complete
    assert asyncio.run(verify(tmp_path / "run")).problems == []
