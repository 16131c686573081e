"""Any game of OpenSpiel, by its name there: ``openspiel:backgammon``, ``openspiel:hex(board_size=5)``.

The views are the engine's own texts, with the legal moves listed below, because nobody can know how OpenSpiel writes
the moves of 100 games; for some games there are words of our own besides (``_openspiel_words``). Which games work, and
why the others do not, is recorded in ``_openspiel_known`` and held to by a test that really plays them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pyspiel

from ludometer.core import (
    Chance,
    ConfigurationError,
    Event,
    Illegal,
    Json,
    Observation,
    Outcome,
    Seat,
    View,
    Viewer,
    Watcher,
)
from ludometer.core.registry import nearest
from ludometer.games._boards import shown
from ludometer.games._openspiel import Move, OpenSpielGame, SpielState, advance
from ludometer.games._openspiel_hidden import twins
from ludometer.games._openspiel_known import IMAGINABLE, NOT_PLAYABLE
from ludometer.games._openspiel_texts import bare, listed, matching, plain, written
from ludometer.games._openspiel_words import words_of

__all__ = ["OpenSpiel", "openspiel_games"]

_SINGLE = "it has a single player"
_WRAPPINGS = ("", " \n[]{}<>*_`'\".,;:!?✓", " \n()[]{}<>*_`'\".,;:!?✓")
"""What may stand around a move, the least first: some moves end with a parenthesis."""
_SHORT = 20
_TOGETHER = int(pyspiel.PlayerId.SIMULTANEOUS)


def openspiel_games() -> Mapping[str, str | None]:
    """Every OpenSpiel game that loads by its name alone: None where it can be played here, else why not."""
    names = sorted(kind.short_name for kind in pyspiel.registered_games() if kind.default_loadable)
    return {name: NOT_PLAYABLE.get(name) for name in names}


class OpenSpiel(OpenSpielGame):
    """A game of OpenSpiel.

    Args:
        game: its name there, with parameters in parentheses if any, such as ``hex(board_size=5)``.
    """

    name: ClassVar[str] = "openspiel"
    title: ClassVar[str] = "OpenSpiel game"
    players: ClassVar[tuple[int, int]] = (2, 2)
    argument: ClassVar[str] = "game"

    def __init__(self, game: str = "kuhn_poker") -> None:
        self.game = game = game.strip()
        rules = _loaded(game)
        kind = rules.get_type()
        n = rules.num_players()
        super().__init__(game)
        # What most games know as a class is known here only with the instance.
        vars(self).update(
            title=f"{kind.long_name} (OpenSpiel)",
            players=(n, n),
            perfect_information=_open(kind),
            has_luck=kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC,
            seats=tuple(f"P{i}" for i in range(n)),
            titles=tuple(f"player {i}" for i in range(n)),
        )
        self._kind = kind
        self._words = words_of(rules)
        self._longest = int(rules.max_game_length())
        self._written: tuple[tuple[Any, int, dict[Move, str]], ...] = ()
        self._simultaneous = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS

    # ------------------------------------------------------------------ rules

    def to_act(self, state: SpielState) -> tuple[Seat, ...]:
        if self._exhausted(state):
            return ()
        engine = state.engine
        if engine.is_simultaneous_node():
            return tuple(seat for i, seat in enumerate(self.seats) if engine.legal_actions(i))
        return super().to_act(state)

    def legal(self, state: SpielState, seat: Seat) -> Sequence[Move]:
        return list(self._texts(state, self.seats.index(seat)))

    def sample(self, state: SpielState, seat: Seat, chance: Chance) -> Move:
        return chance.choice(self.legal(state, seat))[0]

    def apply(self, state: SpielState, moves: Mapping[Seat, Move]) -> SpielState:
        if not state.engine.is_simultaneous_node():
            return super().apply(state, moves)
        chosen = {move.steps[0]: move.steps[1] for move in moves.values()}
        joint = tuple(chosen.get(i, 0) for i in range(len(self.seats)))
        engine = state.engine.clone()
        engine.apply_actions(list(joint))
        return self._dealt(engine, state.history + joint, (*state.movers, (_TOGETHER, len(joint))), state.chance)

    def outcome(self, state: SpielState) -> Outcome | None:
        outcome = super().outcome(state)
        if outcome is not None:
            return outcome._replace(reason=self._payoffs(state, outcome.payoffs or {}))
        if not self._exhausted(state):
            return None
        share = self.score_sum / len(self.seats)
        return Outcome(dict.fromkeys(self.seats, share), f"stopped after {self._longest} moves, the most there can be")

    def _exhausted(self, state: SpielState) -> bool:
        """Whether the longest game that OpenSpiel names has been played: not every engine keeps to it by itself."""
        return len(state.movers) >= self._longest

    def _payoffs(self, state: SpielState, payoffs: Mapping[Seat, float]) -> str:
        words = ", ".join(f"player {seat[1:]} {value:g}" for seat, value in payoffs.items())
        # Short games often run their full length, which says nothing about how they ended.
        if self._longest <= _SHORT or not self._exhausted(state):
            return f"payoffs: {words}"
        return f"payoffs after {self._longest} moves, the most there can be: {words}"

    def max_steps(self) -> int:
        return self._longest * (len(self.seats) if self._simultaneous else 1)

    def determinize(self, state: SpielState, seat: Seat, chance: Chance) -> SpielState:
        """With hidden information: what OpenSpiel's ``resample_from_infostate`` draws, where that keeps its promise."""
        if self.perfect_information:
            return super().determinize(state, seat, chance)
        if not _imaginable(self._rules):
            raise ConfigurationError(
                f"{self.title} cannot be searched: it has hidden information and OpenSpiel has no sound way to imagine "
                f"it"
            )
        luck = chance.named("imagined")

        def unit() -> float:
            nonlocal luck
            value, luck = luck.unit()
            return value

        engine = state.engine.resample_from_infostate(self.seats.index(seat), unit)
        return self.recorded(engine.history(), chance)

    @property
    def engine_rules(self) -> Any:
        """OpenSpiel's own game object."""
        return self._rules

    def recorded(self, history: Sequence[int], chance: Chance) -> SpielState:
        """The state after a history of the engine's actions."""
        engine = self._rules.new_initial_state()
        movers: list[tuple[int, int]] = []
        place = 0
        while place < len(history):
            together = engine.is_simultaneous_node()
            count = len(self.seats) if together else 1
            if not engine.is_chance_node():
                movers.append((_TOGETHER if together else engine.current_player(), count))
            advance(engine, history[place : place + count])
            place += count
        return SpielState(tuple(history), tuple(movers), chance, engine)

    def swap_hidden(self) -> Sequence[tuple[SpielState, SpielState, Seat]]:
        if self.perfect_information:
            return ()
        chance = Chance.from_seed("swap_hidden")
        return [
            (self.recorded(pair.one, chance), self.recorded(pair.other, chance), self.seats[pair.player])
            for pair in twins(self._rules, chance)
        ]

    # --------------------------------------------------------------- notation

    def _texts(self, state: SpielState, player: int) -> dict[Move, str]:
        """A player's legal moves and how they are written. The last few answers are kept: some games write slowly."""
        for engine, asked, texts in self._written:
            if engine is state.engine and asked == player:
                return texts
        texts = written(state.engine, player)
        if state.history:  # without one, this may be an engine that is being replayed, and will change
            self._written = ((state.engine, player, texts), *self._written[:3])
        return texts

    def format(self, state: SpielState, action: Move) -> str:
        player = action.steps[0] if state.engine.is_simultaneous_node() else state.engine.current_player()
        return self._texts(state, player)[action]

    def parse(self, state: SpielState, seat: Seat, text: str) -> Move:
        """The legal move written so; failing that, the longest one that the text ends with."""
        texts = {move: plain(words) for move, words in self._texts(state, self.seats.index(seat)).items()}
        stripped = (plain(text.strip(around)) for around in _WRAPPINGS)
        fitting = next((found for wanted in stripped if (found := matching(texts, wanted))), [])
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Illegal("ambiguous", f"{shown(text)} may be any of {len(fitting)} legal moves; write it as listed")
        raise self.explain(state, seat, text)

    def decode(self, state: SpielState, seat: Seat, answer: Json) -> Move:
        """In a structured answer the move stands alone: nothing is looked for in words around it."""
        move = super().decode(state, seat, answer)
        said, meant = plain(str(answer["move"])), plain(self.format(state, move))
        if said != meant and bare(said) != bare(meant):
            raise self.explain(state, seat, str(answer["move"]))
        return move

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return [line.strip() for line in text.splitlines() if line.strip()]

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "exactly as it stands in the list of legal moves"

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        kind = self._kind
        n = len(self.seats)
        together = "All players move at the same time. " if self._simultaneous else ""
        own = "The rules are OpenSpiel's. " + together if self._words is None else self._words.rules(self._rules) + " "
        aim = f"The aim is to end with a higher payoff than the other{' player' if n == 2 else ' players'}."
        if kind.utility == pyspiel.GameType.Utility.IDENTICAL:
            aim = "All players get the same payoff; the aim is to make it as high as you can together."
        return (
            f"You are playing {kind.long_name}, one of the games of OpenSpiel ({self.game}), with {n} players, "
            f"numbered from 0. {own}In every turn you are shown the state of the game and a list of your legal moves, "
            f"from which you choose one. {aim}"
        )

    def observe(self, state: SpielState, viewer: Viewer) -> Observation:
        seats = self.to_act(state)
        all_seen = self.perfect_information or viewer is Watcher.FULL
        data: dict[str, Json] = {"state": None, "history": None, "legal": None}
        events: tuple[Event, ...] = ()
        if all_seen or viewer in self.seats:
            events = tuple(e for e in self._events(state) if all_seen or e.seat == viewer)
        if viewer in self.seats:
            player = self.seats.index(str(viewer))
            data |= self._seen(state.engine, player)
            if viewer in seats:
                data["legal"] = listed(self._texts(state, player))
        elif all_seen:
            data["state"] = str(state.engine)
        data["moves"] = [[event.seat, event.what] for event in events]
        if self._words is not None and self._words.show is not None:
            data["seats"] = list(self.seats)
            if self._kind.short_name == "leduc_poker":
                data["suits_alike"] = bool(self._rules.get_parameters().get("suit_isomorphism", False))
        return Observation(viewer, data, events, seats)

    def _seen(self, engine: Any, player: int) -> dict[str, Json]:
        """What the engine tells a player: of the state now, and of the whole game."""
        kind = self._kind
        state = history = None
        if kind.provides_observation_string:
            state = str(engine.observation_string(player))
        elif self.perfect_information:
            state = str(engine)
        if kind.provides_information_state_string and not self.perfect_information:
            history = str(engine.information_state_string(player))
        seen: dict[str, Json] = {"state": state, "history": history}
        if self.perfect_information and self._words is not None and self._words.facts is not None:
            seen["facts"] = self._words.facts(engine, player)
        return seen

    def _witnessed(self, before: SpielState, mover: int, steps: tuple[int, ...]) -> list[Event]:
        if mover != _TOGETHER:
            return super()._witnessed(before, mover, steps)
        players = [i for i in range(len(self.seats)) if before.engine.legal_actions(i)]
        return [Event(self.seats[i], self.format(before, Move((i, steps[i])))) for i in players]

    def views(self) -> Mapping[str, View]:
        views = []
        if self._words is not None and self._words.show is not None:
            explain, show = self._words.explain, self._words.show
            views.append(View("words", lambda o: explain, lambda o: _render_words(o, show)))
        if not self.perfect_information and self._kind.provides_information_state_string:
            views.append(View("information", lambda o: _INFORMATION_WORDS, lambda o: _render(o, "history")))
        if self.perfect_information or self._kind.provides_observation_string:
            views.append(View("state", lambda o: _STATE_WORDS, lambda o: _render(o, "state")))
        views.append(View("moves", lambda o: _MOVES_WORDS, _render_moves))
        return {view.name: view for view in views}


