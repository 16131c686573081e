"""The rules of a game as pure functions over immutable states."""

from __future__ import annotations

import contextlib
import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

from ludometer.core.chance import Chance
from ludometer.core.errors import ConfigurationError, Illegal, InternalError
from ludometer.core.exchange import Json
from ludometer.core.observation import Observation, Seat, View, Viewer

__all__ = ["Asked", "Game", "Outcome", "Role", "placement_scores"]

S = TypeVar("S")
A = TypeVar("A")


class Role(NamedTuple):
    """A seat of a game.

    Attributes:
        name: the seat.
        kind: contestants are scheduled and rated; officials (judge, checker, sandbox) are bound by the match's
            configuration, never rated, and void the match when they fail.
        of: another seat whose entrant also holds this one, with a context of its own (a teacher's prover).
        title: how prompts and pages call the seat.
        by: for an official, the player that holds the seat where the configuration names none.

    Officials' seats are named ``NAME`` or ``NAME.PART``: one player, named NAME, holds all parts, each with a context
    of its own (a judge has one seat for each order of presentation).
    """

    name: Seat
    kind: Literal["contestant", "official"] = "contestant"
    of: Seat | None = None
    title: str = ""
    by: str | None = None

    @property
    def official(self) -> str:
        """The official that holds this seat, as the configuration names it."""
        return self.name.partition(".")[0]


class Outcome(NamedTuple):
    """How a finished game ended by its rules.

    Attributes:
        scores: for every contestant seat (``of`` seats aside), a number in [0, 1]: 1 a win, 0.5 a draw, 0 a loss
            in two-player games. They add up to ``Game.score_sum``.
        reason: what ended it, in a few words (``line``, ``board full``, ``checkmate``).
        payoffs: the game's own units where it has them (chips, points).
    """

    scores: Mapping[Seat, float]
    reason: str
    payoffs: Mapping[Seat, float] | None = None


class Asked(NamedTuple):
    """How a decision is asked for.

    Attributes:
        question: the last words of a prompt.
        hint: how a free-text answer should name the move, completing the sentence "Name your move ..."; for an answer
            that is taken as a whole, what is to be written, completing "Write ...".
        answer, text: a well-formed answer as JSON and as text. It need not be legal now.
        whole: a free-text answer is the action, every word of it (a speech, a message); else the last move it names.
    """

    question: str
    hint: str
    answer: Json
    text: str
    whole: bool = False


def placement_scores(payoffs: Sequence[float]) -> list[float]:
    """Scores in [0, 1] that add up to 1, from payoffs: for each seat, the seats it beat (ties half), as a share of all
    pairs. With two seats that is 1, 0.5 or 0."""
    if len(payoffs) == 2:  # most games: four times as quick
        first = 0.5 * ((payoffs[0] > payoffs[1]) + (payoffs[0] >= payoffs[1]))
        return [first, 1.0 - first]
    pairs = len(payoffs) * (len(payoffs) - 1) / 2
    return [
        sum(0.5 * ((mine > other) + (mine >= other)) for j, other in enumerate(payoffs) if j != i) / pairs
        for i, mine in enumerate(payoffs)
    ]


