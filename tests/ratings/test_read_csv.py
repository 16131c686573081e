from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import MatchResult, ResultRow, count_results, elo_ratings, rate, read_results


def write(folder: Path, text: str) -> Path:
    path = folder / "results.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_column(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "\ufeffplayer_1, player_2,result,game,group,ending,offender,order\n"
        "ann,bob,1-0,chess,g1,,,2\n"
        'bob,"ann",Draw,chess,g1,completed,,1\n'
        "\n"
        "ann,bob,,chess,,canceled,ann,3\n"
        "ann,bob,,go,,forfeit,second,4\n",
    )
    assert read_results(path) == (
        ResultRow("bob", "ann", "completed", 0.5, None, "g1", "chess"),
        ResultRow("ann", "bob", "completed", 1.0, None, "g1", "chess"),
        ResultRow("ann", "bob", "canceled", None, 1, None, "chess"),
        ResultRow("ann", "bob", "forfeit", None, 2, None, "go"),
    )


@pytest.mark.parametrize(
    ("text", "score"),
    [("1", 1), ("0", 0), ("0.5", 0.5), ("1-0", 1), ("0-1", 0), ("1/2-1/2", 0.5), ("first", 1), ("second", 0)],
)
def test_results(tmp_path: Path, text: str, score: float) -> None:
    (row,) = read_results(write(tmp_path, f"player_1,player_2,result\na,b,{text}\n"))
    assert row.score_1 == score


def test_dates_put_rows_in_order(tmp_path: Path) -> None:
    text = "player_1,player_2,score_1,date\na,b,1,2026-03-01\nb,a,1,2026-02-28T23:00:00+00:00\na,b,0.25,2026-03-01\n"
    rows = read_results(write(tmp_path, text))
    assert [row.player_1 for row in rows] == ["b", "a", "a"]
    assert [row.score_1 for row in rows] == [1, 1, 0.25]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone cannot be set here")
