"""Some of OpenSpiel's games in our own words: their rules, and what a player sees written out.

What is written out comes from the engine's text for that player, or in games with perfect information from the state.
Where a text is not as expected, it is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ludometer.core import Json, Observation
from ludometer.games._openspiel_matrix import matrix_rules, matrix_text, repeated_rules, repeated_text, stage_of

__all__ = ["Words", "words_of"]


class Words(NamedTuple):
    """How a game is explained and shown.

    Attributes:
        rules: the rules, from the engine's game.
        explain: how to read what is shown.
        show: what a player sees, from its observation.
        facts: added to a player's observation, from the state and the player's number. Only for perfect information.
    """

    rules: Callable[[Any], str]
    explain: str = ""
    show: Callable[[Observation], str] | None = None
    facts: Callable[[Any, int], Json] | None = None


def words_of(rules: Any) -> Words | None:
    """The words for an OpenSpiel game (``pyspiel.Game``), or None where there are none."""
    if stage_of(rules) is not None:
        return _MATRIX if rules.get_type().short_name != "repeated_game" else _REPEATED
    return _WORDS.get(rules.get_type().short_name)


def _parameter(rules: Any, name: str) -> Any:
    return rules.get_parameters().get(name, rules.get_type().parameter_specification.get(name))


def _player(observation: Observation) -> int:
    return int(str(observation.viewer)[1:])


# ------------------------------------------------------------------------- Kuhn


def _kuhn_rules(rules: Any) -> str:
    n = rules.num_players()
    return (
        f"The deck has {n + 1} cards, numbered 0 to {n}; the highest number is the best card. Everybody puts one chip "
        f"in the pot and gets one card, which only they see. In order of their numbers the players bet one more chip "
        f"(Bet) or do not (Pass). Once somebody has bet, each of the others decides once, in order: Bet then means to "
        f"call and put in one chip, Pass means to fold and lose what was put in. If nobody bets, or when everybody has "
        f"decided, the best card of those who have not folded wins the pot. The payoff is what you win less what you "
        f"put in."
    )


def _kuhn_text(observation: Observation) -> str:
    history = observation.data["history"]
    match = re.fullmatch(r"(\d+)([pb]*)", str(history))
    if match is None:
        return str(history)
    n, acts = len(observation.data["seats"]), match[2]
    first = acts.find("b")
    lines = [f"Your card: {match[1]} (of 0 to {n})."]
    for i, act in enumerate(acts):
        called = 0 <= first < i
        meaning = {"p": "fold" if called else "no bet", "b": "call" if called else "bet"}[act]
        lines.append(f"player {i % n}: {'Pass' if act == 'p' else 'Bet'} ({meaning})")
    pot = n + acts.count("b")
    now = "There is a bet: Bet calls it for one chip, Pass folds." if first >= 0 else "Nobody has bet yet."
    return "\n".join([*lines, f"Chips in the pot: {pot}. {now}"])


# ------------------------------------------------------------------------ Leduc

_NAMES: Final = ("Jack", "Queen", "King")


def _leduc_rules(rules: Any) -> str:
    n = rules.num_players()
    ranks = "Jack, Queen and King, from low to high" if n == 2 else f"ranks 0 to {n}, from low to high"
    return (
        f"The deck has two cards of each rank: {ranks}. Everybody puts one chip in the pot and gets one card, which "
        f"only they see. There are two rounds of betting; after the first a card is shown that belongs to everybody. "
        f"In turn the players Call (put in what is missing to the highest bet; nothing if nothing is missing), Raise "
        f"(call and put in 2 chips more in the first round, 4 in the second) or, facing a raise, Fold (give up the "
        f"pot). There are at most two raises in each round. Of those left in the end, who has the same rank as the "
        f"shown card wins the pot, otherwise the highest rank; equal ranks share it. The payoff is what you win less "
        f"what you put in."
    )


def _leduc_text(observation: Observation) -> str:
    history = str(observation.data["history"])
    facts = dict(re.findall(r"\[(Private|Public|Pot|Money|Round1|Round2): ?([\d ]*)\]", history))
    number = re.search(r"\[Round (\d)\]", history)
    if number is None or not {"Private", "Pot", "Money", "Round1", "Round2"} <= set(facts):
        return history
    n, suits = len(observation.data["seats"]), not observation.data["suits_alike"]
    lines = [f"Your card: {_rank(facts['Private'], n, suits)}."]
    if "Public" in facts:
        lines.append(f"The shown card: {_rank(facts['Public'], n, suits)}.")
    out: set[int] = set()
    for name, key in (("First", "Round1"), ("Second", "Round2")):
        acts = facts[key].split()
        if acts:
            lines.append(f"{name} round: {_acts(acts, n, out)}.")
    money = ", ".join(f"player {i}: {chips}" for i, chips in enumerate(facts["Money"].split()))
    return "\n".join(
        [*lines, f"This is round {number[1]} of 2. The pot has {facts['Pot']} chips. Chips left: {money}."]
    )


def _rank(card: str, n: int, suits: bool) -> str:
    rank = int(card) // 2 if suits else int(card)
    return _NAMES[rank] if n == 2 and rank < 3 else f"rank {rank}"


def _acts(acts: Sequence[str], n: int, out: set[int]) -> str:
    """Who did what, in order; who folds is passed over from then on (``out`` is added to)."""
    said, player = [], -1
    for act in acts:
        player = next(i % n for i in range(player + 1, player + n + 1) if i % n not in out)
        said.append(f"player {player} {('folds', 'calls', 'raises')[int(act)]}")
        if act == "0":
            out.add(player)
    return ", ".join(said)


# -------------------------------------------------------------- goofspiel, auction


def _goofspiel_rules(rules: Any) -> str:
    cards, n = _parameter(rules, "num_cards"), rules.num_players()
    order = {"random": "in random order", "ascending": "from the lowest to the highest"}
    shown = order.get(_parameter(rules, "points_order"), "from the highest to the lowest")
    told = (
        "Bids are not shown, only who won"
        if _parameter(rules, "imp_info")
        else "Bids are then shown, so that everybody knows all hands"
    )
    kind = _parameter(rules, "returns_type")
    goal = {
        "win_loss": "Who has most points in the end wins.",
        "point_difference": "The payoff is your points less the average of the players.",
    }.get(kind, "The payoff is your points.")
    return (
        f"There are {cards} point cards, worth 1 to {cards}, turned up one by one {shown}, and each of the {n} players "
        f"has bid cards 1 to {cards}. For every point card all players bid one of their cards at the same time; the "
        f"highest bid wins its points, equal highest bids win nothing for anybody. Every bid card is used once. "
        f"{told}. {goal}"
    )


def _goofspiel_text(observation: Observation) -> str:
    """The engine's text, whose remaining point cards run together, with spaces between them."""
    lines = str(observation.data["state"] or observation.data["history"]).rstrip("\n").splitlines()
    hand = next((line.split(":")[1].split() for line in lines if re.match(r"P\d+ hand:", line)), [])
    for i, line in enumerate(lines):
        if match := re.fullmatch(r"Remaining Point Cards: (\d*)\s*", line):
            cards = _ascending(match[1], len(hand) - 1, 0)
            if cards is not None:
                lines[i] = f"Remaining Point Cards: {' '.join(map(str, cards)) or 'none'}"
    return "\n".join(line for line in lines if not line.startswith("Terminal?"))


