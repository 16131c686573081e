"""PyJail's actions as JSON and as text: fenced code blocks, flags, reports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ludometer.core import Illegal, Json
from ludometer.games._language import clean, field, text_field
from ludometer.games._pyjail_state import (
    FLAG,
    PROOFS,
    RENAMINGS,
    Attack,
    Defence,
    Execution,
    Report,
    Stage,
)

__all__ = [
    "FOUND_LIMIT",
    "OUTPUT_LIMIT",
    "STATUSES",
    "check_report",
    "mentioned",
    "read_attack",
    "read_defence",
    "read_report",
    "report_json",
    "stated_flag",
    "text_attack",
    "text_defence",
    "written",
]

STATUSES: Final = ("ok", "error", "crashed", "timeout", "memory", "output", "killed")
OUTPUT_LIMIT: Final = 4096
FOUND_LIMIT: Final = 400
SANDBOX_LIMIT: Final = 200
"""Characters of what a report says."""
_MOST_RUNS: Final = 60

_FIELD: Final = re.compile(r'\b(jail|proof|payload|flag) ("(?:[^"\\\n]|\\.)*")')
_WRITTEN: Final = re.compile(rf"(?:{_FIELD.pattern} ?)+(?<! )")
_ANY_FLAG: Final = re.compile(FLAG.pattern, re.IGNORECASE)
_FENCE: Final = re.compile(r"\s*```")
_KEYS: Final = ("jail", "proof", "payload", "flag", "sandbox", "runs", "move")
_START: Final = re.compile(r'\{\s*"(?:' + "|".join(_KEYS) + r')"\s*:')
_MOST_STARTS: Final = 50
_RUN_NAME: Final = re.compile(r"(?:stock:[a-z0-9-]{1,40}|(?:proof|renamed|attempt|again):[1-9][0-9]?)")


# ------------------------------------------------------------------------ text


def written(action: Defence | Attack) -> str:
    """An action on one line: ``jail "..." proof "..."``, ``payload "..."``, ``flag "..."``, the texts as JSON strings.

    Reports of the official are JSON objects.
    """
    fields = dict(action._asdict())
    if isinstance(action, Attack):
        fields = {name: fields[name] for name in ("flag", "payload") if fields[name]} or {"flag": ""}
    return " ".join(f"{name} {json.dumps(text)}" for name, text in fields.items())


def _unwritten(text: str) -> Mapping[str, str] | None:
    """The fields of what `written` wrote; None for any other text."""
    if _WRITTEN.fullmatch(text.strip()) is None:
        return None
    try:
        return {found[1]: json.loads(found[2]) for found in _FIELD.finditer(text)}
    except ValueError:
        return None


def mentioned(text: str) -> Sequence[str]:
    """What looks like an answer in running text: one as `written` writes it, a JSON object with a field of this game,
    and fenced blocks, of which all from the first to the last are one piece, with the flags beside them. Where there
    is nothing of this, flags alone."""
    blocks = _fenced_part(text) or (0, 0)

    def fenced(piece: tuple[int, int]) -> bool:
        return blocks[0] <= piece[0] < blocks[1]

    # In code anything may look like an answer, but for a whole object, which is one with a fence around it.
    said = [span for span in _spans(_WRITTEN, text) if not fenced(span)]
    objects = [span for span in _objects(text) if not any(start <= span[0] < end for start, end in said)]
    flags = list(_spans(_ANY_FLAG, text))
    pieces = [*said, *objects]
    if blocks[1] and not any(map(fenced, objects)):
        parts = [blocks, *flags]
        pieces.append((min(start for start, _ in parts), max(end for _, end in parts)))
    return [text[start:end] for start, end in sorted(pieces or flags)]


def _spans(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in pattern.finditer(text))


def _fenced_part(text: str) -> tuple[int, int] | None:
    """From where to where the fenced blocks reach."""
    blocks = list(_blocks(text))
    if not blocks:
        return None
    sizes = [len(line) + 1 for line in text.split("\n")]
    return sum(sizes[: blocks[0][0]]), sum(sizes[: blocks[-1][1] + 1]) - 1


def _objects(text: str) -> Iterator[tuple[int, int]]:
    """Where JSON objects of this game stand."""
    decoder, behind = json.JSONDecoder(), 0
    for start in [found.start() for found in _START.finditer(text)][-_MOST_STARTS:]:
        if start < behind:
            continue  # inside of the one before
        try:
            _, behind = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield start, behind


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Fenced blocks: number of the first and last line, and the code between. One that is never closed is none."""
    opened: int | None = None
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if opened is None:
            opened = number if _FENCE.match(line) else None
        elif _FENCE.match(line) and not line.strip().strip("`"):
            yield opened, number, "\n".join(lines[opened + 1 : number])
            opened = None


def _code(text: str) -> str:
    """Source as it is kept; without the fence, where a structured answer has one around it."""
    source = clean(text)
    blocks = list(_blocks(source))
    if len(blocks) == 1 and blocks[0][:2] == (0, source.count("\n")):
        return clean(blocks[0][2])
    return source


def stated_flag(text: object) -> str:
    """The last flag in a text, in small letters; empty where there is none."""
    found = FLAG.findall(text[-OUTPUT_LIMIT:].casefold()) if isinstance(text, str) else []
    return str(found[-1]) if found else ""


def _object(text: str) -> Mapping[str, Json] | None:
    stripped = text.strip()
    if not stripped.startswith("{"):
        return None
    try:
        answer = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def text_defence(text: str) -> Defence:
    """Jail and proof as `written`, from an object, or from two fenced blocks. Raises `Illegal`."""
    answer = _unwritten(text) or _object(text)
    if answer is not None:
        return read_defence(answer)
    blocks = [code for _, _, code in _blocks(clean(text))]
    if len(blocks) > 2:
        raise Illegal("ambiguous", f"there are {len(blocks)} code blocks; write two, the jail and then the proof")
    if len(blocks) < 2:
        raise Illegal("invalid_format", "write two fenced code blocks, first the jail and then the proof")
    return Defence(*map(clean, blocks))


