"""Any game as a conversation that only grows: every registered game, every answer format, bad answers included."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from ludometer_games import table
from ludometer_games.rows import Row, Setup, make_rows, new_match
from ludometer_games.table import ChatModel, Reply, play_row

from ludometer.core import GAMES, ConfigurationError, Message, ProviderError, Request, make_game
from ludometer.core.turn import Decision, Turn
from ludometer.players.llm import LlmPlayer
from ludometer.players.random import RandomPlayer

GAMES_WITH_OFFICIALS = sorted(
    name
    for name in GAMES.all()
    if name != "openspiel" and any(r.kind == "official" for r in make_game(name).roles(make_game(name).players[0]))
)
PLAIN = [*sorted(set(GAMES.all()) - set(GAMES_WITH_OFFICIALS) - {"openspiel"}), "openspiel:backgammon"]


class Knowing:
    """Sits before the language model player and tells its model what to answer: a legal move, except now and then."""

    def __init__(self, inner: LlmPlayer, said: list[str]) -> None:
        self.inner, self.said = inner, said

    def supports(self, game: Any) -> None:
        self.inner.supports(game)

    async def act(self, turn: Turn) -> Decision:
        move = json.dumps({"move": turn.format(turn.sample(turn.chance.named("sample")))})
        kind = turn.chance.named("kind").below(6)[0] if turn.attempt == 0 else 5
        self.said.append(["", "<think>Hm.</think>", "no idea", "<think>", move, move][kind])
        return await self.inner.act(turn)


def played(monkeypatch: Any, setup: Setup, count: int = 1) -> list[tuple[Row, dict[str, list[str]], dict[str, Any]]]:
    """Plays rows with knowing models; the messages of each seat, and how it went."""
    found = []
    for row in make_rows(count, setup):
        heard: dict[str, list[str]] = {seat: [] for seat in row.agents}
        queues: dict[str, list[str]] = {seat: [] for seat in row.agents}
        seats = iter(row.agents)
        seated = table._seated

        def knowing(row: Row, say: Any, seated: Any = seated, seats: Any = seats, queues: Any = queues) -> Knowing:
            return Knowing(seated(row, say), queues[next(seats)])

        def conversation(seat: str, heard: Any = heard, queues: Any = queues) -> Any:
            async def say(message: Message) -> Reply:
                heard[seat].append(message.text)
                return Reply(queues[seat].pop(0))

            return say

        with monkeypatch.context() as patch:
            patch.setattr(table, "_seated", knowing)
            standings = asyncio.run(play_row(row, {seat: conversation(seat) for seat in row.agents}))
        found.append((row, heard, standings))
    return found


@pytest.mark.parametrize("game", GAMES_WITH_OFFICIALS)
def test_officials_sit_where_they_are_named_or_the_game_names_them(game):
    """Their seats are no model's; a game that leaves them open asks for a name."""
    rules = make_game(game)
    roles = rules.roles(rules.players[0])
    officials = {role.official for role in roles if role.kind == "official"}
    open_ones = {role.official for role in roles if role.kind == "official" and role.by is None}
    try:
        (row,) = make_rows(1, Setup(game=game, seats="self"))
    except ConfigurationError as error:
        assert open_ones and str(error).startswith("nobody is ")
        (row,) = make_rows(1, Setup(game=game, seats="self", officials=dict.fromkeys(open_ones, "random")))
    assert officials and not {role.name for role in roles if role.kind == "official"} & set(row.agents)


@pytest.mark.parametrize("game", PLAIN)
def test_conversations_of_every_game_only_grow(monkeypatch, game):
    """`ChatModel` refuses any request that is not the conversation so far and one more message."""
    setup = Setup(game=game, seats="self", answer="json", attempts=2, max_moves=24, on_max_moves="draw")
    ((row, heard, standings),) = played(monkeypatch, setup)
    contestants = new_match(row).game.contestants(new_match(row).n)
    assert set(contestants) <= set(row.agents) == set(standings)
    assert sum(standings[seat].score for seat in contestants) == pytest.approx(1.0)
    asked = sum(len(messages) for messages in heard.values())
    assert asked == sum(sum(one.verdicts.values()) for one in standings.values()) > 4
    assert asked > sum(one.verdicts.get("legal", 0) for one in standings.values())
    for messages in heard.values():
        rules = new_match(row).game.rules()
        assert [rules in message for message in messages] == [True, *[False] * (len(messages) - 1)][: len(messages)]


