"""``ludometer models``: model files on this machine."""

from __future__ import annotations

import click


@click.group("models")
def command() -> None:
    """Fetch and list models that run on this machine."""


@command.command("pull")
@click.argument("source")
@click.option("--name", help="the name under local/  [default: from the source]")
@click.option("--json", "as_json", is_flag=True, help="print as JSON")
def pull_command(source: str, name: str | None, as_json: bool) -> None:
    """Fetch a model file: smollm2-135m, a GGUF file, its address, or hf:OWNER/REPO/FILE.gguf."""
    from ludometer.cli.output import print_json
    from ludometer.models import pull

    found = pull(source, name=name)
    if as_json:
        print_json({"name": f"local/{found.name}", "path": str(found.path), "bytes": found.size})
    else:
        click.echo(f"local/{found.name} is ready ({found.size / 1e6:.0f} MB, {found.path})")


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="print as JSON")
def list_command(as_json: bool) -> None:
    """List the model files on this machine."""
    from ludometer.cli.output import print_json, print_table
    from ludometer.models import local_models

    rows = [{"name": f"local/{m.name}", "bytes": m.size, "path": str(m.path)} for m in local_models()]
    if as_json:
        print_json(rows)
    elif rows:
        print_table("", list(rows[0]), [list(row.values()) for row in rows])
    else:
        click.echo("no model file yet; fetch the small one with: ludometer models pull smollm2-135m")
