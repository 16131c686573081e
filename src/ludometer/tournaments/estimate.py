"""What a run would take before it is started: matches, calls, tokens and cost, as ranges.

Games are played at random to learn how long they are; prompts are composed and counted, never sent.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from ludometer.core import AnyGame, Chance, Decision, Json, Seat, Turn, Usage, make_game
from ludometer.matches import Match, MatchPolicy
from ludometer.models import ModelSettings
from ludometer.models.pricing import cost_of
from ludometer.models.recorded import RecordedModel
from ludometer.players import Entrant
from ludometer.players.llm import LlmPlayer
from ludometer.prompts import PromptStyle
from ludometer.store import MatchPlan
from ludometer.tournaments.asked_calls import AskedCalls, asked_calls
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.roster import official_key
from ludometer.tournaments.schedule import outlook

__all__ = ["Estimate", "ModelEstimate", "ModelSeats", "Range", "Scheduled", "early_end", "estimate"]

_SAMPLES = 40
_CHARACTERS_PER_TOKEN = (3.0, 4.5)
"""English prose and JSON in the tokenizers of current models lie between these."""
_OUTPUT_TOKENS = (8, 2000)
"""Of one answer where no max_tokens is set: a bare move, and a model that reasons at length."""


class Range(NamedTuple):
    """From the least to the most that is plausible."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{_rounded(self.low)} to {_rounded(self.high)}"


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What one entrant with a language model would be asked. ``cost`` is None where no price is known."""

    name: str
    matches: int
    calls: Range
    input_tokens: Range
    output_tokens: Range
    cost: Range | None

    @property
    def cost_text(self) -> str:
        return "unknown" if self.cost is None else f"{self.cost.low:.2f} to {self.cost.high:.2f}"


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What is played of one game in one condition: seatings (of two: ordered pairs), and the matches of all of them."""

    game: str
    options: Mapping[str, Json]
    condition: Mapping[str, Json]
    seatings: int
    matches: int


