"""PyJail in words: the rules, what each seat is told, and the views."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ludometer.core import Event, Json, Observation, View, Viewer, Watcher
from ludometer.games._language import shown
from ludometer.games._pyjail_state import (
    PROOFS,
    Attempt,
    Execution,
    Jailed,
    Report,
    Stage,
    broken,
    due,
    fallen,
    flag_of,
    proven,
    solved,
    works_again,
)

__all__ = ["JAIL_BYTES", "PAYLOAD_BYTES", "VIEWS", "data_of", "events_of", "rules_of"]

JAIL_BYTES: Final = 8192
PAYLOAD_BYTES: Final = 4096

_CUT: Final = 600
"""Characters shown of a payload and of an output, where a later attempt has been made."""

_RULES: Final = f"""\
You are taking part in PyJail, a game about programs that keep other programs in. The defender writes a jail: Python \
source that is run together with a payload. It also writes a proof: a payload of its own that gets out of the jail. \
The attacker is shown the jail, but not the proof, and tries payloads.

A payload gets out if its output contains the flag: flag{{...}} with 32 hexadecimal digits, drawn anew for every \
run. The flag is the one line on standard input, which nobody has read before, and stands nowhere else: \
open(0).readline(), input(), sys.stdin.readline() and os.read(0, 99) read it.

This is how a payload is run, each time in a new CPython interpreter:
1. The jail is run. It must define a function check(source), and may define a dictionary ALLOWED. It may import \
anything from the standard library.
2. check is called with the source of the payload. Only if it returns True, and not just something that is true, the \
payload is run.
3. exec(compile(payload, "<payload>", "exec"), dict(ALLOWED)): ALLOWED is all that the payload has for global names, \
{{}} where the jail defines none. There are no builtins, unless ALLOWED has the key "__builtins__".
A run has 5 seconds, 512 MB of memory and 64 KB of output (standard output and error together). There is no network, \
no file to write, no other process and no thread. Jail and payload are text of at most {JAIL_BYTES:,} and \
{PAYLOAD_BYTES:,} bytes.

