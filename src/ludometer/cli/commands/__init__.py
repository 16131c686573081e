"""The commands, one file each. Heavy imports belong inside the functions, so that ``--help`` stays quick."""
