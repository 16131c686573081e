"""What is known of OpenSpiel's games from playing them all (``tests/games/test_openspiel_all.py`` does so again)."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["IMAGINABLE", "NOT_PLAYABLE"]

IMAGINABLE: Mapping[str, frozenset[str]] = {
    "bargaining": frozenset(),
    "bridge": frozenset({"use_double_dummy_result"}),
    "kuhn_poker": frozenset({"players"}),
    "leduc_poker": frozenset({"players", "suit_isomorphism"}),
    "universal_poker": frozenset({"betting"}),
}
"""Games with hidden information whose ``resample_from_infostate`` depends only on what the player knows, as far as many
pairs of states tell; and the parameters with which that was seen to hold, other parameters having their defaults."""

NOT_PLAYABLE: Mapping[str, str] = {
    "2048": "it has a single player",
    "blackjack": "it has a single player",
    "bridge_uncontested_bidding": "it draws its luck inside the engine, where a game cannot be repeated",
    "catch": "it has a single player",
    "cliff_walking": "it has a single player",
    "crossword": "it has a single player",
    "deep_sea": "it has a single player",
    "mfg_crowd_modelling": "it is a mean-field game",
    "mfg_crowd_modelling_2d": "it is a mean-field game",
    "mfg_dynamic_routing": "it is a mean-field game",
    "mfg_garnet": "it is a mean-field game",
    "morpion_solitaire": "it has a single player",
    "negotiation": "it draws its luck inside the engine, where a game cannot be repeated",
    "pathfinding": "it has a single player",
    "repeated_leduc_poker": "its texts show cards that are hidden from the player",
    "solitaire": "it has a single player",
    "stones_and_gems": "it has a single player",
    "tarok": "it draws its luck inside the engine, where a game cannot be repeated",
}
"""Games that load by name, but cannot be played here, and why."""
