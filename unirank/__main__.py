"""`python -m unirank` is the `unirank` command."""

from unirank.cli.main import main

main()