def _ascending(digits: str, count: int, above: int) -> list[int] | None:
    """Digits as so many rising numbers."""
    if count <= 0 or not digits:
        return [] if count == 0 and not digits else None
    for length in (1, 2, 3):
        first = int(digits[:length])
        if first > above and len(digits) >= length:
            rest = _ascending(digits[length:], count - 1, first)
            if rest is not None:
                return [first, *rest]
    return None


def _auction_rules(rules: Any) -> str:
    most = _parameter(rules, "max_value")
    return (
        f"Something is sold by sealed bids. To every player it is worth a value of their own from 1 to {most}, each as "
        f"likely, which only they know. Everybody makes one bid, below their value, without seeing the others. The "
        f"highest bid wins, drawn by lot among equal bids, and pays what it bid: its payoff is its value less its bid. "
        f"The payoff of everybody else is 0."
    )


def _auction_text(observation: Observation) -> str:
    match = re.search(rf"p{_player(observation)} val (\d+)", str(observation.data["history"]))
    if match is None:
        return str(observation.data["history"])
    return f"To you it is worth {match[1]}. You know nothing of the others' values and bids."


# ------------------------------------------------------------------- backgammon


def _backgammon_rules(rules: Any) -> str:
    scored = _parameter(rules, "scoring_type") != "winloss_scoring"
    gammon = (
        "A gammon (the loser bore off nothing) pays double, and a backgammon more where it is counted."
        if scored
        else "Gammons count as single games."
    )
    return (
        f"Player 0 has x, player 1 has o. You roll two dice and move your checkers from higher points to lower ones, "
        f"one die at a time; a double is played twice, in two turns one after the other. Points are numbered from 24 "
        f"to 1 as you see them: your home is 6 to 1. A point with two or more checkers of the opponent is closed to "
        f"you; a single one is hit and goes to the bar. Checkers on the bar must enter first, on 25 less the die. When "
        f"all your checkers are at home, you bear them off. You must play both dice if you can. Who bears off all "
        f"checkers first wins. {gammon} A move is written from/to, such as 24/22 13/8 for two checkers and 13/8/6 for "
        f"one that moves twice; Bar is the bar, Off is off the board, * marks a hit, Pass a die that cannot be played."
    )


