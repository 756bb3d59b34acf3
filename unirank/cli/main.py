"""The `unirank` command: its subcommands, and one line for every error."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from cyclopts import App, CycloptsError

import unirank
from unirank.cli.advise import advise
from unirank.cli.bench import bench
from unirank.cli.bounds.command import bounds
from unirank.cli.check import check
from unirank.cli.compile_notice import compile_notices
from unirank.cli.data import data
from unirank.cli.fit.command import fit
from unirank.cli.list import list_names
from unirank.cli.plot import plot
from unirank.cli.reproduce import reproduce
from unirank.cli.run import run
from unirank.cli.warm import warm
from unirank.errors import UnirankError

COMMANDS: dict[str, Callable[..., None] | App] = {
    "advise": advise,
    "run": run,
    "reproduce": reproduce,
    "plot": plot,
    "list": list_names,
    "data": data,
    "fit": fit,
    "check": check,
    "bench": bench,
    "bounds": bounds,
    "warm": warm,
}

app = App(
    name="unirank",
    help="Learn the best order of items on a page, from clicks alone.",
    version=unirank.__version__,
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
for name, command in COMMANDS.items():
    app.command(command, name=name)


def main(tokens: Sequence[str] | None = None) -> None:
    """Run the command line; errors are one line on standard error and exit code 2."""
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # a user's module:Class, here or in a TOML file
    try:
        with compile_notices():
            app(tokens, exit_on_error=False, print_error=False, help_on_error=False)
    except (UnirankError, CycloptsError) as error:
        fail(str(error), 2)
    except KeyboardInterrupt:
        fail("interrupted", 130)


def fail(message: str, code: int) -> NoReturn:
    line = " ".join(message.split())
    sys.stderr.write(f"unirank: {line}\n")
    raise SystemExit(code)
