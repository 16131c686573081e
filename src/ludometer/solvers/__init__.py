"""What an action is worth: exact tables, and later searches and outside engines, one evaluator per file."""

from ludometer.solvers.protocol import EVALUATORS, Evaluator, exact_evaluator

__all__ = ["EVALUATORS", "Evaluator", "exact_evaluator"]
