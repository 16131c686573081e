"""What is said about the game in words: its rules, the questions, what happened, what can be counted, and advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ludometer.core import Asked, Observation
from ludometer.games.uno.state import Options

__all__ = ["advice_for", "asked_for", "happened", "name", "question", "rank_name", "rules_text", "statistics_of"]

_COLOURS: Final = ("Red", "Yellow", "Green", "Blue")
_PER_COLOUR: Final = 25
_FUNCTIONS: Final = ("Skip", "Reverse", "Draw Two")
_WILDS: Final = ("Wild", "Wild Draw Four")


def rules_text(options: Options) -> str:
    """The rules as they are with these options."""
    sentences = [
        "You are playing UNO with 108 cards. Each of the four colours Red, Yellow, Green and Blue has one 0, two each "
        "of the numbers 1 to 9, and two each of the function cards Skip, Reverse and Draw Two; there are four Wild and "
        "four Wild Draw Four cards, which have no colour.",
        "Every player starts with seven cards. Cards are then turned over until a number card comes, which starts the "
        "discard pile. Player 1 begins; at first the turn passes clockwise, from Player 1 to Player 2 and so on.",
        "In your turn you play one card from your hand on top of the discard pile. It must have the colour in force, "
        "or the number or function of the top card, or be a wild card. The colour in force is that of the top card, or "
        "the one chosen for it if it is a wild card. " + _drawing(options),
        "Skip: the next player misses a turn. Reverse: the direction of play turns round"
        + {"again": "; with two players, you play again at once.", "pass": "; with two players, it does nothing."}[
            options.two_player_reverse
        ],
        "Draw Two: the next player draws two cards and misses a turn. Wild: you choose the colour in force. Wild Draw "
        "Four: you choose the colour in force, and the next player may challenge. If the next player does not "
        "challenge, they draw four cards and miss a turn.",
        "You should play a Wild Draw Four only if you hold no card of the colour that was in force before (wild cards "
        "have no colour; on top of a wild card, that is the colour chosen for it). Nothing stops you from playing it "
        "all the same, but if you are then challenged, you draw four cards and the challenger takes a normal turn. If "
        "you are challenged wrongly, the challenger draws six cards and misses a turn.",
        "The first player without cards wins, and the game ends at once"
        + (
            ", as soon as the effect of the last card is over."
            if options.last_card_effect
            else ": a function or wild card that was played last has no effect any more."
        ),
        "The discard pile is not used again: the game also ends as soon as the draw pile is empty. Then the players "
        "with the fewest cards win; they may be several, and share the win equally.",
    ]
    return " ".join(sentences)


def _drawing(options: Options) -> str:
    own = "If you have no such card, you draw one card"
    if options.forced_draw == "ask":
        own = "If you have no such card, and only then, you answer draw, and draw one card"
    elif options.drawn_card == "keep":
        own = "If you have no such card, you draw one card without being asked"
    if options.drawn_card == "keep":
        return f"{own}, and your turn is over."
    return f"{own}; if it fits, you may play it at once, otherwise your turn is over."


# -------------------------------------------------------------------- question


def question(observation: Observation, options: Options) -> str:
    """What is to be decided now, and what is at stake."""
    data = observation.data
    if data["player"] is None:
        return _ended(observation)
    if observation.viewer != data["player"]:
        return f"It is the turn of {name(observation, data['player'])}, to {_TO_DO[data['phase']]}."
    return f"Your decision now: {_QUESTIONS[data['phase']](observation, options)}"


_TO_DO: Final = {
    "card": "select a card",
    "drawn": "play or keep the card just drawn",
    "colour": "select a colour",
    "challenge": "challenge the Wild Draw Four or not",
}


def _ended(observation: Observation) -> str:
    won = [name(observation, seat) for seat in observation.data["winners"]]
    sizes = observation.data["hand_sizes"]
    why = "the hand is empty" if not sizes[observation.data["winners"][0]] else "the draw pile is empty"
    return f"The game is over: {' and '.join(won)} won ({why})."


def _ask_card(observation: Observation, options: Options) -> str:
    data = observation.data
    rank = rank_name(data["top"])
    same = f", has the {'function' if rank in _FUNCTIONS else 'number'} {rank}" if rank else ""
    text = f"select the card that you play. It fits if it is {data['colour']}{same}, or is a wild card."
    if options.forced_draw == "ask":
        return f"{text} If none of your cards fits, answer draw."
    return f"{text} At least one of your cards fits."


def _ask_drawn(observation: Observation, options: Options) -> str:
    return (
        f"you had nothing to play and drew {observation.data['drawn']}, which fits. Play it now by naming it, or "
        "answer keep, which ends your turn."
    )


def _ask_colour(observation: Observation, options: Options) -> str:
    data = observation.data
    text = f"select the colour. You have just played {data['top']}; the next card must have the colour that you choose"
    if data["top"] == "Wild":
        return f"{text}, or be a wild card."
    return (
        f"{text}, or be a wild card. {name(observation, data['next'])} will then decide whether to challenge; the "
        f"colour in force when you played was {data['before']}."
    )


def _ask_challenge(observation: Observation, options: Options) -> str:
    data = observation.data
    who, before = name(observation, data["previous"]), data["before"]
    return (
        f"challenge or not. {who} has just played Wild Draw Four and chosen {data['colour']}. The colour in force "
        f"before was {before}, and the play was against the rules if {who} still holds a {before} card (wild cards do "
        f"not count). If you challenge and {who} holds one, {who} draws four cards and you take a normal turn. If you "
        f"challenge and {who} holds none, you draw six cards and miss this turn. If you do not challenge, you draw "
        "four cards and miss this turn."
    )


_QUESTIONS: Final = {"card": _ask_card, "drawn": _ask_drawn, "colour": _ask_colour, "challenge": _ask_challenge}


def asked_for(observation: Observation) -> Asked:
    """The short question that ends a prompt, with an example that a copy of which is worth nothing.

    The example card is one that the player does not hold; the example colour, and whether the example challenges,
    change from decision to decision, so that on average they favour nothing.
    """
    data = observation.data
    turn = data["pile"] + len(data["history"])
    if data["phase"] == "colour":
        colour = _COLOURS[turn % 4]
        return Asked("Which colour do you choose?", "by its name", {"colour": colour}, colour)
    if data["phase"] == "challenge":
        yes = turn % 2 == 0
        hint = "as challenge or no challenge"
        return Asked("Do you challenge?", hint, {"challenge": yes}, "challenge" if yes else "no challenge")
    card = _not_held(data["hands"].get(observation.viewer) or (), turn)
    if data["phase"] == "drawn":
        return Asked(
            f"Do you play {data['drawn']} or keep it?", "by the name of the card, or as keep", {"card": card}, card
        )
    return Asked("Which card do you play?", "by the name of the card", {"card": card}, card)


def _not_held(hand: Sequence[str], turn: int) -> str:
    numbers = [f"{_COLOURS[(turn + i) % 4]} {(turn + 3 * i) % 10}" for i in range(20)]
    return next((card for card in numbers if card not in hand), numbers[0])


# -------------------------------------------------------------------- happened


def name(observation: Observation, seat: str) -> str:
    """How the viewer calls a seat."""
    return "you" if seat == observation.viewer else f"Player {seat}"


def happened(kind: str, value: Any, cards: Sequence[str] | None) -> str:
    """One record of the history, as what its seat did."""
    drawn = ": " + ", ".join(cards) if cards else ""
    if kind == "takes":
        return f"drew {value} card{'' if value == 1 else 's'}{drawn}"
    if kind == "cannot":
        return f"had nothing to play and drew {cards[0] if cards else 'a card'}"
    return _HAPPENED[kind].format(value) if kind != "challenge" else _CHALLENGED[bool(value)]


_HAPPENED: Final = {
    "card": "played {}",
    "keep": "kept the card",
    "colour": "chose {}",
    "guilty": "turned out to hold a {} card",
    "innocent": "turned out to hold no {} card",
    "skipped": "missed a turn",
    "reverse": "turned the direction of play round",
}
_CHALLENGED: Final = {True: "challenged the Wild Draw Four", False: "did not challenge the Wild Draw Four"}


# ------------------------------------------------------------------ statistics


def rank_name(card: str) -> str:
    """The number or function of a card called by its name; empty for wild cards."""
    return "" if card in _WILDS else card.partition(" ")[2]


def statistics_of(observation: Observation) -> str:
    """What can be counted from what the viewer saw. Its length does not depend on that of the match."""
    data = observation.data
    lines = [_colour_counts(data, observation.viewer), _function_counts(data), _hands(observation)]
    lines += [_draws(observation, seat) for seat in data["hand_sizes"] if seat != observation.viewer]
    return "\n".join(line for line in lines if line)


def _colour_counts(data: Mapping[str, Any], viewer: object) -> str:
    hand = data["hands"].get(viewer) or []
    parts = []
    for colour in _COLOURS:
        out = sum(count for card, count in data["seen"].items() if card.startswith(colour))
        held = sum(1 for card in hand if card.startswith(colour))
        mine = f", you hold {held}" if viewer in data["hands"] else ""
        parts.append(f"{colour} {out} of {_PER_COLOUR} played{mine}, {_PER_COLOUR - out - held} unseen")
    return f"Cards of each colour: {'; '.join(parts)}."


def _function_counts(data: Mapping[str, Any]) -> str:
    seen = data["seen"]
    functions = [f"{kind} {sum(seen.get(f'{c} {kind}', 0) for c in _COLOURS)} of 8" for kind in _FUNCTIONS]
    wilds = [f"{kind} {seen.get(kind, 0)} of 4" for kind in _WILDS]
    return f"Function and wild cards played so far: {', '.join(functions + wilds)}."


def _hands(observation: Observation) -> str:
    sizes = [f"{name(observation, seat)} {size}" for seat, size in observation.data["hand_sizes"].items()]
    return f"Cards in hand: {', '.join(sizes)}. Cards left in the draw pile: {observation.data['pile']}."


def _draws(observation: Observation, seat: str) -> str:
    """How often somebody had nothing to play, what the hand can still hold, and which colours they chose."""
    data = observation.data
    times = sum(1 for who, kind, _, _ in data["history"] if who == seat and kind == "cannot")
    size = data["hand_sizes"][seat]
    few = [
        f"none is {colour}" if most == 0 else f"at most {most} can be {colour}"
        for colour, most in data["possible"][seat].items()
        if most < size
    ]
    chosen = [value for who, kind, value, _ in data["history"] if who == seat and kind == "colour"]
    told = [f"had nothing to play {times} time{'' if times == 1 else 's'}"] if times else []
    if few:
        told.append(f"of the {size} cards held now, {', '.join(few)}")
    if chosen:
        counts = [f"{colour} {chosen.count(colour)}" for colour in _COLOURS if colour in chosen]
        told.append(f"colours chosen: {', '.join(counts)}")
    return f"Player {seat}: {'; '.join(told)}." if told else ""


# ---------------------------------------------------------------------- advice


def advice_for(observation: Observation) -> list[str]:
    """Advice on the decision that is asked."""
    return list(_ADVICE[observation.data["phase"]])


_ON_CARDS: Final = (
    "Keep Wild and Wild Draw Four for later while another card fits: they fit on everything, so they save you a draw "
    "when nothing else does, and they can be your last card.",
    "Prefer to stay in, or change to, a colour of which you hold many cards, by way of a card with the same number or "
    "function where you have one.",
    "Prefer colours of which many cards have been played, or which other players have shown that they lack: it is then "
    "harder for them to answer.",
    "When the next player has few cards left, use Skip, Reverse, Draw Two or Wild Draw Four to keep that player from "
    "finishing.",
    "While everybody holds many cards, get rid of number cards of your rarest colours when they fit, so that your hand "
    "stays easy to play out.",
    "When the draw pile is nearly empty, the smallest hand will win: then count cards, and make others draw.",
)
_ADVICE: Final[Mapping[str, Sequence[str]]] = {
    "card": (
        *_ON_CARDS,
        "A Wild Draw Four while you hold a card of the colour in force can be challenged and cost you four cards; use "
        "it when you hold none.",
    ),
    "drawn": (
        "Playing the card makes your hand smaller: as a rule do so.",
        "A wild card may be worth keeping while nobody is about to finish.",
        *_ON_CARDS[1:4],
    ),
    "colour": (
        "Choose the colour of which you hold most cards, function cards counting most.",
        "Between colours of which you hold about the same number, choose the one that the next player is least likely "
        "to hold: one they could not follow before, or of which few cards are unseen.",
        "Do not choose a colour that an opponent with few cards has just played or chosen.",
        "Think of your next turn: you should be able to play in the colour that you choose.",
    ),
    "challenge": (
        "Challenging wins a turn and costs the other player four cards if it succeeds, and costs you two more cards "
        "than not challenging if it fails: challenge unless success is rather unlikely (less than about one in four).",
        "The more cards the other player holds, the more likely one of them has the colour that was in force.",
        "A player who chose or kept to that colour lately probably holds it; one who had to draw on that colour a "
        "short while ago probably does not.",
        "Count the cards of that colour: the more of them have been played or are in your own hand, the less likely "
        "the other player holds one.",
    ),
}