def _open(kind: Any) -> bool:
    """Whether nothing is hidden; in a game of one simultaneous move, nothing is before it."""
    return bool(kind.information != pyspiel.GameType.Information.IMPERFECT_INFORMATION)


def _loaded(game: str) -> Any:
    """The engine's game. Raises ValueError with the reason why it cannot be played here."""
    name = game.partition("(")[0].strip()
    known = pyspiel.registered_names()
    if name not in known:
        raise ValueError(f"OpenSpiel has no game {name[:60]!r}{nearest(name, known, list_all=False)}")
    if name in NOT_PLAYABLE and NOT_PLAYABLE[name] != _SINGLE:  # some have more players with other parameters
        raise ValueError(f"OpenSpiel's {name} cannot be played here: {NOT_PLAYABLE[name]}")
    try:
        rules = pyspiel.load_game(game)
    except (pyspiel.SpielError, ValueError, RuntimeError) as error:
        problem = " ".join(str(error).split())[:200]
        raise ValueError(f"OpenSpiel cannot load {game[:60]!r}: {problem}") from None
    unfit = _unfit(rules)
    if unfit is not None:
        raise ValueError(f"OpenSpiel's {name} cannot be played here: {unfit}")
    return rules


def _unfit(rules: Any) -> str | None:
    """Why a game of this kind cannot be played here, as far as its type tells."""
    kind = rules.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "it is a mean-field game"
    if rules.num_players() < 2:
        return _SINGLE
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its luck inside the engine, where a game cannot be repeated"
    seen = kind.provides_observation_string or kind.provides_information_state_string
    return None if seen or _open(kind) else "the engine does not say what a player sees"


