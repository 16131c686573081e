"""``python -m ludometer.web.openapi``: the API's description, from which the page's types are made."""

from __future__ import annotations

import json
import sys
from typing import Any

from ludometer.web.app import create_app
from ludometer.web.runs import RunsFolder

__all__ = ["description"]


def description() -> dict[str, Any]:
    """The OpenAPI description. It does not depend on any run."""
    return create_app(RunsFolder([])).openapi()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(description(), indent=1, sort_keys=True) + "\n")
