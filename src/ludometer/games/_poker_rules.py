"""The rules of a match of hold'em in words, as its options have them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Terms", "rules_text"]


class Terms(NamedTuple):
    """The options of a match; see `ludometer.games.poker.Poker`."""

    hands: int | str
    mode: str
    starting_chips: int
    small_blind: int
    big_blind: int
    ante: int
    blinds_double_every: int
    sizes: str


_CARDS = (
    "Each player gets two cards of its own. There are four betting rounds: before the flop, after the flop (three "
    "cards on the board), the turn (a fourth) and the river (a fifth). The best hand of five cards out of a player's "
    "two and the board's five wins."
)
_DECISIONS = (
    "When it is your turn you can fold or call (when there is a bet to answer), check (when there is none), bet N "
    "(when nobody has bet in this round), raise to N, or go all-in. N is always the total that your bet of this round "
    "goes to, in chips, not what you add. The blinds count as bets of the first round. Where an answer "
    "has the fields action and amount, action is fold, check, call, bet, raise or all_in, and amount is N (0 where "
    "there is no N)."
)
_BETTING = (
    "A bet must be at least the big blind, and a raise must add at least as much as the bet or raise before it, unless "
    "it is all-in. A player who has acted can raise again only when facing at least a full raise, which a smaller "
    "all-in is not. Whoever has fewer chips than a call costs can call all-in and plays for the part of the pot that "
    "everybody matched; the rest is a side pot. Bets that nobody called go back."
)
_SHOWDOWN = (
    "Equal hands split a pot; a chip that cannot be split goes to the first of them left of the button. At the end of "
    "a hand cards are shown in turn, and a player who cannot win any more does not show."
)
_FEW = (
    "In this match bets and raises have four sizes only: the smallest that is legal, half the pot, the pot (counted "
    "after a call), and all-in."
)


def rules_text(terms: Terms) -> str:
    """The rules in plain words."""
    goal = (
        "What counts is the number of chips won over all hands."
        if terms.mode == "cash"
        else "What counts are the chips at the end, and for those without chips how long they lasted."
    )
    few = [_FEW] if terms.sizes == "few" else []
    return " ".join([*_match(terms), _CARDS, _DECISIONS, _BETTING, *few, _SHOWDOWN, goal])


def _match(terms: Terms) -> list[str]:
    """Length, chips, blinds and button."""
    length = "until one player has all the chips"
    if terms.hands != "one_left":
        length = "for one hand" if terms.hands == 1 else f"for {terms.hands} hands"
    cash = terms.mode == "cash"
    ante = f", and everybody posts an ante of {terms.ante}" if terms.ante else ""
    every = terms.blinds_double_every
    sentences = [
        f"You are playing no-limit Texas hold'em, {length}.",
        f"Everybody has {terms.starting_chips} chips at the start{' of every hand' if cash else ''}.",
        f"The blinds are {terms.small_blind} and {terms.big_blind}{ante}"
        + (f"; all of these double after every {every} hands." if every else "."),
    ]
    if not cash:
        sentences.append("Whoever has no chips left is out of the match.")
    return [
        *sentences,
        "The button moves one player on after every hand. The two players to its left post the blinds; with two "
        "players the button posts the small blind, acts first before the flop and last after it.",
    ]
