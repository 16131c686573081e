"""Characters in foreign text (names, answers) that no terminal, page or file should be given as they are."""

from __future__ import annotations

import re

__all__ = ["UNSEEN"]

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
"""Control characters but tab and line feed; marks that reorder or hide text; separators that break lines."""
