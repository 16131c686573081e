"""Games whose rules come from OpenSpiel: the part they share. Each has a file of its own beside this one.

A state is a value: the engine's history of actions (chance outcomes included) and the stream that future luck comes
from. The engine's own state object rides along as a cache, takes no part in comparison, and is never changed once made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import pyspiel

from ludometer.core import (
    Chance,
    Event,
    Game,
    Illegal,
    InternalError,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    Viewer,
    placement_scores,
)

__all__ = ["Move", "OpenSpielGame", "SpielState", "advance"]


class Move(NamedTuple):
    """An action: the engine's steps that make it up (one, but for moves such as a draughts multi-jump)."""

    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SpielState:
    """
    Attributes:
        history: the engine's actions so far, chance outcomes included.
        movers: whose move each complete move was, and how many of the engine's steps it took.
        chance: where the luck of the rest of the game comes from.
        engine: cache; equal histories have equal engines.
    """

    history: tuple[int, ...]
    movers: tuple[tuple[int, int], ...]
    chance: Chance
    engine: Any = field(compare=False, repr=False)


class _Draft:
    """A state's fields while they are filled in."""

    __slots__ = ("chance", "engine", "history", "movers")


def _state(history: tuple[int, ...], movers: tuple[tuple[int, int], ...], chance: Chance, engine: Any) -> SpielState:
    """A `SpielState`, made in a third of the time of a frozen dataclass's own ``__init__``: searches make millions.

    Both classes have the same slots, so that a draft can become a state.
    """
    draft: Any = _Draft()
    draft.history = history
    draft.movers = movers
    draft.chance = chance
    draft.engine = engine
    draft.__class__ = SpielState
    state: SpielState = draft
    return state


class _Told(NamedTuple):
    """A replay as far as it went: cache only. ``history`` ends with the last complete move."""

    history: tuple[int, ...]
    movers: tuple[tuple[int, int], ...]
    events: tuple[Event, ...]
    engine: Any

    def begins(self, state: SpielState) -> bool:
        """Whether the state's game began like this."""
        same = state.history[: len(self.history)] == self.history
        return same and state.movers[: len(self.movers)] == self.movers


