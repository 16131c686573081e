"""Completion to action, or to the fault that prevented one. Everything read here is hostile input."""

from ludometer.parsers.read import Reading, read

__all__ = ["Reading", "read"]
