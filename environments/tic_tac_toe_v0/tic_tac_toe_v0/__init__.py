"""Multi-turn tic-tac-toe against minimax for verifiers before 0.4, which calls `load_environment`."""

from __future__ import annotations

from tic_tac_toe_v0.environment import load_environment

__all__ = ["load_environment"]
