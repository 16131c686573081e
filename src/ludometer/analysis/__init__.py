"""Analysis: from any run to tables, as pandas DataFrames. One module per subject.

Every function takes a `RunStore`, or the `RunTables` that `load_tables` reads once for several functions, and
`RunTables.only(game=..., condition=...)` for a part of a run. Void matches never count and are shown as counts;
unfinished ones are counted apart; nothing is dropped silently.
"""

from ludometer.analysis.benchmarks import benchmark_correlations, read_benchmarks
from ludometer.analysis.combined import combined_ratings, game_ratings, joint_ratings
from ludometer.analysis.counts import NOT_NEEDED, OUTCOMES, endings, outcome_column, run_counts
from ludometer.analysis.decided_pairs import decided_pairs
from ludometer.analysis.duplicates import duplicates
from ludometer.analysis.effort import EFFORT_SETTINGS, effort_points
from ludometer.analysis.expected import expected_orders
from ludometer.analysis.factors import factor_effects, level_estimates
from ludometer.analysis.frames import attempts_frame, condition_label, exchanges_frame, matches_frame
from ludometer.analysis.invalid import invalid_responses, repair_rates, validity, validity_by_setting
from ludometer.analysis.leaderboard import leaderboard, score_rates
from ludometer.analysis.lengths import moves_per_result
from ludometer.analysis.matrix import MATRIX_COLUMNS, game_matrix, opponent_matrix
from ludometer.analysis.measures import MEASURES, Measure, is_model
from ludometer.analysis.methods import methods_text
from ludometer.analysis.openings import results_by_opening
from ludometer.analysis.outcomes import moves_made, outcomes
from ludometer.analysis.payoffs import payoff_differences, payoffs
from ludometer.analysis.performance import performance, pool_of
from ludometer.analysis.ratings import counted_games, elo_of, ratings_of
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.sections import Section, game_sections
from ludometer.analysis.stability import ranking_stability
from ludometer.analysis.usage import usage
from ludometer.analysis.wins import results_by_seat, seat_advantage

__all__ = [
    "EFFORT_SETTINGS",
    "MATRIX_COLUMNS",
    "MEASURES",
    "NOT_NEEDED",
    "OUTCOMES",
    "Measure",
    "RunTables",
    "Section",
    "Source",
    "attempts_frame",
    "benchmark_correlations",
    "combined_ratings",
    "condition_label",
    "counted_games",
    "decided_pairs",
    "duplicates",
    "effort_points",
    "elo_of",
    "endings",
    "exchanges_frame",
    "expected_orders",
    "factor_effects",
    "game_matrix",
    "game_ratings",
    "game_sections",
    "invalid_responses",
    "is_model",
    "joint_ratings",
    "leaderboard",
    "level_estimates",
    "load_tables",
    "matches_frame",
    "methods_text",
    "moves_made",
    "moves_per_result",
    "opponent_matrix",
    "outcome_column",
    "outcomes",
    "payoff_differences",
    "payoffs",
    "performance",
    "pool_of",
    "ranking_stability",
    "ratings_of",
    "read_benchmarks",
    "repair_rates",
    "results_by_opening",
    "results_by_seat",
    "run_counts",
    "score_rates",
    "seat_advantage",
    "usage",
    "validity",
    "validity_by_setting",
]
