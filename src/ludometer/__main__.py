"""``python -m ludometer`` is the command line."""

from ludometer.cli.main import main

main()