def test_dates_without_a_zone_are_utc_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "player_1,player_2,result,date\na,b,1,2026-03-01T00:30\nb,a,1,2026-03-01T00:00+00:00\n"
    path = write(tmp_path, text)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert [row.player_1 for row in read_results(path)] == ["b", "a"]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_player_may_be_called_first(tmp_path: Path) -> None:
    text = "player_1,player_2,result,ending,offender\nsecond,first,,forfeit,first\nx,x,,forfeit,first\n"
    assert [row.offender for row in read_results(write(tmp_path, text))] == [2, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'player_1'"),
        ("player_1,player_2,result\n", "no results"),
        ("player_1,player_2\na,b\n", "'score_1' and 'result'"),
        ("player_1,player_2,result,score_1\na,b,1,1\n", "exactly one"),
        ("player_1,player_2,result,order,date\na,b,1,1,2026-01-01\n", "keep one"),
        ("player_1,result\na,1\n", "no column 'player_2'"),
        ("player_1,player_2,result,elo\na,b,1,3\n", "unknown column 'elo'"),
        ("player_1,player_2,player_2,result\na,b,c,1\n", "'player_2' twice"),
        ("player_1,player_2,result\na,b,1\na,b\n", "Line 3 has 2 values"),
        ("player_1,player_2,result\na,b,1,1\n", "Line 2 has 4 values"),
        ("player_1,player_2,result\na,b,2\n", "Line 2, column 'result': '2'"),
        ("player_1,player_2,result\na,b,\n", "Line 2, column 'result': ''"),
        ("player_1,player_2,score_1\na,b,1.5\n", "Line 2, column 'score_1': '1.5'"),
        ("player_1,player_2,score_1\na,b,nan\n", "Line 2, column 'score_1': 'nan'"),
        ("player_1,player_2,result\na,,1\n", "Line 2, column 'player_2'"),
        ("player_1,player_2,result\na,b\x1b[2J,1\n", "control characters"),
        ("player_1,player_2,result,ending\na,b,1,lost\n", "column 'ending': 'lost'"),
        ("player_1,player_2,result,ending,offender\na,b,,forfeit,c\n", "column 'offender': 'c'"),
        ("player_1,player_2,result,ending,offender\na,a,,forfeit,a\n", "column 'offender': 'a'"),
        ("player_1,player_2,result,order\na,b,1,soon\n", "column 'order': 'soon'"),
        ("player_1,player_2,result,order\na,b,1,inf\n", "column 'order': 'inf'"),
        ("player_1,player_2,result,date\na,b,1,01.02.2026\n", "column 'date'"),
        ('player_1,player_2,result\n"a,b,1\n', "no valid CSV"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_results(write(tmp_path, text))
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="check the path"):
        read_results(tmp_path / "none.csv")
    with pytest.raises(ConfigurationError, match="check the path"):
        read_results(tmp_path)
    path = tmp_path / "latin.csv"
    path.write_bytes("player_1,player_2,result\nJosé,b,1\n".encode("latin-1"))
    with pytest.raises(ConfigurationError, match="UTF-8"):
        read_results(path)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_text("player_1,player_2,result,date\n" + text, encoding="utf-8", errors="replace")
    try:
        rows = read_results(path)
    except ConfigurationError as error:
        assert str(error).isprintable()
    else:
        assert rows


def test_from_file_to_ratings(tmp_path: Path) -> None:
    lines = ["player_1,player_2,result", *["a,b,1", "b,a,0", "b,a,1", "a,b,0.5"] * 10]
    games, counts = count_results(read_results(write(tmp_path, "\n".join(lines))))
    table = rate(games, counts=counts)
    assert [row.name for row in table.rows] == ["a", "b"]
    assert elo_ratings(games).ratings["a"] > 1500


MANY = """\
game,player_1,player_2,player_3,place_1,place_2,place_3,ending,offender,equals,group
race,ann,bob,cas,1,2,2,,,unordered,g1
race,bob,cas,ann,3,2,1,,,,g1
race,ann,bob,cas,,,,forfeit,3,,
race,ann,bob,,2,1,,,,,
"""


class TestMoreThanTwoPlayers:
    def test_places(self, tmp_path: Path) -> None:
        path = tmp_path / "many.csv"
        path.write_text(MANY, encoding="utf-8")
        names = ("ann", "bob", "cas")
        assert read_results(path) == (
            MatchResult(names, "completed", (-1.0, -2.0, -2.0), None, "g1", "race", False),
            MatchResult(("bob", "cas", "ann"), "completed", (-3.0, -2.0, -1.0), None, "g1", "race"),
            MatchResult(names, "forfeit", None, 3, None, "race"),
            ResultRow("ann", "bob", "completed", 0.0, None, None, "race"),
        )

    def test_scores_are_any_numbers(self, tmp_path: Path) -> None:
        path = tmp_path / "chips.csv"
        path.write_text("player_1,player_2,score_1,score_2\nann,bob,-120,120\nann,bob,5,5\n", encoding="utf-8")
        assert [row.score_1 for row in read_results(path) if isinstance(row, ResultRow)] == [0.0, 0.5]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("player_1,player_2,player_3,score_1,score_2\na,b,c,1,0\n", "no column 'score_3'"),
            ("player_1,player_2,score_1,score_2,score_3\na,b,1,0,0\n", "no column 'player_3'"),
            ("player_1,player_2,player_3,result\na,b,c,1-0\n", "more than two players"),
            ("player_1,player_2,place_1,place_2,score_1\na,b,1,2,3\n", "more than two players"),
            ("player_1,player_2,player_3,place_1,place_2,place_3\na,,,1,,\n", "Line 2 names fewer than two"),
            ("player_1,player_2,player_3,place_1,place_2,place_3\na,b,c,1,x,3\n", "Line 2, column 'place_2'"),
            ("player_1,player_2,place_1,place_2,offender\na,b,1,2,9\n", "column 'offender'"),
            ("player_1,player_2,place_1,place_2,equals\na,b,1,2,maybe\n", "tie or unordered"),
            ("player_1,player_2,place_1,place_2,rank\na,b,1,2,x\n", "unknown column 'rank'"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, text: str, words: str) -> None:
        path = tmp_path / "bad.csv"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigurationError, match=words):
            read_results(path)
