"""The `unirank` command: its subcommands, and one line for every error."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal
from threading import current_thread, main_thread
from typing import NoReturn

from cyclopts import App, CycloptsError, Group, MissingArgumentError

import unirank
from unirank.cli.advise import advise
from unirank.cli.bench import bench
from unirank.cli.bounds.command import bounds
from unirank.cli.check import check
from unirank.cli.compile_notice import compile_notices
from unirank.cli.data import data
from unirank.cli.fit.command import fit
from unirank.cli.gain import gain
from unirank.cli.list import list_names
from unirank.cli.plot import plot
from unirank.cli.reproduce import reproduce
from unirank.cli.run import run
from unirank.cli.serve import serve
from unirank.cli.warm import warm
from unirank.errors import ArgumentError, UnirankError
from unirank.registry import imported

LONGEST = 1000  # letters of an error

GROUPS: dict[str, dict[str, Callable[..., None] | App]] = {
    "Serve a page": {"serve": serve, "advise": advise, "warm": warm},
    "Try policies": {
        "list": list_names,
        "run": run,
        "plot": plot,
        "reproduce": reproduce,
        "bounds": bounds,
        "data": data,
    },
    "Click logs": {"fit": fit, "gain": gain},
    "Develop": {"check": check, "bench": bench},
}
COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

app = App(
    name="unirank",
    help=(
        "Learn the best order of items on a page, from clicks alone.\n\n"
        "With any command, --import MODULE imports a module of yours first: the policies and click "
        "models that it registers are then known by name. May be repeated."
    ),
    version=unirank.__version__,
    group_commands=Group("Help", sort_key=len(GROUPS)),
    help_format="plaintext",
    suppress_keyboard_interrupt=False,
)
for number, (title, commands) in enumerate(GROUPS.items()):
    group = Group(title, sort_key=number)
    for place, (name, command) in enumerate(commands.items()):
        if isinstance(command, App):  # `unirank data` has commands of its own
            command.group, command.sort_key = group, place
            app.command(command, name=name)
        else:
            app.command(command, name=name, group=group, sort_key=place)


def main(tokens: Sequence[str] | None = None) -> None:
    """Run the command line; errors are one line on standard error and exit code 2."""
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # a user's module:Class, here or in a TOML file
    if getsignal(SIGINT) is SIG_DFL and current_thread() is main_thread():
        signal(SIGINT, default_int_handler)  # _startup let Ctrl-C end it during imports
    try:
        with compile_notices():
            words = after_imports(sys.argv[1:] if tokens is None else tokens)
            app(words, exit_on_error=False, print_error=False, help_on_error=False)
        sys.stdout.flush()
    except MissingArgumentError as error:
        fail(needed(error), 2)
    except (UnirankError, CycloptsError) as error:
        fail(str(error), 2)
    except KeyboardInterrupt:
        fail("interrupted", 130)
    except OSError as error:
        forget_output()
        fail(str(error), 1)


def needed(error: MissingArgumentError) -> str:
    """Say which argument a command needs; with the choices, where it has some."""
    choices = error.argument.get_choices() if error.argument is not None else None
    if error.argument is None or not choices:
        return str(error)
    command = " ".join(error.command_chain or ("unirank",))
    return f"{command} needs {error.argument.name}, one of: {', '.join(choices)}"


def after_imports(tokens: Sequence[str]) -> list[str]:
    """Import the modules that `--import` names; return the other words."""
    words, rest = iter(tokens), []
    for word in words:
        option, equals, module = word.partition("=")
        if option != "--import":
            rest.append(word)
            continue
        name = module if equals else next(words, "")
        if not name or name.startswith("-"):
            raise ArgumentError("--import needs the name of a module, such as --import my_users")
        imported(name)
    return rest


def fail(message: str, code: int) -> NoReturn:
    """Print one line, without the middle of a very long one, and exit."""
    line = " ".join(message.split())
    if len(line) > LONGEST:
        line = f"{line[: LONGEST - 200]} ... {line[-200:]}"
    sys.stderr.write(f"unirank: {line}\n")
    raise SystemExit(code)


def forget_output() -> None:
    """Drop what could not be written: Python would try again at its end, and complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
