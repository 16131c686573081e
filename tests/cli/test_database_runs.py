"""Every command that takes a run takes one in a database, says the same of it, and shows no password."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ludometer.store import RunStore

Cli = Callable[..., Any]

SECRET = "Swordfish-marker"
TABLE = """
name = "small study"
game = "tictactoe"
players = ["random", "perfect"]
seed = 4
[schedule]
repeats = 3
"""


@pytest.fixture
def address(in_database: Callable[[str], str]) -> str:
    """An address with a password, which the server may or may not ask for."""
    url = sa.make_url(in_database("cli"))
    return (url if url.password else url.set(password=SECRET)).render_as_string(hide_password=False)


@pytest.fixture
def secret(address: str) -> str:
    return str(sa.make_url(address).password)


def without_times(found: Any) -> Any:
    """JSON without what depends on the clock and the place."""
    if isinstance(found, dict):
        return {
            k: without_times(v) for k, v in found.items() if k != "run" and "second" not in k and "latency" not in k
        }
    return [without_times(item) for item in found] if isinstance(found, list) else found


@pytest.mark.slow
def test_the_commands_say_the_same(cli: Cli, address: str, secret: str) -> None:
    Path("study.toml").write_text(TABLE)
    said = []

    def both(command: str, *options: str) -> tuple[Any, Any]:
        results = [cli(command, *options, run) for run in ("kept", address)]
        said.extend(text for result in results for text in (result.out, result.err))
        assert [result.code for result in results] == [0, 0], results
        return results[0], results[1]

    assert cli("run", "study.toml", "--dir", "kept").code == 0
    made = cli("run", "study.toml", "--store", address)
    assert made.code == 0
    assert "6 of 6 matches finished; the run is in postgresql://" in made.err
    said.append(made.err)

    for command in ("leaderboard", "resume", "verify"):
        one, other = both(command, "--json")
        assert without_times(one.json) == without_times(other.json)
    one, other = both("extend", "--json", "--repeats", "4")
    assert without_times(one.json) == without_times(other.json)
    assert one.json["finished"] == 8
    one, other = both("analyze", "--json", "--workers", "1")
    assert without_times(one.json) == without_times(other.json)
    both("report")
    assert Path("kept/report.html").is_file()
    (page,) = Path().glob("cli-*-report.html")
    both("export", "--format", "csv", "--out", "exported")
    both("export", "--format", "json", "--out", "exported")
    files = [page, *Path("exported").rglob("*")]
    assert len(files) > 2
    for text in [*said, *(file.read_text() for file in files if file.is_file())]:
        assert secret not in text


def test_the_password_is_in_no_table(cli: Cli, address: str, secret: str) -> None:
    Path("study.toml").write_text(TABLE)
    assert cli("run", "study.toml", "--store", address).code == 0
    from ludometer.store import RunStore, schema

    with RunStore.open(address) as store, store.engine.connect() as connection:
        for table in (*schema.metadata.sorted_tables, *schema.shared.sorted_tables):
            assert secret not in repr(connection.execute(sa.select(table)).all())


def test_the_name_of_the_run_is_that_of_the_configuration(cli: Cli, postgresql: str) -> None:
    Path("study.toml").write_text(TABLE.replace("small study", "named by its file"))
    from ludometer.store.address import database_run

    made = cli("run", "study.toml", "--store", postgresql, "--json")
    assert made.code == 0, made.err
    address = database_run(postgresql, "named-by-its-file")
    assert made.json["run"] == str(address)
    again = cli("run", "study.toml", "--store", postgresql)
    assert again.code == 2
    assert "is a run already; resume or extend it" in again.sentence
    engine = sa.create_engine(address.url)
    with engine.begin() as connection:
        connection.execute(sa.schema.DropSchema(address.run, cascade=True))
    engine.dispose()


def test_how_to_go_on_can_be_pasted_into_a_shell(cli: Cli, in_database: Callable[[str], str]) -> None:
    table = TABLE.replace('"perfect"', '"nowhere/model"') + '[models.nowhere]\nbase_url = "http://127.0.0.1:9/v1"\n'
    Path("study.toml").write_text(table + "[prompt]\nretries = 0\n")
    left = cli("run", "study.toml", "--store", in_database("paused"))
    assert left.code == 1
    words = shlex.split(left.err.partition("Go on with: ")[2].splitlines()[0])
    assert words[:2] == ["ludometer", "resume"]
    assert cli(*words[1:], "--json").json["finished"] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "study.toml", "--dir", "a", "--store", "postgresql://host/b"], "give --dir or --store, not both"),
        (["run", "study.toml", "--dir", "postgresql://host/b"], "give the address of a database with --store"),
        (["run", "study.toml", "--store", "runs/here"], "or an address such as postgresql://"),
        (["leaderboard", f"postgresql://user:{SECRET}@host/b"], "lacks the name of the run"),
        (["resume", f"mongodb://user:{SECRET}@host/b"], "a run is a folder, or an address such as"),
    ],
)
def test_mistakes(cli: Cli, arguments: list[str], sentence: str) -> None:
    Path("study.toml").write_text(TABLE)
    result = cli(*arguments)
    assert result.code == 2
    assert sentence in result.sentence
    assert SECRET not in result.err
    assert [path.name for path in Path().iterdir() if path.name != "cache"] == ["study.toml"]


def test_from_python(address: str, secret: str) -> None:
    import ludometer
    from ludometer.core import ConfigurationError

    config = {"game": "tictactoe", "players": ["random", "perfect"], "schedule": {"repeats": 1}}
    run = ludometer.run(config, store=address)
    assert run.summary is not None
    assert run.summary.complete
    again = ludometer.load(address)
    assert list(again.matches()["ending"]) == ["completed"] * 2
    assert again.verify().passed
    assert secret not in repr(again)
    with pytest.raises(ConfigurationError, match="has no folder"):
        _ = again.folder


def test_a_study_is_imported_into_a_database(cli: Cli, address: str, secret: str) -> None:
    imported = cli("import", "topsakal", "--store", address)
    assert imported.code == 0 and "see: ludometer leaderboard 'postgresql://" in imported.out
    assert secret not in imported.out
    with RunStore.open(address) as store:
        assert dict(store.status_counts()) == {"finished": 980}
    assert not Path("runs").exists()
    assert "is a run already" in cli("import", "topsakal", "--store", address).sentence
    assert "not both" in cli("import", "topsakal", "--store", address, "--dir", "study").sentence