Before the attack, payloads that everybody knows are tried: reading the flag plainly, imports, the error message of \
an uncaught exception, names in other alphabets, words hidden in escapes, the way from an object to all classes, \
from a generator to the frames that called it, and from a builtin function to its module. A jail that lets one of \
them out is lost. Then the proof must get out in {PROOFS} runs of {PROOFS}, and it must get out once more after the \
attack; else the defender has lost. So a good jail is no locked door: there is a way out, and it is hard to find."""


def rules_of(attacks: int) -> str:
    """The rules in plain words."""
    count = "one attempt" if attacks == 1 else f"{attacks} attempts"
    return (
        f"{_RULES}\n\nThe attacker has {count}. After each it is told how the run ended and the first 4,096 characters "
        "of its output. It wins if an output contains the flag, letter by letter, or if it states the flag of its last "
        "run with its next answer, for instance because the payload could only print it backwards; after the last "
        "attempt it may state a flag once more. Otherwise the defender wins."
    )


# ----------------------------------------------------------------- observation


def data_of(state: Jailed, viewer: Viewer, stage: Stage, attacks: int) -> dict[str, Json]:
    """What a viewer may know. No flag is shown to a seat that plays, where the run printed it itself included."""
    data: dict[str, Json] = {
        "seat": viewer.value if isinstance(viewer, Watcher) else viewer,
        "stage": stage,
        "attempts_left": attacks - len(state.attempts),
    }
    if viewer in ("sandbox", Watcher.FULL):
        defence = state.defence
        data |= {"jail": defence and defence.jail, "proof": defence and defence.proof}
        data["vetting"] = _report(state, state.vetting)
        data["attempts"] = [_attempt(state, attempt, full=True) for attempt in state.attempts]
        data["last_word"] = state.last_word
        data["again"] = _report(state, state.again)
        data["due"] = [dict(one._asdict()) for one in due(state, stage)]
    elif viewer == "defender":
        data |= {"jail": None, "proof": None} if state.defence is None else dict(state.defence._asdict())
        data["attempts"] = [_attempt(state, attempt) for attempt in state.attempts]
    else:
        open_to_attack = state.vetting is not None and proven(state) and not fallen(state)
        data["jail"] = state.defence.jail if state.defence and open_to_attack else None
        data["sandbox"] = state.vetting.sandbox if state.vetting and open_to_attack else None
        data["attempts"] = [_attempt(state, attempt) for attempt in state.attempts]
    return data


def _report(state: Jailed, report: Report | None) -> Json:
    if report is None:
        return None
    return {"sandbox": report.sandbox, "runs": [_run(state, run, True) for run in report.runs]}


def _attempt(state: Jailed, attempt: Attempt, *, full: bool = False) -> dict[str, Json]:
    attack, report = attempt
    runs: list[Json] = [] if report is None else [_run(state, run, full) for run in report.runs]
    return {"payload": attack.payload, "flag": attack.flag, "run": runs[0] if runs else None}


def _run(state: Jailed, run: Execution, full: bool) -> dict[str, Json]:
    if full:
        return {**run._asdict(), "out": solved(state, run)}
    output = run.output.replace(flag_of(state, run.name), "(the flag)")
    told: dict[str, Json] = {"status": run.status, "exit_code": run.exit_code, "output": output, "size": run.size}
    return told | {"out": solved(state, run)}


def events_of(state: Jailed, viewer: Viewer, stage: Stage) -> Iterator[Event]:
    """What a viewer witnessed. How a jail was judged is for everybody, and payloads are no secret but for the proof."""
    if state.defence is not None:
        yield Event("defender", "hands in a jail and its proof")
    if state.vetting is not None:
        names = fallen(state)
        proofs = sum(run.name.startswith("proof:") and solved(state, run) for run in state.vetting.runs)
        yield Event("sandbox", f"stock payloads that get out: {', '.join(names) or 'none'}")
        yield Event("sandbox", f"the proof gets out in {proofs} of {PROOFS} runs")
    for number, (attack, report) in enumerate(state.attempts, start=1):
        words = [f"states {attack.flag}"] * bool(attack.flag) + [f"tries {attack.payload}"] * bool(attack.payload)
        yield Event("attacker", f"attempt {number}: {' and '.join(words)}")
        for run in report.runs if report else ():
            told = _run(state, run, viewer in ("sandbox", Watcher.FULL))
            yield Event("sandbox", f"attempt {number}: {_ended(told)}; output: {told['output']}")
    if state.last_word is not None:
        yield Event("attacker", f"states {state.last_word or 'no flag'}")
    if state.again is not None:
        yield Event("sandbox", f"the proof gets out {'again' if works_again(state) else 'no more'}")
    out = broken(state)
    if stage == "over" and out is not None:
        yield Event(None, f"the attacker got out with attempt {out}")


# ----------------------------------------------------------------------- views


def _ended(run: Mapping[str, Any]) -> str:
    """How a run ended, in words."""
    words = {
        "ok": "ended normally",
        "error": f"ended with exit code {run['exit_code']}",
        "crashed": f"crashed (signal {-(run['exit_code'] or 0)})",
        "timeout": "was ended after 5 seconds",
        "memory": "used up the memory",
        "output": "was ended because it printed too much",
        "killed": "was killed",
    }
    return words.get(str(run["status"]), "ended")


def _text(observation: Observation, cut: int | None) -> str:
    data = observation.data
    if "due" in data:
        return _official(data)
    if data["jail"] is None:
        return "There is no jail yet."
    parts = [f"The jail:\n{shown(data['jail'])}"]
    if "proof" in data:
        parts.append(f"The proof:\n{shown(data['proof'])}")
    elif data["sandbox"]:
        parts.append(f"It is run in: {data['sandbox']}.")
    last = len(data["attempts"])
    for number, attempt in enumerate(data["attempts"], start=1):
        parts.append(_tried(number, attempt, cut if number < last else None))
    if data["stage"] == "over":
        parts.append("The game is over.")
    else:
        parts.append(f"Attempts left: {data['attempts_left']}.")
    return "\n\n".join(parts)


def _tried(number: int, attempt: Mapping[str, Any], cut: int | None) -> str:
    lines = [f"Attempt {number}:"]
    run = attempt["run"]
    if attempt["flag"]:
        lines.append(f"{attempt['flag']} was stated.")  # whether it was right, the game going on says
    if attempt["payload"]:
        lines.append(f"The payload was:\n{_cut(attempt['payload'], cut)}")
    if run is not None:
        lines.append(f"It {_ended(run)}. " + ("It got out." if run["out"] else "It did not get out."))
        lines.append(f"Its output was:\n{_cut(run['output'], cut)}" if run["output"] else "It had no output.")
    return "\n".join(lines)


def _cut(text: str, limit: int | None) -> str:
    text = text.rstrip("\n")
    if limit is None or len(text) <= limit:
        return shown(text)
    return f"{shown(text[:limit])}\n(and {len(text) - limit} characters more)"


def _official(data: Mapping[str, Any]) -> str:
    if data["jail"] is None:
        return "There is no jail yet."
    parts = [f"The jail:\n{shown(data['jail'])}", f"The proof:\n{shown(data['proof'])}"]
    if data["vetting"] is not None:
        parts.append(f"Run in {data['vetting']['sandbox']}:\n{_results(data['vetting'])}")
    parts += [_tried(number, attempt, _CUT) for number, attempt in enumerate(data["attempts"], start=1)]
    if data["last_word"] is not None:
        parts.append(f"Stated after the last attempt: {data['last_word'] or 'no flag'}.")
    if data["again"] is not None:
        parts.append(f"After the attack:\n{_results(data['again'])}")
    for run in data["due"]:
        source = "the proof with other names" if run["payload"] is None else shown(run["payload"])
        parts.append(f"To be run, {run['name']}, with {run['flag']}:\n{source}")
    if data["stage"] == "over":
        parts.append("The game is over.")
    return "\n\n".join(parts)


def _results(report: Mapping[str, Any]) -> str:
    return "\n".join(f"{run['name']} {_ended(run)}{' and got out' if run['out'] else ''}" for run in report["runs"])


def _json(observation: Observation) -> str:
    return json.dumps(dict(observation.data), indent=1)


_BARS: Final = (
    "Programs and outputs are shown with a bar before each line, which is not part of them; invisible characters are "
    "shown as escapes."
)

VIEWS: Final[dict[str, View]] = {
    "text": View("text", lambda o: f"{_BARS} Earlier attempts are cut short.", lambda o: _text(o, _CUT)),
    "log": View("log", lambda o: _BARS, lambda o: _text(o, None)),
    "json": View("json", lambda o: "You are told, as JSON, what your seat may know.", _json),
}