class Game(ABC, Generic[S, A]):
    """The rules of one game, bound to its options (the keyword arguments of ``__init__``).

    States and actions are values: NamedTuples or frozen dataclasses. No method changes an argument, touches a clock,
    a model or a file, or keeps anything between calls that could change a result.
    """

    name: ClassVar[str]
    """The name it is asked for by."""
    title: ClassVar[str]
    """The name a person reads."""
    players: ClassVar[tuple[int, int]] = (2, 2)
    """Smallest and largest number of contestants."""
    perfect_information: ClassVar[bool] = True
    has_luck: ClassVar[bool] = False
    score_sum: ClassVar[float] = 1.0
    compares_equals: ClassVar[bool] = True
    """Whether seats with equal scores tied. False: the rules leave them without an order (the losers of a game that
    only one can win), and ratings of games for more than two do not compare them."""
    notations: ClassVar[tuple[str, ...]] = ()
    """Names of further move notations beside the canonical one (see `View.notation`)."""
    notes: ClassVar[tuple[str, ...]] = ()
    """What a reader of results must know of the rules as they are here: sentences that reports show."""

    options: Mapping[str, Json]
    """The options this instance was made with, defaults included."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        # Here and not in __init__, so that no subclass can forget it: games with different options must not be equal.
        game = super().__new__(cls)
        game.options = {}
        with contextlib.suppress(TypeError):  # __init__ will say what is wrong; unpickling passes nothing
            call = inspect.signature(game.__init__).bind(*args, **kwargs)  # type: ignore[misc]
            call.apply_defaults()
            game.options = call.arguments
        return game

    def __init__(self) -> None:
        """Subclasses take their options as keyword arguments."""

    # ------------------------------------------------------------------ rules

    @abstractmethod
    def roles(self, n: int) -> tuple[Role, ...]:
        """The seats of a game with ``n`` contestants, in order of play or presentation."""

    @abstractmethod
    def new(self, n: int, chance: Chance) -> S:
        """The first state of a game with ``n`` contestants; all its luck derives from ``chance``."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that decide now: none when the game is over, several when they decide simultaneously."""

    @abstractmethod
    def apply(self, state: S, moves: Mapping[Seat, A]) -> S:
        """The state after the moves of exactly the seats in ``to_act``, each of which passed ``check``."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, or None while the game goes on."""

    def legal(self, state: S, seat: Seat) -> Sequence[A] | None:
        """The legal actions of a seat that is to act; None where they cannot be listed (text, amounts)."""
        return None

    def check(self, state: S, seat: Seat, action: A) -> None:
        """Decides legality. Raises `Illegal` with the rule that is broken."""
        legal = self.legal(state, seat)
        if legal is None:
            raise InternalError(f"{type(self).__name__} lists no legal actions and has no check() of its own")
        if action not in legal:
            raise Illegal("illegal_move", f"{self.format(state, action)} is not a legal move here")

    def sample(self, state: S, seat: Seat, chance: Chance) -> A:
        """A random legal action, so that every game can be played at random."""
        legal = self.legal(state, seat)
        if not legal:
            raise InternalError(f"{type(self).__name__} lists no legal actions and has no sample() of its own")
        return chance.choice(legal)[0]

    def max_steps(self) -> int | None:
        """A proven bound on the number of decisions, where there is one."""
        return None

    def determinize(self, state: S, seat: Seat, chance: Chance) -> S:
        """A state that ``seat`` cannot tell from this one, with what it does not know drawn anew.

        With perfect information and no luck that is the state itself.
        """
        if self.perfect_information and not self.has_luck:
            return state
        raise ConfigurationError(
            f"{self.title} cannot be searched: it has hidden information or luck and no way to imagine it"
        )

    # --------------------------------------------------------------- notation

    @abstractmethod
    def format(self, state: S, action: A) -> str:
        """The action in the game's one canonical notation."""

    def parse(self, state: S, seat: Seat, text: str) -> A:
        """Reads one action written in any notation of the game. Raises `Illegal`.

        Without an override: the legal action whose canonical notation is ``text``, capital letters aside.
        """
        wanted = text.strip().casefold()
        for action in self.legal(state, seat) or ():
            if self.format(state, action).casefold() == wanted:
                return action
        raise Illegal("invalid_format", f"{text.strip()[:60]!r} is not a move in this game's notation")

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        """Everything in running text that looks like a move, in order, each piece readable by ``parse``.

        Used for free-text answers, where the last stated move counts. Without an override: words made of letters,
        digits and hyphens.
        """
        return re.findall(r"[^\W_][\w\-]*", text)

    def schema(self, state: S, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        """JSON Schema of a structured answer: the whole move space, not just the legal moves."""
        return {
            "type": "object",
            "properties": {"move": {"type": "string", "description": "the move, in the game's notation"}},
            "required": ["move"],
            "additionalProperties": False,
        }

    def encode(self, state: S, action: A, notation: str | None = None) -> Json:
        """The action as a structured answer. The log keeps actions in this form (canonical notation)."""
        return {"move": self.format(state, action)}

    def decode(self, state: S, seat: Seat, answer: Json) -> A:
        """Reads a structured answer in any of its forms. Raises `Illegal`; legality is for `check`.

        Every game reads ``{"move": "<notation>"}``; a game with a form of its own overrides and falls back to this.
        """
        if isinstance(answer, dict):
            move = answer.get("move")
            if isinstance(move, str):
                return self.parse(state, seat, move)
        raise Illegal("invalid_format", "the answer has no readable move")

    # ---------------------------------------------------------------- showing

    @abstractmethod
    def rules(self) -> str:
        """The rules in plain words, as they are with this instance's options."""

    @abstractmethod
    def observe(self, state: S, viewer: Viewer) -> Observation:
        """What a seat, the public, or the arena (`Watcher.FULL`) may know of the state."""

    @abstractmethod
    def views(self) -> Mapping[str, View]:
        """The renderings this game offers, the default one first."""

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        """How a free-text answer should name a move, completing the sentence "Name your move ...\""""
        return "in the game's notation"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        """A well-formed answer for the answer instructions: as JSON and as text. It need not be legal now."""
        state = self.new(self.players[0], Chance.from_seed("example"))
        seat = self.to_act(state)[0]
        action = self.sample(state, seat, Chance.from_seed("example"))
        return self.encode(state, action, notation), self.format(state, action)

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        """How a decision is asked for. Games with several kinds of decisions override this: each is asked for in its
        own words, with an example of its own."""
        answer, text = self.example(notation)
        return Asked("What is your next move?", self.answer_hint(str(observation.viewer), notation), answer, text)

    def statistics(self, observation: Observation) -> str:
        """What an attentive player would have counted so far, in words, from what was observed; empty: nothing.

        Strategies that let a model think again show it; views need not.
        """
        return ""

    def advice(self, observation: Observation) -> Sequence[str]:
        """Sentences of general advice on how to decide what is asked now; they must not depend on hidden things."""
        return ()

    def svg(self, observation: Observation) -> str | None:
        """A picture of the observation as SVG source, or None for a game without one."""
        return None

    def record(
        self,
        start: S,
        moves: Sequence[tuple[Seat, A]],
        names: Mapping[Seat, str],
        *,
        scores: Mapping[Seat, float] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> tuple[str, str] | None:
        """The game as a file of the kind its players keep (PGN, PDN, SGF), or None for a game without one.

        Args:
            start: the first state.
            moves: every legal move in the order made, with the seat that made it.
            names: seat to the name of the entrant that held it.
            scores: the result, which a forfeit may have decided before the rules did; None where there is none.
            tags: what is known beside the game, by the neutral names ``event``, ``site``, ``date`` (YYYY-MM-DD),
                ``round`` and ``termination``; a name the format has no place for is left out.

        Returns:
            The file name's extension without the dot (``pgn``) and the text.
        """
        return None

    def swap_hidden(self) -> Sequence[tuple[S, S, Seat]]:
        """For games with hidden information: pairs of states that a seat must not be able to tell apart."""
        return ()

    # ------------------------------------------------------------------- JSON

    @abstractmethod
    def dump(self, state: S) -> Json:
        """The state as JSON."""

    @abstractmethod
    def load(self, data: Json) -> S:
        """The state that ``dump`` wrote."""

    # ---------------------------------------------------------------- derived

    def role(self, n: int, seat: Seat) -> Role:
        """The role of a seat."""
        for role in self.roles(n):
            if role.name == seat:
                return role
        raise InternalError(f"{self.title} has no seat {seat!r}")

    def contestants(self, n: int) -> tuple[Seat, ...]:
        """The seats that are scheduled and scored, in order."""
        return tuple(role.name for role in self.roles(n) if role.kind == "contestant" and role.of is None)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and getattr(other, "options", None) == self.options

    def __hash__(self) -> int:
        return hash((type(self), repr(sorted(self.options.items()))))

    def __repr__(self) -> str:
        options = ", ".join(f"{key}={value!r}" for key, value in self.options.items())
        return f"{type(self).__name__}({options})"


AnyGame = Game[Any, Any]
