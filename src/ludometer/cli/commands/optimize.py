"""``ludometer optimize``: a DSPy program made better on recorded games."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    from ludometer.players.llm import LlmPlayer
    from ludometer.store import Address, RunStore
    from ludometer.training.dspy_program import Estimate, Optimized


@click.command("optimize")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--run", "runs", type=RUN, multiple=True, required=True, help="a run to learn from")
@click.option("--model", required=True, metavar="P", help="who is asked, as a player: provider/model, with options")
@click.option("--game", help="the game to learn, where the runs have several")
@click.option("--module", default="", help="predict, chain_of_thought or path/to/file.py:Class  [default: predict]")
@click.option("--start", default="", metavar="FILE", help="a saved program to begin with")
@click.option("--optimizer", type=click.Choice(["bootstrap", "labeled"]), default="bootstrap", show_default=True)
@click.option("--metric", type=click.Choice(["legal", "regret"]), default="legal", show_default=True)
@click.option("--threshold", type=click.FloatRange(0, 1), default=1.0, show_default=True, help="what a good answer is")
@click.option("--demos", type=click.IntRange(0), default=4, show_default=True, help="examples of each kind at most")
@click.option("--learn", type=click.IntRange(1), default=50, show_default=True, help="decisions to learn from at most")
@click.option("--test", type=click.IntRange(0), default=50, show_default=True, help="other decisions to test with")
@click.option("--seed", default="0", show_default=True, help="of the choice of decisions")
@click.option("--budget-usd", type=click.FloatRange(0), help="give up once the calls have cost more")
@click.option("--json", "as_json", is_flag=True, help="print the result as JSON")
def command(
    file: Path,
    runs: tuple[Address, ...],
    model: str,
    game: str | None,
    metric: Any,
    learn: int,
    test: int,
    seed: str,
    as_json: bool,
    demos: int,
    **options: Any,
) -> None:
    """Optimize a DSPy program on recorded games, and save it as FILE (needs the extra dspy).

    The metric is whether an answer is legal, or how much it gives away (regret, of runs that were judged with ludometer
    analyze). The program is tested on decisions of other games, before and after. It is played with the strategy
    dspy:program=FILE.
    """
    from ludometer.store import RunStore
    from ludometer.strategies.dspy import check_style, require_dspy
    from ludometer.training.dspy_program import optimize
    from ludometer.training.recorded_decisions import recorded_decisions, split

    require_dspy()
    with ExitStack() as opened:
        stores = [opened.enter_context(RunStore.open(run)) for run in runs]
        player = _player(model, stores)
        check_style(player.style)
        decisions = recorded_decisions(stores, player.style, metric=metric, game=game)
        learned, tested = split(decisions, learn, test, seed)
        about = {"game": learned[0].turn.game.name, "player": model, "seed": seed}
    made = optimize(
        file, player, learned, tested, metric=metric, demonstrations=demos, about=about, on_step=_tell, **options
    )
    _print(made, metric, as_json)


def _player(model: str, stores: list[RunStore]) -> LlmPlayer:
    """The player that is asked; addresses of the user's own are those of the runs."""
    from ludometer.core import ConfigurationError
    from ludometer.players import Entrant
    from ludometer.players.llm import LlmPlayer
    from ludometer.tournaments.config import load_config

    custom = {name: made for store in stores for name, made in load_config(store.config).models.items()}
    entrant = Entrant.of(model)
    if not entrant.is_model:
        raise ConfigurationError(f"--model {model}: only a language model (provider/model) runs a DSPy program")
    player = entrant.make_player(custom)
    assert isinstance(player, LlmPlayer)
    return player


def _tell(words: str) -> None:
    click.echo(words, err=True)


def _print(made: Optimized, metric: str, as_json: bool) -> None:
    from ludometer.cli.output import print_json

    spent = made.spent
    if as_json:
        counted = {name: getattr(spent, name) for name in ("calls", "input_tokens", "output_tokens", "unpriced")}
        print_json(
            {
                "program": str(made.path),
                "learned": made.learned,
                "demonstrations": made.demonstrations,
                "metric": metric,
                **{name: _as_json(getattr(made, name)) for name in ("before", "after", "gain")},
                **counted,
                "cost_usd": None if spent.calls and spent.unpriced == spent.calls else spent.cost,
            }
        )
        return
    for name, estimate in (("before", made.before), ("after", made.after), ("gain", made.gain)):
        if estimate is not None:
            click.echo(f"{name}: {_written(estimate, signed=name == 'gain')} ({metric}, n = {estimate.n})")
    cost = f"${spent.cost:.4f}" + (f" and {spent.unpriced} calls of unknown cost" if spent.unpriced else "")
    tokens = spent.input_tokens + spent.output_tokens
    click.echo(f"{made.demonstrations} examples; {spent.calls} calls, {tokens:,} tokens, {cost}")
    click.echo(f"play it as: --strategy dspy:program={made.path}")


def _as_json(estimate: Estimate | None) -> dict[str, float | None] | None:
    import math

    if estimate is None:
        return None
    return {name: value if math.isfinite(value) else None for name, value in estimate._asdict().items()}


def _written(estimate: Estimate, *, signed: bool) -> str:
    import math

    form = "+.3f" if signed else ".3f"
    value = format(estimate.value, form)
    known = math.isfinite(estimate.low) and estimate.high > estimate.low
    return f"{value} [{estimate.low:{form}}, {estimate.high:{form}}]" if known else value