def test_every_seat_in_turn_shares_its_luck():
    rows = list(make_rows(8, Setup(game="uno", players=4)))
    assert [list(row.agents) for row in rows[:4]] == [["1"], ["2"], ["3"], ["4"]]
    assert len({row.luck for row in rows[:4]}) == 1
    assert len({row.seed for row in rows}) == 8
    assert rows[4].luck != rows[0].luck
    assert {seat for row in make_rows(3, Setup(game="uno", players=4, seat="3")) for seat in row.agents} == {"3"}


def test_opponents_have_the_other_seats(monkeypatch):
    row, heard, standings = played(
        monkeypatch, Setup(game="uno", players=3, answer="json", opponent="random", attempts=2)
    )[0]
    assert list(heard) == list(standings) == ["1"]
    assert isinstance(table.make_others(row, new_match(row))["2"], RandomPlayer)


def test_a_forfeit_is_the_seats_own():
    setup = Setup(game="tictactoe", seat="O")
    (row,) = make_rows(1, setup)

    async def say(message: Message) -> Reply:
        return Reply("I resign")

    standing = asyncio.run(play_row(row, {"O": say}))["O"]
    assert (standing.ending, standing.offender, standing.score) == ("forfeit", "O", 0.0)
    assert standing.verdicts == {"invalid_format": 1} and standing.bad_attempts == 1


def test_a_conversation_that_is_cut_off_voids_the_match():
    (row,) = make_rows(1, Setup(seats="self"))

    async def answers(message: Message) -> Reply:
        return Reply("1,1")

    async def silent(message: Message) -> None:
        return None

    standings = asyncio.run(play_row(row, {"X": answers, "O": silent}))
    assert {one.ending for one in standings.values()} == {"void"}
    assert {one.score for one in standings.values()} == {0.0}


def test_a_player_whose_provider_fails_is_nobodys_win(monkeypatch):
    class Down:
        async def act(self, turn: Turn) -> Decision:
            raise ProviderError("the service is down")

    (row,) = make_rows(1, Setup(seat="X"))
    monkeypatch.setattr(table, "make_others", lambda row, match: {"O": Down()})

    async def say(message: Message) -> Reply:
        return Reply("1,1")

    with pytest.raises(ProviderError, match="seat O: provider: the service is down"):
        asyncio.run(play_row(row, {"X": say}))


def test_an_answer_that_was_cut_off_counts_as_that():
    (row,) = make_rows(1, Setup(seat="X"))

    async def say(message: Message) -> Reply:
        return Reply("1,1 or", cut_off=True)

    assert asyncio.run(play_row(row, {"X": say}))["X"].verdicts == {"truncated": 1}


def test_a_request_that_rewrites_the_conversation_is_refused():
    async def say(message: Message) -> Reply:
        return Reply("yes")

    async def go() -> None:
        model = ChatModel(say, "Be brief.")
        start = (Message("system", "Be brief."), Message("user", "One?"))
        await model.complete(Request(start))
        await model.complete(Request((*start, Message("assistant", "yes"), Message("user", "Two?"))))
        with pytest.raises(ConfigurationError, match="only add"):
            await model.complete(Request((*start, Message("user", "Three?"))))

    asyncio.run(go())


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (Setup(game="tictactoo"), "did you mean 'tictactoe'"),
        (Setup(seat="Z"), "no seat 'Z'"),
        (Setup(opponent="perfekt"), "perfect"),
        (Setup(game="chess", opponent="perfect"), "no exact values"),
        (Setup(game="uno", players=4, opponent="random; random"), "2 players for 3 seats"),
        (Setup(options="rows=5,lines=2"), "lines"),
    ],
)
def test_what_cannot_be_played_is_refused(setup, says):
    with pytest.raises(ConfigurationError, match=says):
        list(make_rows(1, setup))


def test_options_are_a_text_or_a_table():
    assert Setup(options="rows=4, columns=5").make_game() == Setup(options={"rows": 4, "columns": 5}).make_game()