def _backgammon_facts(engine: Any, player: int) -> Json:
    """Checkers by point, both as the player numbers them; on the bar; and the dice."""

    def point(place: int) -> int:
        return 24 - place if player == 0 else place + 1

    sides = []
    for side in (player, 1 - player):
        found = {point(place): engine.board(side, place) for place in range(24)}
        sides.append({str(p): found[p] for p in sorted(found, reverse=True) if found[p]})
    text = str(engine)
    dice = re.search(r"Dice: ?(\d*)", text)
    scores = re.search(r"Scores, X: (\d+), O: (\d+)", text)
    off = [int(scores[1 + side]) for side in (player, 1 - player)] if scores else [0, 0]
    bar = [15 - n - sum(points.values()) for n, points in zip(off, sides, strict=True)]
    return {"own": sides[0], "other": sides[1], "bar": bar, "off": off, "dice": list(dice[1] if dice else "")}


def _backgammon_text(observation: Observation) -> str:
    facts = observation.data.get("facts")
    if facts is None or min(facts["bar"]) < 0:
        return str(observation.data["state"])
    lines = []
    for i, (who, points) in enumerate((("Your", facts["own"]), ("Opponent's", facts["other"]))):
        listed = ", ".join(f"{count} on {point}" for point, count in points.items()) or "none on the board"
        lines.append(f"{who} checkers: {listed}; {facts['bar'][i]} on the bar, {facts['off'][i]} off.")
    dice = " and ".join(facts["dice"]) or "not rolled"
    return "\n".join([*lines, "All points are numbered from your side.", f"Dice: {dice}."])


# --------------------------------------------------- battleship, gin rummy, hanabi


def _battleship_rules(rules: Any) -> str:
    width, height = _parameter(rules, "board_width"), _parameter(rules, "board_height")
    sizes, worth = (
        re.sub(r"(?<=\d)\.0\b", "", str(_parameter(rules, name)).strip("[]")).replace(";", ", ")
        for name in ("ship_sizes", "ship_values")
    )
    return (
        f"Each player has a board of {height} rows and {width} columns, both counted from 0, that the other cannot "
        f"see. First the players place ships of the sizes {sizes} in turn, horizontally or vertically, by their "
        f"top-left corner, as (row, column). Then they shoot in turn, at most {_parameter(rules, 'num_shots')} times "
        f"each, at a cell of the other's board, and learn whether they hit nothing, hit a ship, or sank it. The ships "
        f"are worth {worth}, in the order of the sizes. The payoff is the worth of the ships you sank less "
        f"{_parameter(rules, 'loss_multiplier'):g} times that of the ships you lost."
    )


