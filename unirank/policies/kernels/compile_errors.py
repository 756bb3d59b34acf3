"""Compilation errors in one line: where in the author's file, and what is wrong.

Numba's message is dozens of lines long and ends in our own files, which call the kernel. The first
place that it names outside them is the author's line.
"""

import linecache
import re
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb

PACKAGE = Path(__file__).parent.parent
PLACE = re.compile(r'^File "(.+)", line (\d+):', re.MULTILINE)

# What numba says, and what it means.
MEANINGS = (
    (
        re.compile(r"NRT required|Only accept returning of array"),
        "a kernel creates an array or assigns one array to another: keep scratch arrays in the "
        "state and copy in a loop, or decorate it with compiled_allocating",
    ),
    (
        re.compile(r"Untyped global name '(\w+)'.* <class 'function'>"),
        r"\1 is not compiled: put @compiled above it",
    ),
    (
        re.compile(r"No definition for lowering \w+\(.*\)\.(\w+) = "),
        r"\1 of the state is a number, which cannot change: use an array of one element",
    ),
    (
        re.compile(r"Cannot bind .* due to \"TypeError: (.*)\""),
        r"the call does not fit the kernel: \1",
    ),
    (
        re.compile(r"Unknown attribute '(\w+)' of type Rng"),
        r"rng has no \1: the arguments of a kernel are (state, rng, ranking)",
    ),
    (
        re.compile(r"No implementation of function .* found for signature:\s+>>> (.*)"),
        r"there is no compiled \1",
    ),
)


def compile_error(error: Exception) -> str:
    """One line for a compilation error; any other error is its type and first line."""
    place = author_place(error)
    return f"{place}: {meaning(error)}" if place else meaning(error)


def meaning(error: Exception) -> str:
    """Say what is wrong, in our words if we know it."""
    text = str(error)
    for said, meant in MEANINGS:
        found = said.search(text)
        if found:
            return found.expand(meant)
    lines = [
        line for line in text.splitlines() if line and not line.startswith("Failed in nopython")
    ]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def author_place(error: Exception) -> str:
    """Return the innermost line of the author's file, as mine.py:12 `state.width = 3`, or ""."""
    for path, line in places(error):
        if not path.resolve().is_relative_to(PACKAGE):
            code = linecache.getline(str(path), line).strip()
            return f"{path.name}:{line}" + (f" `{code}`" if code else "")
    return ""


def places(error: Exception) -> Iterator[tuple[Path, int]]:
    """Yield file and line of each place in the message, then of each frame of the traceback."""
    for path, line in PLACE.findall(str(error)):
        yield Path(path), int(line)
    for frame, _ in walk_tb(error.__traceback__):
        location = getattr(frame.f_locals.get("inst"), "loc", None)
        if location is not None:
            yield Path(location.filename), location.line