def _imaginable(rules: Any) -> bool:
    """Whether the engine is known to imagine what is hidden soundly, with the parameters the game has."""
    kind = rules.get_type()
    usual = kind.parameter_specification
    changed = {key for key, value in rules.get_parameters().items() if value != usual.get(key)}
    return kind.short_name in IMAGINABLE and changed <= IMAGINABLE[kind.short_name]


# -------------------------------------------------------------------- views

_LISTED = " Your legal moves are listed below it, separated by semicolons."
_INFORMATION_WORDS = "What you know of the game so far is given in OpenSpiel's own words." + _LISTED
_STATE_WORDS = "What you see of the game now is given in OpenSpiel's own words." + _LISTED
_MOVES_WORDS = (
    "The moves that you have seen so far are listed in the order made, each with the player; None stands for none."
    + _LISTED
)


def _render(observation: Observation, key: str) -> str:
    text = observation.data[key]
    if text is None:
        text = observation.data["state"]
    if text is None:
        text = "(what the players know is hidden from others while the game goes on)"
    return _with_legal(str(text).rstrip("\n"), observation)


def _render_words(observation: Observation, show: Callable[[Observation], str]) -> str:
    seated = not isinstance(observation.viewer, Watcher)
    return _with_legal(show(observation), observation) if seated else _render(observation, "state")


def _render_moves(observation: Observation) -> str:
    lines = [f"player {seat[1:]}: {what}" for seat, what in observation.data["moves"]]
    return _with_legal("\n".join(lines) or "None", observation)


def _with_legal(text: str, observation: Observation) -> str:
    legal = observation.data["legal"]
    return text if legal is None else f"{text}\n\nLegal moves: {'; '.join(legal)}"
