"""The pictures of ARCHITECTURE.md, drawn from the code: `make architecture` puts them in.

Rooms: the import statements of every file, as arrows between rooms. Ways: calls are followed while
a policy ranks and learns and while the service takes a click, and each file is written where it was
entered first. Compiled code cannot be followed; which functions it calls is read from its names.
"""

import ast
import asyncio
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import msgspec

import unirank as ur
from tests.server.asgi import Client
from tests.server.stores import SETTINGS, service_on
from unirank.server.app import make_app

PACKAGE = Path(ur.__file__).parent
PAGE = PACKAGE.parent / "ARCHITECTURE.md"
BEGIN, END = "<!-- {}: drawn by `make architecture` -->\n```\n", "```\n<!-- end -->"

Visit = tuple[str, str]  # file and function that was entered there


def rooms_picture() -> str:
    """Draw the rooms, highest first, with an arrow to each room that one imports from."""
    imports = room_imports()
    order = sorted(imports, key=lambda room: (len(reached(imports, room)), room), reverse=True)
    arrows = [
        (order.index(room), order.index(other))
        for room in order
        for other in sorted(imports[room], key=order.index)
        if not follows(imports, room, other)
    ]
    width = max(map(len, order))
    rows = []
    for row, room in enumerate(order):
        marks = " ".join(mark(row, start, end) for start, end in arrows)
        sentence = (ast.get_docstring(tree_of(room)) or "").split("\n")[0]
        rows.append(f"{room:<{width}}  {marks}  {sentence}".rstrip())
    return "\n".join(rows) + "\n"


def mark(row: int, start: int, end: int) -> str:
    """Return the part of an arrow from one row down to another that stands in this row."""
    if row == start:
        return "┬"
    return "▼" if row == end else "│" if start < row < end else " "


def tree_of(room: str) -> ast.Module:
    return ast.parse((PACKAGE / room / "__init__.py").read_text())


def room_imports() -> dict[str, set[str]]:
    """Return for each room, a folder of the package, the other rooms that its files import.

    `unirank serve` imports the server when it is called, by a name in a string. Imports for type
    checkers alone do not count.
    """
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    found: dict[str, set[str]] = {room: set() for room in rooms}
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0]
        for node in executed(ast.parse(path.read_text())) if room in rooms else ():
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                names = re.findall(r"^unirank\.\w+\.\w+$", node.value)
            else:
                continue
            found[room] |= {name.split(".")[1] for name in names if name.startswith("unirank.")}
    return {room: (others & rooms) - {room} for room, others in found.items()}


def executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes of a file but those that only type checkers read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from executed(node)


def reached(imports: dict[str, set[str]], room: str) -> set[str]:
    """Return the rooms that a room imports from, and those that they import from, and so on."""
    return imports[room].union(*(reached(imports, other) for other in imports[room]))


def follows(imports: dict[str, set[str]], room: str, other: str) -> bool:
    """Return whether an arrow is left out, because other arrows lead the same way."""
    return any(other in reached(imports, between) for between in imports[room])


def ways_picture() -> str:
    """Draw the files that a list, its answer and a click of the service pass through."""
    policy = ur.MatchRank(["a", "b", "c", "d"], n_positions=2, seed=1)
    policy.update(policy.rank(), [])  # what is made or compiled at first is not on the way
    with Follower() as follower:
        with follower.noting() as ranking:
            shown = policy.rank()
        with follower.noting() as learning:
            policy.update(shown, shown.items[:1])
    kernels = type(policy).kernels
    return "\n".join(
        [
            drawn("policy.rank()", ranking, kernels.rank, kernels.propensity, kernels.remember),
            drawn("policy.update(shown, clicks)", learning, kernels.update),
            *click_ways(),
        ]
    )


def click_ways() -> Iterator[str]:
    """Draw the way of a click: until it is acknowledged, and after the window of its list."""
    with (
        TemporaryDirectory() as folder,
        Follower() as follower,
        service_on(Path(folder) / "ways.sqlite") as service,
    ):
        asyncio.run(service.put_page("home", msgspec.structs.replace(SETTINGS, policy="matchrank")))
        key = {"Authorization": f"Bearer {service.keys.create(('admin',))}"}
        client = Client(make_app(service))
        for _ in range(3):  # the first ones make and compile
            shown = client.post("/v1/pages/home/rank", headers=key).json()
            report = {"token": shown["token"], "clicks": shown["items"][:1], "final": True}
            with follower.noting() as reporting:
                answer = client.post("/v1/clicks", json=report)
            assert answer.status_code == 202, answer.text
            with follower.noting() as folding:
                service.closing.once()
    yield drawn("POST /v1/clicks, until the click is on disk and 202 is answered", reporting)
    yield drawn("the same click, when its list is final or its window over", folding)


class Follower:
    """Follows the calls of this thread, and of those that it starts, into the package's files.

    Threads run beside each other: the files of the others come last, so that each picture is the
    same.
    """

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._here: list[Visit] | None = None
        self._elsewhere: list[Visit] = []

    def __enter__(self) -> "Follower":
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    @contextmanager
    def noting(self) -> Iterator[list[Visit]]:
        """Note each file that is entered, with the function by which it is entered first."""
        self._here, self._elsewhere = visits, _ = list[Visit](), list[Visit]()
        yield visits
        self._here = None
        others = [(file, f"{name}  another thread") for file, name in self._elsewhere]
        visits += [(file, name) for file, name in others if file not in dict(visits)]

    def _on_event(self, frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and self._here is not None and path.is_relative_to(PACKAGE):
            visits = self._here if threading.get_ident() == self._thread else self._elsewhere
            file = str(path.relative_to(PACKAGE))
            if file not in dict(visits) and path.stem != "_old_names":  # asked at each import
                visits.append((file, frame.f_code.co_qualname))


def drawn(title: str, visits: list[Visit], *kernels: Callable[..., Any]) -> str:
    """Write a title, the files in the order of entering, and those of the compiled functions."""
    inside = [visit for visit in compiled_visits(kernels) if visit[0] not in dict(visits)]
    rows = [(file, name, "") for file, name in visits]
    rows += [(file, name, "  compiled") for file, name in inside]
    width = max(len(file) for file, _, _ in rows)
    return "\n".join(
        [title, *(f"  {file:<{width}}  {name}{kind}" for file, name, kind in rows), ""]
    )


def compiled_visits(kernels: Sequence[Callable[..., Any]]) -> list[Visit]:
    """Return the files of compiled functions and of all that they call, each with one of these."""
    visits: dict[str, str] = {}
    waiting = list(kernels)
    seen = set(waiting)
    while waiting:
        function = waiting.pop(0)
        python = getattr(function, "py_func", function)
        file = str(Path(python.__code__.co_filename).relative_to(PACKAGE))
        visits.setdefault(file, python.__qualname__)
        for name in python.__code__.co_names:
            called: Any = python.__globals__.get(name)
            if hasattr(called, "py_func") and called not in seen:
                seen.add(called)
                waiting.append(called)
    return list(visits.items())


def with_pictures(text: str) -> str:
    """Return the page with its pictures drawn anew."""
    for name, draw in {"rooms": rooms_picture, "ways": ways_picture}.items():
        begin = BEGIN.format(name)
        before, mark_found, rest = text.partition(begin)
        _, end_found, after = rest.partition(END)
        if not (mark_found and end_found):
            raise ValueError(f"{PAGE.name} must hold {begin!r} and {END!r}")
        text = before + begin + draw() + END + after
    return text


if __name__ == "__main__":
    PAGE.write_text(with_pictures(PAGE.read_text()))