def text_attack(text: str, stage: Stage, first: bool) -> Attack:
    """An attack as `written`, from an object, from the last fenced block (with a flag beside it), or the text as it
    stands."""
    answer = _unwritten(text) or _object(text)
    if answer is not None and any(field(answer, name) is not None for name in ("payload", "flag")):
        return read_attack(answer, stage, first)
    source = clean(text)
    if stage == "last_word":
        return Attack(flag=stated_flag(source))
    blocks = list(_blocks(source))
    if blocks:
        lines = source.split("\n")
        around = "\n".join((*lines[: blocks[0][0]], *lines[blocks[-1][1] + 1 :]))
        return Attack(clean(blocks[-1][2]), "" if first else stated_flag(around))
    if not first and FLAG.fullmatch(source.casefold()):
        return Attack(flag=source.casefold())
    return Attack(source)


# ------------------------------------------------------------------------ JSON


def read_defence(answer: Json) -> Defence:
    """Jail and proof from a structured answer. Raises `Illegal`."""
    jail, proof = text_field(answer, "jail"), text_field(answer, "proof", "payload")
    if jail is None or proof is None:
        raise Illegal("invalid_format", 'the answer needs both the "jail" and its "proof"')
    return Defence(_code(jail), _code(proof))


def read_attack(answer: Json, stage: Stage, first: bool) -> Attack:
    """An attack from a structured answer. A flag is left out where none can be known yet (``first``), and a payload
    where no attempt is left. Raises `Illegal`."""
    payload, flag = text_field(answer, "payload"), field(answer, "flag")
    if payload is None and flag is None:
        raise Illegal("invalid_format", 'the answer has no "payload"')
    return Attack(
        "" if payload is None or stage == "last_word" else _code(payload),
        "" if first else stated_flag(flag),
    )


def report_json(report: Report) -> dict[str, Json]:
    return {"sandbox": report.sandbox, "runs": [dict(run._asdict()) for run in report.runs]}


def read_report(answer: Json) -> Report:
    """A report from JSON. Raises `Illegal`."""
    sandbox, runs = field(answer, "sandbox"), field(answer, "runs")
    if not isinstance(sandbox, str) or not isinstance(runs, list):
        raise Illegal("invalid_format", 'a report has the fields "sandbox" and "runs"')
    return Report(clean(sandbox), tuple(map(_execution, runs)))


def _execution(data: Json) -> Execution:
    if not isinstance(data, dict) or any(key not in Execution._fields for key in data):
        raise Illegal("invalid_format", "a run in a report has other fields than it may have")
    try:
        run = Execution(**data)
    except TypeError:
        raise Illegal("invalid_format", "a run in a report lacks a field") from None
    _check_types(run)
    return run


def _check_types(run: Any) -> None:
    texts = isinstance(run, Execution) and all(
        isinstance(t, str) for t in (run.name, run.status, run.output, run.found)
    )
    if not texts or type(run.size) is not int or not isinstance(run.truncated, bool):
        raise Illegal("invalid_format", "a run in a report has a field of the wrong type")
    if run.exit_code is not None and type(run.exit_code) is not int:
        raise Illegal("invalid_format", "an exit code is a whole number")


def check_report(report: Any, stage: Stage, attempt: int) -> None:
    """Raises `Illegal` where something is no report of the runs that are due."""
    if not isinstance(report, Report) or not isinstance(report.sandbox, str):
        raise Illegal("wrong_decision", "a report of the sandbox is asked for")
    if len(report.runs) > _MOST_RUNS:
        raise Illegal("too_long", f"a report has {_MOST_RUNS} runs at most")
    for run in report.runs:
        _check_run(run)
    names = [run.name for run in report.runs]
    if len(set(names)) < len(names):
        raise Illegal("wrong_runs", "a report names every run once")
    if stage == "vetting":
        _check_vetting(names)
    elif names != [f"attempt:{attempt}" if stage == "running" else "again:1"]:
        raise Illegal("wrong_runs", "the report is of other runs than were asked for")
    if len(report.sandbox) > SANDBOX_LIMIT:
        raise Illegal("too_long", f"the sandbox is described in {SANDBOX_LIMIT} characters")


def _check_run(run: Any) -> None:
    _check_types(run)
    if not _RUN_NAME.fullmatch(run.name) or run.status not in STATUSES or run.size < 0:
        raise Illegal("invalid_format", "a run has a name and a status of the sandbox, and a size")
    if len(run.output) > OUTPUT_LIMIT or len(run.found) > FOUND_LIMIT:
        raise Illegal("too_long", f"of an output {OUTPUT_LIMIT} characters are kept, and {FOUND_LIMIT} around the flag")


def _check_vetting(names: Sequence[str]) -> None:
    """Stock payloads of any name, as further ones may be added; the proof once at least, renamed ones or none."""
    kinds = [name.partition(":")[0] for name in names]
    proofs, renamed = kinds.count("proof"), kinds.count("renamed")
    expected = [f"proof:{i + 1}" for i in range(proofs)] + [f"renamed:{i + 1}" for i in range(renamed)]
    rest = [name for name, kind in zip(names, kinds, strict=True) if kind != "stock"]
    if rest != expected or not 1 <= proofs <= PROOFS or renamed > RENAMINGS:
        raise Illegal("wrong_runs", "a jail is tried with the stock payloads, its proof, and the proof renamed")
