"""Calls, branches and their keys inside one decision."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace

import pytest

from ludometer.core import Completion, Exchange, ProviderError, make_game
from ludometer.matches import Match
from ludometer.models.protocol import Capabilities
from ludometer.prompts import AnswerStyle, PromptStyle
from ludometer.strategies import Answer, Conversation
from ludometer.strategies.conversation import issue_order

PLAY = '{"row": 1, "column": 3}'


class Book:
    """A journal that answers from a script, after as many loop steps as it is told, and notes every call."""

    def __init__(self, answer=lambda key, request: PLAY, delay=lambda key: 0):
        self.answer, self.delay = answer, delay
        self.calls = {}
        self.arrived = []

    async def exchange(self, key, request, fingerprint, send):
        assert key not in self.calls, f"{key} is used twice"
        self.calls[key] = (request, fingerprint)
        for _ in range(self.delay(key)):
            await asyncio.sleep(0)
        self.arrived.append(key.n)
        answer = self.answer(key, request)
        completion = answer if isinstance(answer, Completion) else Completion(answer)
        return Exchange(key, request, completion, fingerprint)

    async def attempt(self, match, attempt, notation, action):
        raise AssertionError("a strategy judges nothing")


class Silent:
    capabilities = Capabilities()

    def __init__(self, name="test/silent", temperature=0):
        self.name = name
        self.settings = {"temperature": temperature}

    async def complete(self, request, *, on_delta=None):
        raise AssertionError("the journal has every answer")

    async def close(self):
        return None


def conversation(book, style=None, model=None):
    turn = replace(Match(make_game("tictactoe"), id="m").turns()[0], journal=book)
    return Conversation(model or Silent(), turn, style or PromptStyle())


async def branching(talk: Conversation) -> Answer:
    """A program with everything: calls in a row, branches of branches, branches that ask several times."""
    await talk.ask("think")

    async def branch(fork: Conversation, depth: int) -> None:
        await fork.ask("more")
        if depth:
            await asyncio.gather(*(branch(fork.fork(), depth - 1) for _ in range(2)))
        await fork.ask("and?")

    await asyncio.gather(*(branch(talk.fork(), 1) for _ in range(3)))
    await talk.ask("so?")
    await asyncio.gather(*(branch(talk.fork(), 0) for _ in range(2)))
    return talk.read(await talk.ask())


def run_with(delay):
    book = Book(answer=lambda key, request: f"said {key.n}" if key.n != "2" else PLAY, delay=delay)
    talk = conversation(book)
    answer = asyncio.run(branching(talk))
    assert answer.action is not None
    requests = {key.n: request for key, (request, _) in book.calls.items()}
    fingerprints = {key.n: fingerprint for key, (_, fingerprint) in book.calls.items()}
    return [exchange.key.n for exchange in talk.exchanges], requests, fingerprints, book.arrived


def test_keys_requests_and_order_do_not_depend_on_the_order_of_arrival():
    keys = sorted(run_with(lambda key: 0)[1])
    assert len(keys) == len(set(keys)) == 25
    delays = [
        lambda key: 0,
        lambda key: keys.index(key.n) % 7,
        lambda key: -keys.index(key.n) % 5,
        lambda key: 40 - keys.index(key.n),
        lambda key: hash((key.n, 1)) % 11,
    ]
    runs = [run_with(delay) for delay in delays]
    assert len({tuple(arrived) for *_, arrived in runs}) > 1, "the answers did arrive in different orders"
    for order, requests, fingerprints, _ in runs[1:]:
        assert (order, requests, fingerprints) == runs[0][:3]
    assert runs[0][0] == sorted(runs[0][0], key=issue_order)
    assert runs[0][0][0] == "0"
    assert runs[0][0][-1] == "2", "the last exchange is the conversation's own last call"


def test_the_issue_order_of_keys():
    issued = ["0/0.0", "0/0.1/0.0", "0/0.1", "0/1.0", "0", "1/2.0", "1", "2", "9", "10/3.0", "10/11.0", "10"]
    for permutation in itertools.islice(itertools.permutations(issued), 500):
        assert sorted(permutation, key=issue_order) == issued


def test_a_chat_goes_on_and_a_branch_does_not_disturb_it():
    book = Book(answer=lambda key, request: key.n)
    talk = conversation(book)

    async def program():
        await talk.ask("a")
        await talk.fork().ask("b")
        await talk.ask("c")

    asyncio.run(program())
    said = {key.n: [m.text for m in request.messages] for key, (request, _) in book.calls.items()}
    assert said == {"0": ["a"], "1/0.0": ["a", "0", "b"], "1": ["a", "0", "c"]}


def test_the_turns_own_question_can_come_last():
    book = Book()
    talk = conversation(book, PromptStyle(system="Be brief."))

    async def program():
        await talk.ask("Which cells are free?")
        return await talk.ask()

    asyncio.run(program())
    last = list(book.calls.values())[-1][0]
    assert [message.role for message in last.messages] == ["system", "user", "assistant", "user"]
    assert last.messages[-1].text.endswith("What is your next move?")


@pytest.mark.parametrize("answer", ["json_schema", "tool"])
def test_every_call_keeps_the_answers_form(answer):
    book = Book()
    talk = conversation(book, PromptStyle(answer=AnswerStyle(answer)))
    asyncio.run(talk.ask("first"))
    asyncio.run(talk.ask())
    for request, _ in book.calls.values():
        assert (request.schema is not None, request.tool is not None) == (answer == "json_schema", answer == "tool")


def test_what_is_read_is_what_was_said():
    talk = conversation(Book(), PromptStyle(answer=AnswerStyle("tool")))
    # Many providers send an empty text beside the arguments.
    for text in (None, "", "Calling the tool."):
        answer = talk.read(Completion(text, "tool", tool_arguments=PLAY))
        assert answer.text == PLAY
        assert answer.action is not None
    assert conversation(Book()).read(Completion(None)).text == ""


def test_the_fingerprint_holds_the_model_and_its_settings():
    marks = set()
    for model in (Silent(), Silent("test/other"), Silent(temperature=1)):
        book = Book()
        asyncio.run(conversation(book, model=model).ask())
        marks |= {fingerprint for _, fingerprint in book.calls.values()}
    assert len(marks) == 3


def test_a_failed_branch_leaves_the_other_exchanges():
    def answer(key, request):
        if key.n == "0/1.0":
            raise ProviderError("down")
        return PLAY

    talk = conversation(Book(answer))

    async def program():
        return await asyncio.gather(*(talk.fork().ask() for _ in range(3)), return_exceptions=True)

    results = asyncio.run(program())
    assert [type(result) for result in results] == [Completion, ProviderError, Completion]
    assert [exchange.key.n for exchange in talk.exchanges] == ["0/0.0", "0/2.0"]