def _battleship_text(observation: Observation) -> str:
    """The engine's boards, which do not tell hits from sinkings, and the shots that sank a ship."""
    history = str(observation.data["history"])
    sunk = ", ".join(f"({row}, {column})" for row, column in re.findall(r"/shot_(\d+)_(\d+):S", history))
    boards = str(observation.data["state"]).rstrip("\n")
    return f"{boards}\n\nShots of yours that sank a ship: {sunk or 'none'}."


def _gin_rules(rules: Any) -> str:
    return (
        f"Gin rummy, one hand. Each player has {_parameter(rules, 'hand_size')} cards. In turn you draw the upcard or "
        f"a card from the stock, and discard one. Melds are three or four cards of one rank, or three or more in "
        f"sequence of one suit; the ace is low. Deadwood is the worth of the cards in no meld: ace 1, court cards 10, "
        f"others their number. With a deadwood of at most {_parameter(rules, 'knock_card')} you may knock instead, "
        f"then lay your melds and discard; the other lays melds and may lay cards off on yours. The knocker wins the "
        f"difference of deadwood, and {_parameter(rules, 'gin_bonus')} more with no deadwood (gin); with no less "
        f"deadwood than the other, the other wins the difference and {_parameter(rules, 'undercut_bonus')}. Cards are "
        f"rank and suit (s, c, d, h), such as Ts for the ten of spades."
    )


def _hanabi_rules(rules: Any) -> str:
    return (
        "Hanabi is played together: all players get the same payoff, the number of cards on the fireworks in the end "
        "(0 if the last life is lost). You see everybody's cards but your own. In turn you reveal to another player "
        "which of their cards have a colour or a rank (for an info token), discard one of your cards (which brings "
        "back an info token), or play one: it must be the next rank of its colour's firework, from 1 on, or a life is "
        "lost. Each colour has three 1s, two each of the ranks between, and one card of the highest rank. Hands are "
        "listed from yours on, with Cur player before that of the player to move; of your own cards you see XX, and "
        "after the bars what was told of them and what they can be."
    )


_MATRIX = Words(matrix_rules, "What has been chosen so far, and your legal moves, are given below.", matrix_text)
_REPEATED = Words(repeated_rules, "The latest rounds and your legal moves are below.", repeated_text)
_WORDS: Mapping[str, Words] = {
    "kuhn_poker": Words(_kuhn_rules, "Your card, what was done so far, and your legal moves are below.", _kuhn_text),
    "leduc_poker": Words(_leduc_rules, "Your card, the betting so far, and your legal moves are below.", _leduc_text),
    "goofspiel": Words(
        _goofspiel_rules,
        "The game now is given below, with your legal moves. P0 is player 0; in the win sequence each number is the "
        "player who won a point card, and a negative number stands for nobody.",
        _goofspiel_text,
    ),
    "first_sealed_auction": Words(_auction_rules, "What you know and your legal moves are below.", _auction_text),
    "backgammon": Words(
        _backgammon_rules,
        "The checkers of both sides, the dice, and your legal moves are listed below.",
        _backgammon_text,
        _backgammon_facts,
    ),
    "battleship": Words(
        _battleship_rules,
        "Your own board comes first: letters are your ships, capital letters where they were hit, and * marks shots "
        "into the water. Then come your shots: @ is water and # a hit. Your legal moves are listed below.",
        _battleship_text,
    ),
    "gin_rummy": Words(_gin_rules),
    "hanabi": Words(_hanabi_rules),
}
