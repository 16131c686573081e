"""``ludometer doctor``: what works on this machine, and how to get what does not."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import click


class Check(NamedTuple):
    """``state``: ok, missing (optional), or problem."""

    what: str
    state: str
    detail: str


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="print as JSON")
def command(as_json: bool) -> int:
    """Check this installation. No key is ever printed, only whether it is set."""
    from ludometer.cli.output import print_json, print_table

    checks = [*_python(), *_packages(), *_folders(), *_models(), *_sandboxes(), *_keys()]
    if as_json:
        print_json([check._asdict() for check in checks])
    else:
        print_table("", ["what", "state", "detail"], checks)
    return 1 if any(check.state == "problem" for check in checks) else 0


def _python() -> list[Check]:
    from ludometer import __version__

    running = ".".join(str(part) for part in sys.version_info[:3])
    state = "ok" if sys.version_info >= (3, 11) else "problem"
    return [
        Check("ludometer", "ok", __version__),
        Check("Python", state, f"{running}, {os.cpu_count()} processors"),
    ]


def _packages() -> list[Check]:
    checks = []
    for name, extra in (("xllamacpp", "local"), ("pydantic-ai-slim", "providers")):
        try:
            checks.append(Check(name, "ok", version(name)))
        except PackageNotFoundError:
            checks.append(Check(name, "missing", f"optional: pip install 'ludometer[{extra}]'"))
    return checks


def _folders() -> list[Check]:
    from ludometer.models.files import cache_dir

    checks = []
    for what, folder in (("cache folder", cache_dir()), ("current folder", Path.cwd())):
        existing = next((p for p in (folder, *folder.parents) if p.exists()), folder)
        free = shutil.disk_usage(existing).free / 1e9
        writable = os.access(existing, os.W_OK)
        detail = f"{folder}, {free:.1f} GB free" if writable else f"{folder} is not writable"
        checks.append(Check(what, "ok" if writable and free > 0.5 else "problem", detail))
    return checks


def _models() -> list[Check]:
    from ludometer.models import local_models

    found = [f"local/{model.name}" for model in local_models()]
    if found:
        return [Check("local models", "ok", ", ".join(found))]
    return [Check("local models", "missing", "optional: ludometer models pull smollm2-135m")]


def _sandboxes() -> list[Check]:
    """Every sandbox, tried with its self-test, and which of them is used: the first that works. None is needed but by
    the games that run programs of models."""
    from ludometer.sandbox import examine

    findings = examine()
    used = next((finding for finding in findings if finding.problem is None), None)
    checks = []
    for finding in findings:
        name = f"sandbox {finding.name}"
        if finding.problem is None:
            role = "used where none is named" if finding is used else "not used unless it is named"
            checks.append(Check(name, "ok", f"{finding.detail}; the self-test held; {role}"))
        else:
            checks.append(Check(name, "problem" if finding.failed_test else "missing", f"optional: {finding.problem}"))
    return checks


def _keys() -> list[Check]:
    from ludometer.models.providers import ENDPOINTS
    from ludometer.models.pydantic_ai import KEY_VARIABLES

    own = {e.key_variable for e in ENDPOINTS.values() if e.key_variable is not None}
    variables = sorted(own.union(*KEY_VARIABLES.values()))
    present = [name for name in variables if os.environ.get(name)]
    detail = f"set: {', '.join(present)}" if present else f"none set (optional); known: {', '.join(variables)}"
    return [Check("API keys", "ok" if present else "missing", detail)]