class OpenSpielGame(Game[SpielState, Move]):
    """Rules from OpenSpiel, for turn-based games with perfect information.

    A subclass gives ``spec`` (the game string for OpenSpiel), ``seats``, ``titles``, rules, views and notation.
    """

    seats: ClassVar[tuple[Seat, ...]] = ("first", "second")
    titles: ClassVar[tuple[str, ...]] = ("the first player", "the second player")
    multi_step: ClassVar[bool] = False
    """Whether a player who is to act again at once is still making the same move (draughts jumps)."""

    def __init__(self, spec: str) -> None:
        super().__init__()
        self.spec = spec
        self._rules = pyspiel.load_game(spec)
        self._deterministic = self._rules.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
        self._told = _Told((), (), (), None)

    @cached_property
    def _alone(self) -> Mapping[Seat, tuple[tuple[int, int], ...]]:
        """What a move of one step adds to ``SpielState.movers``, by seat: searches make millions of moves."""
        return {seat: ((number, 1),) for number, seat in enumerate(self.seats)}

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(Role(seat, title=title) for seat, title in zip(self.seats, self.titles, strict=True))

    def new(self, n: int, chance: Chance) -> SpielState:
        return self._dealt(self._rules.new_initial_state(), (), (), chance)

    def to_act(self, state: SpielState) -> tuple[Seat, ...]:
        engine = state.engine
        return () if engine.is_terminal() else (self.seats[engine.current_player()],)

    def legal(self, state: SpielState, seat: Seat) -> Sequence[Move]:
        if not self.multi_step:
            return [Move((action,)) for action in state.engine.legal_actions()]
        return [Move(path) for path in _paths(state.engine, state.engine.current_player(), ())]

    def check(self, state: SpielState, seat: Seat, action: Move) -> None:
        if action not in self.legal(state, seat):
            raise Illegal("illegal_move", "that move is not legal here")

    def sample(self, state: SpielState, seat: Seat, chance: Chance) -> Move:
        if self.multi_step:
            return super().sample(state, seat, chance)
        return Move((chance.choice(state.engine.legal_actions())[0],))

    def apply(self, state: SpielState, moves: Mapping[Seat, Move]) -> SpielState:
        ((seat, move),) = moves.items()
        steps = move.steps
        engine = state.engine.child(steps[0])
        if len(steps) > 1:
            for step in steps[1:]:
                engine.apply_action(step)
            movers = (*state.movers, (self.seats.index(seat), len(steps)))
        else:
            movers = state.movers + self._alone[seat]
        if self._deterministic:
            return _state(state.history + steps, movers, state.chance, engine)
        return self._dealt(engine, state.history + steps, movers, state.chance)

    def outcome(self, state: SpielState) -> Outcome | None:
        if not state.engine.is_terminal():
            return None
        returns = state.engine.returns()
        scores = dict(zip(self.seats, placement_scores(returns), strict=True))
        return Outcome(scores, self.reason(state), dict(zip(self.seats, map(float, returns), strict=True)))

    def reason(self, state: SpielState) -> str:
        """What ended a finished game, in a few words."""
        returns = state.engine.returns()
        best = max(returns)
        winners = [title for title, value in zip(self.titles, returns, strict=True) if value == best]
        return "drawn" if len(winners) == len(returns) else f"won by {' and '.join(winners)}"

    def max_steps(self) -> int:
        return int(self._rules.max_game_length())

    def _dealt(
        self, engine: Any, history: tuple[int, ...], movers: tuple[tuple[int, int], ...], chance: Chance
    ) -> SpielState:
        """The state after any chance nodes, whose outcomes are drawn by their place in the history."""
        while engine.is_chance_node():
            outcome = _drawn(engine.chance_outcomes(), chance.named("chance", len(history)))
            engine.apply_action(outcome)
            history = (*history, outcome)
        return SpielState(history, movers, chance, engine)

    def determinize(self, state: SpielState, seat: Seat, chance: Chance) -> SpielState:
        """Perfect information: what is unknown is future luck only."""
        if not self.has_luck:
            return state
        return SpielState(state.history, state.movers, chance, state.engine)

    # --------------------------------------------------------------- notation

    def format(self, state: SpielState, action: Move) -> str:
        return " ".join(self.step_strings(state, action))

    def step_strings(self, state: SpielState, action: Move) -> list[str]:
        """OpenSpiel's own strings of a move's steps."""
        engine = state.engine
        if len(action.steps) == 1:
            return [str(engine.action_to_string(engine.current_player(), action.steps[0]))]
        engine = engine.clone()
        texts = []
        for step in action.steps:
            texts.append(str(engine.action_to_string(engine.current_player(), step)))
            engine.apply_action(step)
        return texts

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        """The legal move written so, capital letters, spaces and a final full stop aside."""
        wanted = _plain(text)
        matching = [move for move in self.legal(state, seat) if _plain(self.format(state, move)) == wanted]
        if len(matching) == 1:
            return matching[0]
        if matching:
            raise Illegal("ambiguous", f"{text.strip()[:60]!r} names {len(matching)} legal moves")
        raise self.explain(state, seat, text)

    def explain(self, state: SpielState, seat: Seat, text: str) -> Illegal:
        """Why ``text`` names no legal move: the rule it breaks, or that it cannot be read at all."""
        return Illegal("invalid_format", f"{text.strip()[:60]!r} names no legal move")

    def _events(self, state: SpielState) -> tuple[Event, ...]:
        """Every move so far, replayed from the history: states stay small.

        The replay goes on from where the last one ended, if that was an earlier state of the same game.
        """
        told = self._told
        if told.engine is None or not told.begins(state):
            told = _Told((), (), (), self._rules.new_initial_state())
        engine, events, steps = told.engine.clone(), list(told.events), state.history
        place = len(told.history)
        for mover, count in state.movers[len(told.movers) :]:
            while engine.is_chance_node():
                engine.apply_action(steps[place])
                place += 1
            played = steps[place : place + count]
            events += self._witnessed(SpielState((), (), state.chance, engine), mover, played)
            advance(engine, played)
            place += count
        self._told = _Told(steps[:place], state.movers, tuple(events), engine)
        return self._told.events

    def _witnessed(self, before: SpielState, mover: int, steps: tuple[int, ...]) -> list[Event]:
        """The events of one complete move (``before`` has an engine only)."""
        return [Event(self.seats[mover], self.format(before, Move(steps)))]

    # ---------------------------------------------------------------- showing

    def observe(self, state: SpielState, viewer: Viewer) -> Observation:
        events = self._events(state)
        data = {"text": str(state.engine), "moves": [event.what for event in events], **self.public(state)}
        return Observation(viewer, data, events, self.to_act(state))

    def public(self, state: SpielState) -> dict[str, Json]:
        """What this game's views need beside OpenSpiel's text and the move list."""
        return {}

    # ------------------------------------------------------------------- JSON

    def dump(self, state: SpielState) -> Json:
        return {
            "history": list(state.history),
            "movers": [list(mover) for mover in state.movers],
            "chance": list(state.chance),
        }

    def load(self, data: Json) -> SpielState:
        engine = self._rules.new_initial_state()
        advance(engine, data["history"])
        movers = tuple((mover, count) for mover, count in data["movers"])
        return SpielState(tuple(data["history"]), movers, Chance(*data["chance"]), engine)

    def rollout(self, state: SpielState, chance: Chance) -> Sequence[float]:
        """Plays at random to the end on an engine of its own, and returns the payoffs by seat.

        Quick rather than traceable: one 64-bit linear congruential stream (Knuth's MMIX constants), seeded from chance.
        """
        engine = state.engine.clone()
        luck = chance.bits()[0]
        deterministic = self._deterministic
        while not engine.is_terminal():
            luck = (luck * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            if not deterministic and engine.is_chance_node():
                engine.apply_action(_drawn(engine.chance_outcomes(), Chance(luck)))
            else:
                actions = engine.legal_actions()
                engine.apply_action(actions[(luck >> 33) % len(actions)])
        return list(engine.returns())


def advance(engine: Any, actions: Sequence[int]) -> None:
    """Applies recorded actions in place; at a simultaneous node, one for every player."""
    place = 0
    while place < len(actions):
        if engine.is_simultaneous_node():
            count = engine.num_players()
            engine.apply_actions(list(actions[place : place + count]))
        else:
            count = 1
            engine.apply_action(actions[place])
        place += count


def _paths(engine: Any, mover: int, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every complete move from here: steps until somebody else is to act."""
    for action in engine.legal_actions():
        after = engine.clone()
        after.apply_action(action)
        if not after.is_terminal() and after.current_player() == mover:
            yield from _paths(after, mover, (*path, action))
        else:
            yield (*path, action)


def _drawn(outcomes: Sequence[tuple[int, float]], chance: Chance) -> int:
    point, _ = chance.unit()
    for action, probability in outcomes:
        point -= probability
        if point < 0:
            return action
    if not outcomes:
        raise InternalError("a chance node without outcomes")
    return outcomes[-1][0]  # the probabilities added up to a little less than one


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.strip().rstrip(".").casefold())
