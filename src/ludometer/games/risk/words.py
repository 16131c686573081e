"""The rules in words, as they are with the options of a game."""

from __future__ import annotations

import json

from ludometer.games.risk.battle import ATTACK_DICE, DEFENCE_DICE
from ludometer.games.risk.board import RiskMap
from ludometer.games.risk.cards import BONUS, FORCED
from ludometer.games.risk.lists import LONGEST
from ludometer.games.risk.notation import encode_order
from ludometer.games.risk.settings import Settings
from ludometer.games.risk.state import Order

__all__ = ["rules"]


def rules(settings: Settings) -> str:
    """The rules, with the map."""
    parts = [_aim(settings), _setup(settings), _turn(settings), _attack(settings), _cards(settings)]
    return "\n\n".join([*parts, _orders(settings), _map(settings.board)])


def _aim(settings: Settings) -> str:
    return (
        "You are playing Risk. Every territory of the map belongs to a player, who always has at least one army in it. "
        "Who loses the last territory is eliminated, and the last player left has won. After "
        f"{settings.max_turns} turns of each player the game ends: players still in it are ranked by their number of "
        "territories, then by their number of armies; those eliminated come after them, the first one last. The more "
        "players you are ahead of in the end, the better your score."
    )


def _setup(settings: Settings) -> str:
    sizes = ", ".join(f"{armies} for {n}" for n, armies in enumerate(settings.board.armies, 2))
    each = "one army" if settings.at_a_time == 1 else f"up to {settings.at_a_time} armies"
    how = {
        "dealt": "territories are dealt out by chance, and each player's armies are spread evenly over them.",
        "placed": f"territories are dealt out by chance with one army each; then the players place the rest of their "
        f"armies in turn, {each} at a time.",
        "picked": f"the players pick free territories in turn, one at a time, with one army each; then they place the "
        f"rest of their armies in turn, {each} at a time.",
    }[settings.placement]
    return (
        f"Set-up: {how} Armies to start with: {sizes} players. With two players there is also a neutral army with a "
        "third of the territories, dealt by chance, and as many armies as a player, spread evenly: it never attacks, "
        "gets no armies and no cards, and defends with as many dice as it can. It need not be beaten to win."
    )


def _turn(settings: Settings) -> str:
    return (
        "A turn: first you get armies, a third of your number of territories, rounded down, but at least 3, and the "
        "bonus of every continent that is wholly yours, and place all of them in your own territories. Then you may "
        "attack as often as you like. At last you may fortify once: move armies from one of your territories to "
        "another that is connected with it through your own territories, leaving at least one behind. Fortifying ends "
        "your turn, and so does end. If you conquered at least one territory, you draw one card then."
    )


def _attack(settings: Settings) -> str:
    how = (
        "The attack goes on, with as many dice as possible, until the defender has no army left or you have only one "
        "in the territory you attack from."
        if settings.blitz
        else "One attack is one roll; you choose the number of dice, and may attack again."
    )
    return (
        f"Attacks go from one of your territories with at least 2 armies to a territory of somebody else that borders "
        f"on it. You roll up to {ATTACK_DICE} dice, but fewer than you have armies there; the defender rolls "
        f"{DEFENCE_DICE}, or one with a single army. The highest dice are compared, then the second highest if both "
        f"sides have one: the lower one costs its side an army, and a tie costs the attacker one. {how} When the "
        "last defending army is gone, the territory is yours, and at least as many armies as you last rolled dice, and "
        "at most all but one, move in."
    )


def _cards(settings: Settings) -> str:
    value = (
        "The first set anybody trades in is worth 4 armies, the next ones 6, 8, 10, 12, 15, and then always 5 more."
        if settings.cards == "rising"
        else "Three infantry are worth 4 armies, three cavalry 6, three artillery 8, one of each 10; a wild card "
        "stands for what is worth most."
    )
    return (
        f"Cards show a territory and infantry, cavalry or artillery; two are wild. Three cards with the same or with "
        f"three different pictures are a set, and wild cards stand for any. {value} At the beginning of your turn you "
        f"may trade in sets for armies; with {FORCED} or more cards you must. Once a turn, a territory of yours that a "
        f"traded card shows gets {BONUS} extra armies. Who eliminates a player gets its cards; if that makes "
        f"{FORCED + 1} or more, sets are traded in at once until 4 or fewer are left, and their armies placed. Nobody "
        "sees the cards in other hands, only how many they are."
    )


def _orders(settings: Settings) -> str:
    a, b = _pair(settings.board)
    dice = "" if settings.blitz else " 3"
    rolled = "" if settings.blitz else " (with 3 dice)"
    words = (
        f"Orders: reinforce {a} 3 (place 3 armies); trade 1 2 3 (cards by number; trade 1 2 3 for {a} says which "
        f"territory gets the extra armies); attack {a} > {b}{dice}{rolled}; move 5 (armies into what you conquered, "
        f"the dice's minimum counted); fortify {a} > {b} 4; end."
    )
    if settings.placement == "picked":
        words += f" In the set-up: pick {a}."
    if settings.amounts == "few":
        words += (
            " The number of armies that you place, move in or fortify with must be the least possible, the most "
            "possible, or the middle between them, rounded up."
        )
    words += f" Where JSON is asked for: {_json(settings, a, b)}."
    if not settings.listed:
        return words
    return (
        f"{words} An answer is a list of up to {LONGEST} orders that are carried out one after another: a phase, or as "
        "much of your turn as you like; you are asked again until your turn is over. If an order is illegal, none of "
        "them is carried out. Orders behind an attack may depend on it: those that the dice make impossible are left "
        "out. After a conquest the order move, directly behind its attack, says how many armies move in; without it, "
        "all that may do."
    )


def _json(settings: Settings, a: str, b: str) -> str:
    number = () if settings.blitz else (3,)
    orders = [Order("reinforce", target=0, number=3), Order("trade", cards=(0, 1, 2))]
    orders += [Order("attack", 0, 1, *number), Order("move", number=5), Order("fortify", 0, 1, 4), Order("end")]
    board = settings.board._replace(names=(a, b))
    return ", ".join(json.dumps(encode_order(board, order)) for order in orders)


def _pair(board: RiskMap) -> tuple[str, str]:
    return board.names[board.around[0]], board.names[board.around[1]]


def _map(board: RiskMap) -> str:
    lines = ["The map: continents with their bonus, and for each territory those that it borders on."]
    for continent in board.continents:
        lines.append(f"{continent.name} (bonus {continent.bonus}):")
        for t in continent.members:
            lines.append(f"  {board.names[t]}: {', '.join(board.names[other] for other in board.neighbours[t])}")
    return "\n".join(lines)
