"""The games: one file each, rules and showing together. A file dropped here is found by its name."""