@dataclass(frozen=True, slots=True)
class Estimate:
    matches: int
    model_matches: int
    schedule: tuple[Scheduled, ...]
    models: tuple[ModelEstimate, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class _Seat(NamedTuple):
    """Calls and prompt characters of one seat in one match: fewest, most, and characters per call. A strategy that
    makes several calls per decision is counted with all of them."""

    least: float
    most: float
    characters: float


def estimate(config: RunConfig, counts_for: Callable[[MatchPlan, str], bool] = lambda plan, name: True) -> Estimate:
    """Calls, tokens and cost of a run, as ranges. Calls nothing. Raises `ConfigurationError`.

    Args:
        counts_for: whether a match is counted for a holder of one of its seats (an entrant, or `official_key`).
    """
    config.check_expected_order()
    games: dict[str, AnyGame] = {}
    seats = ModelSeats(config)
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    counts: Counter[str] = Counter()
    with_models = 0
    plans = list(outlook(config))
    for plan in plans:
        key = repr((plan.game, plan.options))
        if key not in games:
            games[key] = make_game(plan.game, plan.options)
        asked = seats.models(games[key], plan)
        with_models += bool(asked)
        counts.update(name for name in set(asked.values()) if counts_for(plan, name))
        for seat, name in asked.items():
            if not counts_for(plan, name):
                continue
            expected = seats.of(games[key], plan, seat, name)
            calls = (expected.least, expected.most)
            for i, value in enumerate((*calls, *(count * expected.characters for count in calls))):
                sums[name][i] += value
    models = tuple(_model(seats.holders[name], counts[name], sums[name]) for name in counts)
    notes = (*_notes(models, seats.asked), *early_end(config))
    return Estimate(len(plans), with_models, _scheduled(plans), models, notes)


def early_end(config: RunConfig) -> tuple[str, ...]:
    """The sentence that a run with ``stop_when`` may take less than its schedule."""
    if config.stop_when is None:
        return ()
    return (f'the whole schedule is counted; stop_when = "{config.stop_when}" may end the run sooner',)


def _scheduled(plans: Sequence[MatchPlan]) -> tuple[Scheduled, ...]:
    groups: dict[str, list[MatchPlan]] = defaultdict(list)
    for plan in plans:
        groups[repr((plan.game, plan.options, plan.condition))].append(plan)
    return tuple(
        Scheduled(g[0].game, g[0].options, g[0].condition, len({tuple(plan.seats.values()) for plan in g}), len(g))
        for g in groups.values()
    )


def _model(entrant: Entrant, matches: int, sums: list[float]) -> ModelEstimate:
    settings = _settings(entrant)
    inputs = Range(sums[2] / _CHARACTERS_PER_TOKEN[1], sums[3] / _CHARACTERS_PER_TOKEN[0])
    most = settings.max_tokens or _OUTPUT_TOKENS[1]
    outputs = Range(sums[0] * min(_OUTPUT_TOKENS[0], most), sums[1] * most)
    return ModelEstimate(
        entrant.name, matches, Range(sums[0], sums[1]), inputs, outputs, _cost(entrant, settings, inputs, outputs)
    )


def _cost(entrant: Entrant, settings: ModelSettings, inputs: Range, outputs: Range) -> Range | None:
    provider, _, model = entrant.spec.name.partition("/")
    if provider == "local":
        return Range(0.0, 0.0)
    ends = [
        cost_of(Usage(input=round(i), output=round(o)), provider=provider, model=model, override=settings.price)
        for i, o in zip(inputs, outputs, strict=True)
    ]
    return None if ends[0] is None or ends[1] is None else Range(ends[0], ends[1])


def _settings(entrant: Entrant) -> ModelSettings:
    own = {key: value for key, value in entrant.spec.options.items() if key in ModelSettings.model_fields}
    return ModelSettings.model_validate(own)


def _notes(models: tuple[ModelEstimate, ...], asked: Mapping[str, Sequence[AskedCalls]]) -> tuple[str, ...]:
    if not models:
        return ()
    notes = [
        f"lengths are from {_SAMPLES} random games each; the most counts every allowed attempt as used",
        "tokens are counted from composed prompts at 3 to 4.5 characters each; answers without max_tokens are taken as "
        f"{_OUTPUT_TOKENS[0]} to {_OUTPUT_TOKENS[1]} tokens",
    ]
    notes += filter(None, (_calls_words(strategy, asked[strategy]) for strategy in sorted(asked)))
    unknown = [model.name for model in models if model.cost is None]
    if unknown:
        notes.append(f"no price is known for {', '.join(unknown)}; set price = {{input = ..., output = ...}}")
    return tuple(notes)


def _calls_words(strategy: str, asked: Sequence[AskedCalls]) -> str | None:
    """How many calls a strategy makes for one decision; None for the one call that everybody expects."""
    least, most = min(calls.least for calls in asked), max(calls.most for calls in asked)
    told = all(calls.told for calls in asked)
    if told and most == 1:
        return None
    number = f"{least:g} to {most:g} calls" if least != most else "1 call" if most == 1 else f"{most:g} calls"
    unknown = "; it does not say how many at most: it was followed with a model that only listens"
    return f"strategy {strategy}: {number} for a decision{'' if told else unknown}"


class _Asked(NamedTuple):
    """A seat in games of random moves: how often it was asked in each, and some of the turns."""

    counts: list[int]
    turns: list[Turn]


class ModelSeats:
    """Who is asked in which seat, and how often, learned once per game, condition, number of seats, seat and holder.
    Random games are played once per game and number of seats, and prompts composed once per way of asking.

    Attributes:
        holders: entrants by name, and officials by `official_key`.
        asked: what each strategy asks for one decision, in every game and seat that was looked at.
    """

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self.holders = {entrant.name: entrant for entrant in config.entrants()}
        self.asked: dict[str, list[AskedCalls]] = {}
        self._known: dict[tuple[str, str, int, Seat, str], _Seat] = {}
        self._played: dict[tuple[str, int], dict[Seat, _Asked]] = {}
        self._asked: dict[tuple[str, int, Seat, PromptStyle, str], AskedCalls] = {}

    def models(self, game: AnyGame, plan: MatchPlan) -> dict[Seat, str]:
        """The seats of a match that language models hold, with the holder's name."""
        asked = {}
        for role in game.roles(len(plan.seats)):
            if role.kind == "official":
                name = official_key(role.official)
                if name not in self.holders:
                    self.holders[name] = replace(self._config.official(role), name=name)
            else:
                name = plan.seats[role.of or role.name]
            if self.holders[name].is_model:
                asked[role.name] = name
        return asked

    def of(self, game: AnyGame, plan: MatchPlan, seat: Seat, name: str) -> _Seat:
        key = (repr(game), repr(plan.condition), len(plan.seats), seat, name)
        if key not in self._known:
            self._known[key] = self._learn(game, plan, seat, name)
        return self._known[key]

    def _learn(self, game: AnyGame, plan: MatchPlan, seat: Seat, name: str) -> _Seat:
        condition = plan.condition
        entrant = self.holders[name]
        if game.role(len(plan.seats), seat).kind == "contestant":
            entrant = self._config.entrant_under(entrant, condition)
        player = entrant.make_player(self._config.models, lambda model, *_: RecordedModel(model, {}))
        assert isinstance(player, LlmPlayer)
        policy = self._config.policy_of(condition, plan.game, plan.options)
        played = (repr(game), len(plan.seats))
        if played not in self._played:
            self._played[played] = _random_games(game, len(plan.seats))
        asked = self._played[played][seat]
        mean = sum(asked.counts) / len(asked.counts)
        strategy = str(entrant.spec.options.get("strategy", "plain"))
        key = (*played, seat, player.style, strategy)
        if key not in self._asked:
            self._asked[key] = asked_calls(entrant, self._config.models, asked.turns)
        calls = self._asked[key]
        self.asked.setdefault(strategy, []).append(calls)
        return _Seat(mean * calls.least, _most_calls(mean, policy) * calls.most, calls.characters)


def _most_calls(turns: float, policy: MatchPolicy) -> float:
    most = turns * policy.attempts if policy.attempts is not None else math.inf
    return min(most, float(policy.max_moves)) if policy.max_moves is not None else most


def _random_games(game: AnyGame, n: int) -> dict[Seat, _Asked]:
    """Games of random moves: of each and every seat three turns or so."""
    found = {role.name: _Asked([], []) for role in game.roles(n)}
    for sample in range(_SAMPLES):
        asked = _random_game(game, n, sample)
        for seat, (counts, turns) in found.items():
            own = [turn for turn in asked if turn.seat == seat]
            counts.append(len(own))
            turns += own[:: max(1, len(own) // 3)]
    return found


def _random_game(game: AnyGame, n: int, sample: int) -> list[Turn]:
    """The turns of a game of random moves."""
    match = Match(game, n, luck=sample, seed=sample)
    asked: list[Turn] = []
    chance = Chance.from_seed("estimate").named(sample)
    while turns := match.turns():
        asked += turns
        for turn in turns:
            match.submit(turn.seat, Decision(turn.sample(chance.named(turn.step, turn.seat))))
    return asked


def _rounded(value: float) -> str:
    return f"{value:,.0f}"
