"""Random changes of bytes, of lines of fields, and of trees of plain data."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

NUMBERS = (0, 1, -1, 2, 3, 255, 2**31, 2**62, 2**63 - 1, -(2**63), 2**64 - 1)
FIELDS = (
    *("", " ", "0", "-1", "1", "2", "7.0", "1.5", "1e400", "NaN", "inf", "true", "0x10", "+3"),
    *(
        "9" * 18,
        "9" * 40,
        str(2**63),
        str(-(2**63)),
        "\u0663",
        "\u00e9",
        "\u2028",
        "\x85",
        "\ufeff",
    ),
    *('"', '""', '"a', 'a"b', "\\", "'", ";", ",", "|", "\t", "\r", "\n", "\x00", "\x0b", "\x1c"),
    *("\x1a", "#", "Q", "C", "T", "M", "x" * 3000, "null", "None", "%s", "$(x)", "../x"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 1.5, -0.5, 5e-324, 1e308, float("nan"), float("inf"), "", "x", "\0"),
    *("\u00e9", "x" * 1000, "1", [], [[]], {}, {"a": 1}, [0] * 100, [None], ["x", "x"], *NUMBERS),
)


def mutated(content: bytes, draw: Random) -> bytes:
    """Change the content at one to three places."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        content = draw.choice(CHANGES)(content, draw)
    return content


def flip(content: bytes, draw: Random) -> bytes:
    place = draw.randrange(len(content) or 1)
    return (
        content[:place]
        + bytes(b ^ 1 << draw.randrange(8) for b in content[place : place + 1])
        + (content[place + 1 :])
    )


def overwrite(content: bytes, draw: Random) -> bytes:
    start, end = span(content, draw)
    size = end - start
    new = draw.choice((bytes(size), b"\xff" * size, draw.randbytes(size)))
    return content[:start] + new + content[end:]


def insert(content: bytes, draw: Random) -> bytes:
    place = draw.randrange(len(content) + 1)
    return content[:place] + draw.randbytes(draw.randint(1, 40)) + content[place:]


def delete(content: bytes, draw: Random) -> bytes:
    start, end = span(content, draw)
    return content[:start] + content[end:]


def repeat(content: bytes, draw: Random) -> bytes:
    start, end = span(content, draw)
    return content[:end] + content[start:]


def swap(content: bytes, draw: Random) -> bytes:
    a, b, c = sorted(draw.randrange(len(content) + 1) for _ in range(3))
    return content[:a] + content[b:c] + content[a:b] + content[c:]


def cut(content: bytes, draw: Random) -> bytes:
    return content[: draw.randrange(len(content) + 1)]


def number(content: bytes, draw: Random) -> bytes:
    """Put a remarkable number into eight bytes."""
    new = (draw.choice(NUMBERS) % 2**64).to_bytes(8, draw.choice(("little", "big")))
    place = draw.randrange(max(len(content) - 7, 1))
    return content[:place] + new + content[place + 8 :]


CHANGES = (flip, flip, overwrite, insert, delete, repeat, swap, cut, number)


def span(content: bytes, draw: Random) -> tuple[int, int]:
    start = draw.randrange(len(content) + 1)
    return start, min(start + draw.choice((1, 2, 4, 8, 16, 64, 512)), len(content))


def rewritten(text: str, separators: str, draw: Random) -> bytes:
    """Change fields and lines of a text; a few times its bytes, too."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        text = draw.choice(LINE_CHANGES)(text, draw.choice(separators), draw)
    content = text.encode("utf-8", "surrogatepass")
    return mutated(content, draw) if draw.random() < 0.2 else content


def on_a_line(change: Callable[[str, str, Random], str]) -> Callable[[str, str, Random], str]:
    """Make of a change of one line that of a random line of a text."""

    def changed(text: str, separator: str, draw: Random) -> str:
        lines = text.split("\n")
        place = draw.randrange(len(lines))
        lines[place] = change(lines[place], separator, draw)
        return "\n".join(lines)

    return changed


def another_field(line: str, separator: str, draw: Random) -> str:
    fields = line.split(separator)
    fields[draw.randrange(len(fields))] = draw.choice(FIELDS)
    return separator.join(fields)


def a_field_more(line: str, separator: str, draw: Random) -> str:
    fields = line.split(separator)
    fields.insert(draw.randrange(len(fields) + 1), draw.choice((*FIELDS, *fields)))
    return separator.join(fields)


def a_field_less(line: str, separator: str, draw: Random) -> str:
    fields = line.split(separator)
    del fields[draw.randrange(len(fields))]
    return separator.join(fields)


def a_character_more(line: str, _: str, draw: Random) -> str:
    place = draw.randrange(len(line) + 1)
    return line[:place] + draw.choice(FIELDS) + line[place:]


def twice(line: str, _: str, draw: Random) -> str:
    return f"{line}{draw.choice((chr(10), chr(13), chr(13) + chr(10), '', chr(10) * 2))}{line}"


def nothing(line: str, _: str, draw: Random) -> str:
    return ""


def other_line_ends(text: str, _: str, draw: Random) -> str:
    return text.replace("\n", draw.choice(("\r\n", "\r", "\n\n")), draw.choice((1, 5, -1)))


def without_the_last_end(text: str, _: str, draw: Random) -> str:
    return text.rstrip("\n")


LINE_CHANGES = (
    *map(on_a_line, (another_field, another_field, another_field, a_field_more, a_field_less)),
    *map(on_a_line, (a_character_more, twice, nothing)),
    other_line_ends,
    without_the_last_end,
)


def reshaped(tree: Any, draw: Random) -> Any:
    """A copy of a tree of dicts, lists and values with one to three of its parts changed."""
    tree = deepcopy(tree)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        holder, key = draw.choice(list(places(tree)))
        draw.choice(PART_CHANGES)(holder, key, tree, draw)
    return tree


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Each part of the tree as what holds it and its key."""
    keys = list(tree) if isinstance(tree, dict) else range(len(tree))
    for key in keys:
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from places(tree[key])


def another_value(holder: Any, key: Any, tree: Any, draw: Random) -> None:
    holder[key] = deepcopy(draw.choice(VALUES))


def nearby(holder: Any, key: Any, tree: Any, draw: Random) -> None:
    """A value that is nearly right."""
    old = holder[key]
    if isinstance(old, bytes):
        holder[key] = mutated(old, draw)
    elif isinstance(old, str):
        place = draw.randrange(len(old) + 1)
        holder[key] = old[:place] + draw.choice(("", "x", "-", " ", "0")) + old[place + 1 :]
    elif isinstance(old, list) and old:
        holder[key] = draw.choice((old[1:], [*old, old[0]], old[::-1], old * 2, [old]))
    elif isinstance(old, int | float):
        new = draw.choice((old + 1, old - 1, -old, old * 2, float(old), not old))
        holder[key] = new if new in (new % 2**64, -1) or isinstance(new, float) else old
    else:
        another_value(holder, key, tree, draw)


def taken_from_elsewhere(holder: Any, key: Any, tree: Any, draw: Random) -> None:
    other, name = draw.choice(list(places(tree)))
    holder[key] = deepcopy(other[name])


def left_out(holder: Any, key: Any, tree: Any, draw: Random) -> None:
    if len(holder) > 1 or holder is not tree:
        del holder[key]


def renamed(holder: Any, key: Any, tree: Any, draw: Random) -> None:
    if isinstance(holder, dict):
        holder[draw.choice((f"{key}x", str(key)[1:], "items", "name", ""))] = holder[key]


PART_CHANGES = (another_value, nearby, nearby, taken_from_elsewhere, left_out, renamed)
