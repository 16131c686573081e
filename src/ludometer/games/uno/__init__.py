"""UNO for 2 to 10 players, with the rules as a published study of language models states them.

Source: Qin et al., "UNO Arena for Evaluating Sequential Decision-Making Capability of Large Language Models" (2024),
section 3 and appendix A. Where it is silent the rules are options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from ludometer.core import Asked, Chance, Game, Json, Observation, Outcome, Role, Seat, View, Viewer
from ludometer.games._places import Place
from ludometer.games.uno import imagine, showing
from ludometer.games.uno.legality import check_action
from ludometer.games.uno.notation import encoded, named, read_answer, read_text, written
from ludometer.games.uno.notation import schema as answer_schema
from ludometer.games.uno.picture import card_places, drawn_table
from ludometer.games.uno.state import Action, Options, Record, State, applied, deal, legal_actions, winners
from ludometer.games.uno.views import uno_views
from ludometer.games.uno.words import advice_for, asked_for, rules_text, statistics_of

__all__ = ["Uno"]


class Uno(Game[State, Action]):
    """UNO.

    Args:
        two_player_reverse: what a Reverse does where two play: ``again``: whoever played it plays again; ``pass``: the
            turn passes as after a number card.
        drawn_card: who draws for want of a card to play may ``keep`` it, which ends the turn, or ``may_play`` it at
            once if it fits.
        last_card_effect: whether an action card that empties a hand still takes effect before the game ends.
        forced_draw: ``auto``: who can only draw draws without being asked; ``ask``: it is a decision, with one answer.
    """

    name: ClassVar[str] = "uno"
    title: ClassVar[str] = "UNO"
    players: ClassVar[tuple[int, int]] = (2, 10)
    perfect_information: ClassVar[bool] = False
    has_luck: ClassVar[bool] = True
    compares_equals: ClassVar[bool] = False
    notes: ClassVar[tuple[str, ...]] = (
        "Where several players of UNO win, each scores an equal share of the win; losers are not compared with each "
        "other.",
    )

    def __init__(
        self,
        two_player_reverse: Literal["again", "pass"] = "again",
        drawn_card: Literal["keep", "may_play"] = "keep",
        last_card_effect: bool = False,
        forced_draw: Literal["auto", "ask"] = "auto",
    ) -> None:
        for option, given, allowed in (
            ("two_player_reverse", two_player_reverse, ("again", "pass")),
            ("drawn_card", drawn_card, ("keep", "may_play")),
            ("forced_draw", forced_draw, ("auto", "ask")),
        ):
            if given not in allowed:
                raise ValueError(f"{option} must be {' or '.join(allowed)}, not {given!r}")
        self.rule_options = Options(two_player_reverse, drawn_card, bool(last_card_effect), forced_draw)

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(Role(str(i), title=f"Player {i}") for i in range(1, n + 1))

    def new(self, n: int, chance: Chance) -> State:
        return deal(n, chance, self.rule_options)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return () if winners(state, self.rule_options) else (str(state.player + 1),)

    def apply(self, state: State, moves: Mapping[Seat, Action]) -> State:
        (action,) = moves.values()
        return applied(state, action, self.rule_options)

    def outcome(self, state: State) -> Outcome | None:
        """Each of k winners scores 1/k, everybody else 0."""
        won = winners(state, self.rule_options)
        if not won:
            return None
        scores = {str(i + 1): 1 / len(won) if i in won else 0.0 for i in range(state.n)}
        return Outcome(scores, "pile exhausted" if state.hands[won[0]] else "hand empty")

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        return legal_actions(state)

    def max_steps(self) -> int:
        """Every card is drawn and played at most once, as cards never return to the pile."""
        options = self.rule_options
        played, colours, challenges, drawn = 107, 8, 4, 93
        asked = drawn * ((options.forced_draw == "ask") + (options.drawn_card == "may_play"))
        return played + colours + challenges + asked

    def determinize(self, state: State, seat: Seat, chance: Chance) -> State:
        return imagine.imagined(state, int(seat) - 1, chance)

    def swap_hidden(self) -> Sequence[tuple[State, State, Seat]]:
        return imagine.twins(self.rule_options)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        check_action(state, action)

    # --------------------------------------------------------------- notation

    def format(self, state: State, action: Action) -> str:
        return written(action)

    def parse(self, state: State, seat: Seat, text: str) -> Action:
        return read_text(state, text)

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        """The whole text, where it names a decision: which of its words count depends on what was asked."""
        return [text.strip()] if named(text) else []

    def schema(self, state: State, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        return answer_schema(state.phase, self.rule_options)

    def encode(self, state: State, action: Action, notation: str | None = None) -> Json:
        return encoded(action)

    def decode(self, state: State, seat: Seat, answer: Json) -> Action:
        return read_answer(state, answer)

    # ---------------------------------------------------------------- showing

    def observe(self, state: State, viewer: Viewer) -> Observation:
        return showing.observation(state, viewer, self.rule_options)

    def views(self) -> Mapping[str, View]:
        return uno_views(self.rule_options)

    def rules(self) -> str:
        return rules_text(self.rule_options)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "by the name of the card, the colour, or as challenge or no challenge, whichever is asked"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        return {"card": "Green 7"}, "Green 7"

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        return asked_for(observation)

    def statistics(self, observation: Observation) -> str:
        return statistics_of(observation)

    def advice(self, observation: Observation) -> Sequence[str]:
        return advice_for(observation)

    def svg(self, observation: Observation) -> str:
        return drawn_table(observation)

    def places(self, observation: Observation) -> Sequence[Place]:
        return card_places(observation)

    def parts(self, observation: Observation, notation: str, action: Action) -> Sequence[str]:
        return [notation]

    # ------------------------------------------------------------------- JSON

    def dump(self, state: State) -> Json:
        return {
            **state._asdict(),
            "hands": [list(hand) for hand in state.hands],
            "pile": list(state.pile),
            "turned": list(state.turned),
            "absent": [list(known) for known in state.absent],
            "history": [[r.seat, r.kind, r.value, list(r.cards)] for r in state.history],
        }

    def load(self, data: Json) -> State:
        return State(
            hands=tuple(tuple(hand) for hand in data["hands"]),
            pile=tuple(data["pile"]),
            turned=tuple(data["turned"]),
            top=data["top"],
            colour=data["colour"],
            player=data["player"],
            direction=data["direction"],
            phase=data["phase"],
            before=data["before"],
            absent=tuple(tuple(known) for known in data["absent"]),
            history=tuple(Record(seat, kind, value, tuple(cards)) for seat, kind, value, cards in data["history"]),
        )
