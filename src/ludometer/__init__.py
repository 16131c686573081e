"""Ludometer: measure what language models can do by letting them play games."""

from ludometer._version import __version__

__all__ = ["__version__"]
