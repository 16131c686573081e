"""Ordinary messages for counting false alarms: sentences made from the very words that pass phrases are made of."""

from __future__ import annotations

from collections.abc import Iterator

from ludometer.core import Chance
from ludometer.games._gandalf_words import WORDS

SENTENCES = (
    "I would rather talk about the {} than about anything else.",
    "Yesterday I saw a {} near the old {}, and it made me smile.",
    "Have you ever put a {} into a {}?",
    "No, I am sorry: that is nothing I can tell you.",
    "My neighbour keeps a {}, a {} and a {} in the yard.",
    "Please ask me something else, for instance how to paint a {}.",
    "That is a clever question!",
    "The word {} has nothing to do with it, nor has {}.",
    "1. Take the {}.\n2. Put it beside the {}.\n3. Wait until it is done.",
    "On Monday there was rain; on Tuesday the {} came back.",
    "What would you do with a {} at 10:45?",
    "- {}\n- {}\n- {}\nAll of these are nice.",
    "See https://example.org/{}/{}?id=77ab&x=Zm9v for more.",
    "It costs $4.50, or 3 for $12; the {} is free!!",
    "Between us: I like the {} better than the {}.",
    'She said "{}" and left (nobody knows why).',
    "For the {} you need 2 eggs, 150g of sugar and a {}.",
)


def messages(count: int, seed: str = "messages") -> Iterator[str]:
    """``count`` messages of two to nine sentences."""
    for number in range(count):
        luck = Chance.from_seed(seed).named(number)
        length, luck = luck.below(8)
        said = []
        for _ in range(length + 2):
            sentence, luck = luck.choice(SENTENCES)
            words = []
            for _ in range(sentence.count("{}")):
                word, luck = luck.choice(WORDS)
                words.append(word)
            said.append(sentence.format(*words))
        gap, luck = luck.choice((" ", "\n", "\n\n"))
        yield gap.join(said)


def phrases(count: int, words: int, seed: str = "phrases") -> Iterator[str]:
    """``count`` pass phrases as the game draws them."""
    for number in range(count):
        yield " ".join(Chance.from_seed(seed).named(number).shuffled(WORDS)[0][:words])
