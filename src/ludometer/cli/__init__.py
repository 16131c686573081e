"""The command line: one file per command in ``commands/``, imported only when it is called."""
