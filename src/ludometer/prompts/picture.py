"""Pictures for models that see: SVG to PNG."""

from __future__ import annotations

from functools import lru_cache

from ludometer.core import ImagePart

__all__ = ["png"]


@lru_cache(maxsize=256)
def png(svg: str) -> ImagePart:
    """The SVG source rendered at its own size.

    Uses resvg, which runs no script, loads no file and needs no system library.
    """
    import resvg_py

    return ImagePart(bytes(resvg_py.svg_to_bytes(svg_string=svg)), "image/png")
