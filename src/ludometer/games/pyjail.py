"""PyJail: a defender writes a Python jail and proves that there is a way out; an attacker looks for one.

Solvable jails after Khan et al., "ZeroSumEval: Scaling LLM Evaluation with Inter-Model Competition", 2025. Here jail
and proof are handed in together by somebody who knows no flag, so that none can leak into either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from ludometer.core import (
    Asked,
    Chance,
    ConfigurationError,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    View,
    Viewer,
)
from ludometer.games._language import field
from ludometer.games._pyjail_reading import (
    FOUND_LIMIT,
    OUTPUT_LIMIT,
    SANDBOX_LIMIT,
    STATUSES,
    check_report,
    mentioned,
    read_attack,
    read_defence,
    read_report,
    report_json,
    text_attack,
    text_defence,
    written,
)
from ludometer.games._pyjail_samples import EXAMPLE, sample_attack, sample_defence, sample_report
from ludometer.games._pyjail_showing import JAIL_BYTES, PAYLOAD_BYTES, VIEWS, data_of, events_of, rules_of
from ludometer.games._pyjail_state import (
    FLAG,
    Attack,
    Attempt,
    Defence,
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
    stage_of,
    stock_payloads,
    works_again,
)

__all__ = [
    "JAIL_BYTES",
    "OUTPUT_LIMIT",
    "PAYLOAD_BYTES",
    "Attack",
    "Attempt",
    "Defence",
    "Execution",
    "Jailed",
    "PyJail",
    "Report",
    "broken",
    "fallen",
    "flag_of",
    "proven",
    "solved",
    "stock_payloads",
    "works_again",
]

_MOST_ATTACKS: Final = 20
_EXAMPLE_FLAG: Final = "flag{" + 32 * "0" + "}"
_EXIT_INVALID_JAIL: Final = 81


class PyJail(Game[Jailed, Any]):
    """Actions are a `Defence`, an `Attack`, and of the official that runs the programs a `Report`.

    Args:
        attacks: attempts of the attacker.
    """

    name: ClassVar[str] = "pyjail"
    title: ClassVar[str] = "PyJail"
    perfect_information: ClassVar[bool] = False
    has_luck: ClassVar[bool] = True

    def __init__(self, attacks: int = 5) -> None:
        if not 1 <= attacks <= _MOST_ATTACKS:
            raise ConfigurationError(f"pyjail: attacks = {attacks} must be from 1 to {_MOST_ATTACKS}")
        self.attacks = attacks

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return (
            Role("defender", title="the defender"),
            Role("attacker", title="the attacker"),
            Role("sandbox", "official", title="the sandbox", by="sandbox"),
        )

    def new(self, n: int, chance: Chance) -> Jailed:
        return Jailed(chance)

    def stage(self, state: Jailed) -> Stage:
        """What is to be done next (see `ludometer.games._pyjail_state.stage_of`)."""
        return stage_of(state, self.attacks)

    def to_act(self, state: Jailed) -> tuple[Seat, ...]:
        stage = self.stage(state)
        if stage == "over":
            return ()
        return ({"writing": "defender", "attack": "attacker", "last_word": "attacker"}.get(stage, "sandbox"),)

    def check(self, state: Jailed, seat: Seat, action: Any) -> None:
        if seat == "sandbox":
            check_report(action, self.stage(state), len(state.attempts))
        elif seat == "defender":
            if not isinstance(action, Defence):
                raise Illegal("wrong_decision", "a jail and its proof are asked for")
            _check_source(action.jail, JAIL_BYTES, "the jail")
            _check_source(action.proof, PAYLOAD_BYTES, "the proof")
        else:
            self._check_attack(state, action)

    def _check_attack(self, state: Jailed, action: Any) -> None:
        if not isinstance(action, Attack) or not isinstance(action.flag, str):
            raise Illegal("wrong_decision", "a payload is asked for")
        if action.flag and not FLAG.fullmatch(action.flag):
            raise Illegal("invalid_format", "a flag is written flag{...} with 32 hexadecimal digits")
        if self.stage(state) != "last_word" and (action.payload or not action.flag):
            _check_source(action.payload, PAYLOAD_BYTES, "the payload")

    def sample(self, state: Jailed, seat: Seat, chance: Chance) -> Any:
        stage = self.stage(state)
        if seat == "defender":
            return sample_defence(chance)
        if seat == "attacker":
            return sample_attack(chance, stage, not state.attempts)
        return sample_report(chance, stage, due(state, stage))

    def apply(self, state: Jailed, moves: Mapping[Seat, Any]) -> Jailed:
        (action,) = moves.values()
        stage = self.stage(state)
        if stage == "writing":
            return state._replace(defence=action)
        if stage == "vetting":
            return state._replace(vetting=action)
        if stage == "attack":
            return state._replace(attempts=(*state.attempts, Attempt(action)))
        if stage == "running":
            *before, last = state.attempts
            return state._replace(attempts=(*before, last._replace(report=action)))
        return state._replace(last_word=action.flag) if stage == "last_word" else state._replace(again=action)

    def outcome(self, state: Jailed) -> Outcome | None:
        if self.stage(state) != "over":
            return None
        held = state.again is not None and bool(works_again(state))
        return Outcome({"defender": float(held), "attacker": float(not held)}, self._reason(state))

    def _reason(self, state: Jailed) -> str:
        if fallen(state):
            return "defender failed: trivial jail"
        if not proven(state):
            codes = {run.exit_code for run in state.vetting.runs} if state.vetting else set()
            useless = codes == {_EXIT_INVALID_JAIL}
            return f"defender failed: {'jail cannot be used' if useless else 'no proof'}"
        if broken(state) is not None:
            return "attacker got out"
        return "jail held" if works_again(state) else "defender failed: proof works no more"

    def max_steps(self) -> int:
        return 2 * self.attacks + 4

    def swap_hidden(self) -> Sequence[tuple[Jailed, Jailed, Seat]]:
        """Flags, the proof, and what it did are nothing that the attacker knows; the flags are nobody's but the
        official's."""
        here, there = (Chance.from_seed(seed).named("swap") for seed in (1, 2))
        plain, other = Defence("# a jail", "one(way)"), Defence("# a jail", "another(way)")
        worse = Defence("# another jail", "one(way)")

        def vetted(luck: Chance, defence: Defence, renamed: bool) -> Jailed:
            state = Jailed(luck, defence)
            runs = [Execution("stock:open", "error", 82, "no\n" if renamed else "not this way\n", 3)]
            for name in ("proof:1", "proof:2", "proof:3", "renamed:1"):
                flag = flag_of(state, name) if renamed or name != "renamed:1" else "no"
                runs.append(Execution(name, "ok", 0, f"{defence.proof} {flag}", 50))
            return state._replace(vetting=Report("cell", tuple(runs)))

        def tried(state: Jailed, done: bool) -> Jailed:
            runs = (Execution("attempt:1", "error", 82, "no\n", 3),)
            return state._replace(attempts=(Attempt(Attack("print()"), Report("cell", runs) if done else None),))

        one, two = vetted(here, plain, True), vetted(there, other, False)
        pairs: list[tuple[Jailed, Jailed, Seat]] = [
            (Jailed(here), Jailed(there), "defender"),
            (Jailed(here), Jailed(there), "attacker"),
            (Jailed(here, plain), Jailed(there, worse), "attacker"),
            (one, two, "attacker"),
            (one, vetted(there, plain, False), "defender"),
            (tried(one, False), tried(two, False), "attacker"),
            (tried(one, True), tried(two, True), "attacker"),
        ]
        return pairs

    # --------------------------------------------------------------- notation

    def format(self, state: Jailed, action: Any) -> str:
        return json.dumps(report_json(action)) if isinstance(action, Report) else written(action)

    def parse(self, state: Jailed, seat: Seat, text: str) -> Any:
        if seat == "defender":
            return text_defence(text)
        if seat == "attacker":
            return text_attack(text, self.stage(state), not state.attempts)
        try:
            return read_report(json.loads(text))
        except (ValueError, RecursionError):
            raise Illegal("invalid_format", "a report of the sandbox is one JSON object") from None

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        """Answers in running text: JSON objects, and fenced code blocks, which make one answer together."""
        return mentioned(text)

    def _fields(self, state: Jailed) -> tuple[str, ...]:
        """What the attacker is asked for."""
        if self.stage(state) == "last_word":
            return ("flag",)
        return ("flag", "payload") if state.attempts else ("payload",)

    def schema(self, state: Jailed, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        if seat == "sandbox":
            return _report_schema()
        if seat == "defender":
            return _object({"jail": _text("source of the jail"), "proof": _text("a payload that gets out of it")})
        words = {"flag": "the flag of your last run if you know it, else empty", "payload": "the payload to run next"}
        return _object({name: _text(words[name]) for name in self._fields(state)})

    def encode(self, state: Jailed, action: Any, notation: str | None = None) -> Json:
        if isinstance(action, Report):
            return report_json(action)
        if isinstance(action, Defence):
            return dict(action._asdict())
        return {name: getattr(action, name) for name in self._fields(state)}

    def decode(self, state: Jailed, seat: Seat, answer: Json) -> Any:
        names = {"defender": ("jail", "proof"), "attacker": ("payload", "flag"), "sandbox": ("runs",)}[seat]
        if all(field(answer, name) is None for name in names):
            return super().decode(state, seat, answer)
        if seat == "defender":
            return read_defence(answer)
        if seat == "attacker":
            return read_attack(answer, self.stage(state), not state.attempts)
        return read_report(answer)

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        return rules_of(self.attacks)

    def observe(self, state: Jailed, viewer: Viewer) -> Observation:
        stage = self.stage(state)
        data = data_of(state, viewer, stage, self.attacks)
        return Observation(viewer, data, tuple(events_of(state, viewer, stage)), self.to_act(state))

    def views(self) -> Mapping[str, View]:
        return dict(VIEWS)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        if seat == "defender":
            return "as two fenced code blocks, first the jail and then its proof"
        return "as one fenced code block with the payload" if seat == "attacker" else "as one JSON object"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        return dict(EXAMPLE._asdict()), "\n\n".join(map(_fenced, EXAMPLE))

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        seat, data = str(observation.viewer), observation.data
        hint = self.answer_hint(seat, notation)
        if seat == "attacker":
            if data["stage"] == "last_word":
                question = "That was your last attempt. Which flag did its run have? Say none if you do not know."
                return Asked(question, "the flag, if you know it", {"flag": _EXAMPLE_FLAG}, _EXAMPLE_FLAG, whole=True)
            payload = "print(1 + 1)"  # no way out of anything: weak models copy examples
            if not data["attempts"]:
                return Asked("What is your payload?", hint, {"payload": payload}, "\n" + _fenced(payload))
            question = "What is your next payload? If you know the flag of your last run, state it too."
            hint += ", and beside it the flag of your last run if you know it"
            return Asked(question, hint, {"flag": "", "payload": payload}, "\n" + _fenced(payload))
        if seat == "sandbox":
            report = report_json(Report("name and version", (Execution("proof:1", "ok", 0, "...", 3),)))
            return Asked("What came of the runs that are due?", hint, report, json.dumps(report))
        answer, text = self.example(notation)
        return Asked("What are your jail and its proof?", hint, answer, "\n" + text + "\n")

    # ------------------------------------------------------------------- JSON

    def dump(self, state: Jailed) -> Json:
        return {
            "luck": list(state.luck),
            "defence": state.defence and list(state.defence),
            "vetting": state.vetting and report_json(state.vetting),
            "attempts": [[*attack, report and report_json(report)] for attack, report in state.attempts],
            "last_word": state.last_word,
            "again": state.again and report_json(state.again),
        }

    def load(self, data: Json) -> Jailed:
        attempts = tuple(Attempt(Attack(payload, flag), _report(report)) for payload, flag, report in data["attempts"])
        defence = data["defence"] and Defence(*data["defence"])
        vetting, again = _report(data["vetting"]), _report(data["again"])
        return Jailed(Chance(*data["luck"]), defence, vetting, attempts, data["last_word"], again)


def _report(data: Json) -> Report | None:
    return None if data is None else read_report(data)


def _check_source(source: Any, limit: int, what: str) -> None:
    if not isinstance(source, str):
        raise Illegal("invalid_format", f"{what} must be text")
    if not source.strip():
        raise Illegal("nothing_said", f"{what} is empty")
    size = len(source.encode("utf-8", "surrogatepass"))
    if size > limit:
        raise Illegal("too_long", f"{what} has {size:,} bytes; the limit is {limit:,}")


def _fenced(source: str) -> str:
    return f"```python\n{source}\n```"


def _text(about: str) -> dict[str, Json]:
    return {"type": "string", "description": about}


def _object(properties: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _report_schema() -> dict[str, Json]:
    run = {
        "name": {"type": "string"},
        "status": {"type": "string", "enum": list(STATUSES)},
        "exit_code": {"type": ["integer", "null"]},
        "output": {"type": "string", "maxLength": OUTPUT_LIMIT},
        "size": {"type": "integer", "minimum": 0},
        "truncated": {"type": "boolean"},
        "found": {"type": "string", "maxLength": FOUND_LIMIT},
    }
    sandbox = {"type": "string", "maxLength": SANDBOX_LIMIT}
    return _object({"sandbox": sandbox, "runs": {"type": "array", "items": _object(run)}})
