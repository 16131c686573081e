"""A debate between two sides, scored by a jury.

The judges are officials. Each scores the whole debate twice, once with the side for the motion presented first as "Side
A" and once with the side against it, in two seats that know nothing of each other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from ludometer.core import (
    Asked,
    Chance,
    Event,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    View,
    Viewer,
    Watcher,
)
from ludometer.games._debate_reading import (
    SHEET_KEYS,
    Speech,
    number,
    read_sheet,
    read_speech,
    read_words,
    sheet_json,
    sheet_pattern,
    sheet_words,
    written,
)
from ludometer.games._debate_rubric import (
    DEFAULT_RUBRIC,
    ORDERS,
    SIDES,
    Sheet,
    Swap,
    read_rubric,
    side_totals,
    summed,
)
from ludometer.games._debate_views import VIEWS

__all__ = ["Debate", "Debated", "Sheet", "Speech", "topics"]

Action: TypeAlias = "Speech | Sheet"

_STANCE: Final = {"for": "for the motion", "against": "against the motion"}
_NAMES: Final = {"ab": ("for", "against"), "ba": ("against", "for")}
"""Who is Side A and who is Side B, by order of presentation."""
_WORDS: Final = (
    "because",
    "people",
    "cost",
    "time",
    "evidence",
    "shows",
    "fewer",
    "more",
    "often",
    "choice",
    "harm",
    "gain",
)


class Debated(NamedTuple):
    """A state.

    Attributes:
        motion: what is debated.
        speeches: everything said, in order: for, against, for, ...
        sheets: of every judge's seat in the order of the seats, once all have judged.
    """

    motion: str
    speeches: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()


@cache
def topics() -> Mapping[str, tuple[str, ...]]:
    """The motions that come with the game, by field."""
    text = (resources.files("ludometer") / "data" / "debate_topics.toml").read_text(encoding="utf-8")
    return {field: tuple(motions) for field, motions in tomllib.loads(text).items()}


class Debate(Game[Debated, Action]):
    """Debate.

    Args:
        rebuttals: of each side, between opening and closing statement, 0 to 10.
        judges: how many, 1 to 9. Who they are is configured as the officials ``judge1``, ``judge2``, ...
        topic: the motion; empty: one of the game's own is drawn, the same for all matches of a duplicate group.
        rubric: criteria with their weights, as ``name:weight`` pairs or a table.
        lowest, highest: ends of the scale of scores.
        swap: ``score``: all sheets count as they are; ``tie``: a judge that does not prefer the same side in both
            orders of presentation counts as having both sides level.
        words, characters: most of a speech.
    """

    name: ClassVar[str] = "debate"
    title: ClassVar[str] = "Debate"
    has_luck: ClassVar[bool] = True
    notes: ClassVar[tuple[str, ...]] = (
        "Debates are won by the scores of judges. How far they agree, and what else than the arguments moves them, is "
        "in the section on the jury.",
    )

    def __init__(
        self,
        rebuttals: int = 1,
        judges: int = 1,
        topic: str = "",
        rubric: str | dict[str, Any] = DEFAULT_RUBRIC,
        lowest: int = 1,
        highest: int = 10,
        swap: Swap = "score",
        words: int = 300,
        characters: int = 3000,
    ) -> None:
        super().__init__()
        for what, value, low, high in (
            ("rebuttals", rebuttals, 0, 10),
            ("judges", judges, 1, 9),
            ("words", words, 1, 10_000),
            ("characters", characters, 10, 100_000),
        ):
            if not low <= value <= high:
                raise ValueError(f"{what} must be from {low} to {high}, not {value}")
        if not -1000 <= lowest < highest <= 1000:
            raise ValueError(f"lowest must be below highest, both from -1000 to 1000, not {lowest} and {highest}")
        if swap not in ("score", "tie"):
            raise ValueError(f"swap must be score or tie, not {swap!r}")
        if len(topic) > 500 or len(topic.splitlines()) > 1:
            raise ValueError("the topic must be one line of up to 500 characters")
        self.rebuttals, self.judges, self.topic, self.swap = rebuttals, judges, topic.strip(), swap
        self.lowest, self.highest, self.words, self.characters = lowest, highest, words, characters
        self.criteria = read_rubric(rubric)
        self.rubric = rubric
        self.stages = ("opening", *_rebuttal_names(rebuttals), "closing")
        self._motions = (
            (self.topic,) if self.topic else tuple(motion for field in topics().values() for motion in field)
        )
        self._seats = tuple(f"judge{k}.{order}" for k in range(1, judges + 1) for order in ORDERS)
        self._pattern = sheet_pattern(self.criteria, highest)

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        sides = (Role(side, title=f"the side {_STANCE[side]}") for side in SIDES)
        # The title does not tell the two seats of a judge apart: neither is to know of the other.
        return (*sides, *(Role(seat, "official", title=f"judge {_judge(seat)}") for seat in self._seats))

    def new(self, n: int, chance: Chance) -> Debated:
        return Debated(chance.named("topic").choice(self._motions)[0])

    def to_act(self, state: Debated) -> tuple[Seat, ...]:
        if len(state.speeches) < 2 * len(self.stages):
            return (SIDES[len(state.speeches) % 2],)
        return () if state.sheets else self._seats

    def check(self, state: Debated, seat: Seat, action: Action) -> None:
        if seat in SIDES:
            self._check_speech(action)
        else:
            self._check_sheet(action)

    def _check_speech(self, action: Action) -> None:
        if not isinstance(action, Speech):
            raise Illegal("wrong_decision", "a speech is asked for, not scores")
        if not any(character.isalnum() for character in action.text):
            raise Illegal("nothing_said", "the speech has no words")
        count = len(action.text.split())
        if count > self.words:
            raise Illegal("too_long", f"the speech has {count} words, and at most {self.words} are allowed")
        if len(action.text) > self.characters:
            length = len(action.text)
            raise Illegal("too_long", f"the speech has {length} characters, and at most {self.characters} are allowed")

    def _check_sheet(self, action: Action) -> None:
        if not isinstance(action, Sheet):
            raise Illegal("wrong_decision", "scores are asked for, not a speech")
        for key, scores in zip(SHEET_KEYS, action, strict=True):
            for criterion, score in zip(self.criteria, scores, strict=True):
                if not self.lowest <= score <= self.highest:
                    scale = f"{self.lowest} to {self.highest}"
                    raise Illegal("out_of_range", f"{key}.{criterion.name} is {number(score)}; scores are from {scale}")

    def sample(self, state: Debated, seat: Seat, chance: Chance) -> Action:
        if seat in SIDES:
            count, rest = chance.below(min(8, self.words))
            spoken = []
            for _ in range(count + 1):
                word, rest = rest.choice(_WORDS)
                spoken.append(word)
            return Speech(" ".join(spoken)[: self.characters].strip())
        scores = []
        for _ in range(2 * len(self.criteria)):
            points, chance = chance.below(self.highest - self.lowest + 1)
            scores.append(float(self.lowest + points))
        half = len(self.criteria)
        return Sheet(tuple(scores[:half]), tuple(scores[half:]))

    def apply(self, state: Debated, moves: Mapping[Seat, Action]) -> Debated:
        sheets = tuple(moves[seat] for seat in self._seats if seat in moves)
        if sheets:
            return state._replace(sheets=tuple(sheet for sheet in sheets if isinstance(sheet, Sheet)))
        (speech,) = moves.values()
        assert isinstance(speech, Speech)  # check() saw to it
        return state._replace(speeches=(*state.speeches, speech.text))

    def outcome(self, state: Debated) -> Outcome | None:
        if not state.sheets:
            return None
        ours, theirs = summed(state.sheets, self.criteria, self.swap)
        score = 0.5 * ((ours > theirs) + (ours >= theirs))
        # The totals are payoffs: a reason with numbers in it would be another one for every match.
        payoffs = {"for": ours, "against": theirs}
        return Outcome({"for": score, "against": 1.0 - score}, "decided by the jury", payoffs)

    def max_steps(self) -> int:
        return 2 * len(self.stages) + len(self._seats)

    # --------------------------------------------------------------- notation

    def format(self, state: Debated, action: Action) -> str:
        return written(action) if isinstance(action, Speech) else sheet_words(action, self.criteria)

    def parse(self, state: Debated, seat: Seat, text: str) -> Action:
        return read_speech(text) if seat in SIDES else read_words(text, self._pattern)

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        """Sheets in running text. A speech is not searched for: it is all that was written."""
        return [found.group() for found in self._pattern.finditer(text)]

    def schema(self, state: Debated, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        if seat in SIDES:
            return _object({"speech": {"type": "string", "description": f"the speech, at most {self.words} words"}})
        score = {"type": "number", "minimum": self.lowest, "maximum": self.highest}
        return _object({key: _object({c.name: dict(score) for c in self.criteria}) for key in SHEET_KEYS})

    def encode(self, state: Debated, action: Action, notation: str | None = None) -> Json:
        return {"speech": action.text} if isinstance(action, Speech) else sheet_json(action, self.criteria)

    def decode(self, state: Debated, seat: Seat, answer: Json) -> Action:
        if isinstance(answer, dict):
            if seat not in SIDES:
                sheet = read_sheet(answer, self.criteria)
                if sheet is not None:
                    return sheet
            elif isinstance(answer.get("speech"), str):
                # The text is the speech, not a notation of it: quotation marks around it are the speaker's.
                return read_speech(written(Speech(answer["speech"])))
        return super().decode(state, seat, answer)

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        rebuttals = {0: "", 1: ", then a rebuttal"}.get(self.rebuttals, f", then {self.rebuttals} rebuttals in turn")
        jury = "One judge scores" if self.judges == 1 else f"A jury of {self.judges} judges scores"
        scale = f"from {self.lowest} to {self.highest}"
        return (
            "This is a debate about a motion. One side argues for it and one against it; the stances are given, "
            f"whatever anybody thinks of the motion. Each side gives an opening statement{rebuttals}, and then a "
            "closing statement; the side for the motion always speaks first. A speech has at most "
            f"{self.words} words and {self.characters} characters. {jury} both sides without being told who they are, "
            f"{scale} on every criterion:\n{self._rubric_lines()}\nWhether a judge agrees with the motion does not "
            "count, and neither does the length of speeches. The side with the higher weighted sum of all scores wins; "
            "equal sums are a draw."
        )

    def _rubric_lines(self) -> str:
        return "\n".join(f"- {c.name} (weight {c.weight:g}){': ' + c.about if c.about else ''}" for c in self.criteria)

    def observe(self, state: Debated, viewer: Viewer) -> Observation:
        order = viewer.partition(".")[2] if isinstance(viewer, str) and viewer not in SIDES else ""
        names = zip(("Side A", "Side B"), "AB", _NAMES[order], strict=True) if order else None
        sides = [
            {"name": name, "mark": mark, "argues": side, "speeches": list(state.speeches[SIDES.index(side) :: 2])}
            for name, mark, side in names or (("For", "FOR", "for"), ("Against", "AGAINST", "against"))
        ]
        data: dict[str, Json] = {
            "motion": state.motion,
            "stages": list(self.stages),
            "sides": sides,
            "now": self._now(state),
            # Judges are shown no scores, their own included: each seat judges once, and alone.
            "scores": self._totals(state) if state.sheets and not order else None,
        }
        return Observation(viewer, data, () if order else self._events(state), self.to_act(state))

    def _now(self, state: Debated) -> str | None:
        count = len(state.speeches)
        if count == 2 * len(self.stages):
            return None if state.sheets else "the scoring"
        return f"the {_statement(self.stages[count // 2])} {_STANCE[SIDES[count % 2]]}"

    def _events(self, state: Debated) -> tuple[Event, ...]:
        spoken = (Event(SIDES[i % 2], f"{self.stages[i // 2]}: {text}") for i, text in enumerate(state.speeches))
        totals = self._totals(state) if state.sheets else []
        judged = (
            Event(None, f"{t['judge']}, {t['shown_first']} first: {t['for']:g} - {t['against']:g}") for t in totals
        )
        return (*spoken, *judged)

    def _totals(self, state: Debated) -> list[dict[str, Json]]:
        found: list[dict[str, Json]] = []
        for seat, sheet in zip(self._seats, state.sheets, strict=True):
            order = seat.partition(".")[2]
            ours, theirs = side_totals(sheet, order, self.criteria)
            found.append(
                {"judge": f"judge {_judge(seat)}", "shown_first": _NAMES[order][0], "for": ours, "against": theirs}
            )
        return found

    def views(self) -> Mapping[str, View]:
        return VIEWS

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        if seat in SIDES:
            return f"the speech itself, at most {self.words} words"
        return f"as every criterion's score, from {self.lowest} to {self.highest}, for A and then for B"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        return {"speech": "..."}, "..."

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        seat = observation.viewer
        if isinstance(seat, Watcher) or seat in SIDES:
            spoken = observation.data["sides"][0 if seat == "for" else 1]["speeches"]
            kind = _statement(self.stages[min(len(spoken), len(self.stages) - 1)])
            hint = f"nothing but your {kind}, at most {self.words} words"
            question = f"Give your {kind} {_STANCE.get(str(seat), 'in the debate')}."
            return Asked(question, hint, {"speech": "..."}, "...", whole=True)
        # The example has both sides level: copied, it moves nothing.
        middle = float((self.lowest + self.highest) // 2)
        level = Sheet((middle,) * len(self.criteria), (middle,) * len(self.criteria))
        return Asked(
            "Score both sides on every criterion by what they said.",
            self.answer_hint(str(seat)),
            sheet_json(level, self.criteria),
            sheet_words(level, self.criteria),
        )

    # ------------------------------------------------------------------- JSON

    def dump(self, state: Debated) -> Json:
        return [state.motion, list(state.speeches), [[list(scores) for scores in sheet] for sheet in state.sheets]]

    def load(self, data: Json) -> Debated:
        motion, speeches, sheets = data
        return Debated(motion, tuple(speeches), tuple(Sheet(tuple(first), tuple(second)) for first, second in sheets))


def _judge(seat: Seat) -> str:
    return seat.partition(".")[0].removeprefix("judge")


def _rebuttal_names(count: int) -> Iterator[str]:
    """``rebuttal``, or ``rebuttal 1``, ``rebuttal 2`` where there are several."""
    return (f"rebuttal {i}" if count > 1 else "rebuttal" for i in range(1, count + 1))


def _statement(stage: str) -> str:
    return stage if stage.startswith("rebuttal") else f"{stage} statement"


def _object(properties: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
