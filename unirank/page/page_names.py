"""Names of pages as names of files, and back.

A name may be any text: a title in any script, a path, a whole address. Lower-case letters, digits,
- and _ stand for themselves; every other byte of its UTF-8 form is written as %xx. So a file name
is plain ASCII without dots or separators, no page can reach out of the folder, and two names never
share a file, even where a file system ignores case. A long name continues in folders.
"""

import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

from unirank.errors import ArgumentError

SUFFIX = ".unirank"
PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_")
LONGEST_PART = 200  # letters of one file name; file systems allow 255
LONGEST = 1000  # bytes of a name


def path_of(folder: Path, name: str) -> Path:
    """The file of a page."""
    encoded = _encoded(name)
    parts = [encoded[n : n + LONGEST_PART] for n in range(0, len(encoded), LONGEST_PART)]
    return folder.joinpath(*parts[:-1], f"{parts[-1]}{SUFFIX}")


def names_in(folder: Path) -> set[str]:
    """The names of all pages that have a file."""
    files = (path.relative_to(folder) for path in folder.rglob(f"*{SUFFIX}"))
    encoded = ["".join(path.parts).removesuffix(SUFFIX) for path in files]
    return {unquote_to_bytes(name).decode() for name in encoded if _is_encoded(name)}


def _encoded(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise ArgumentError(f"page must be named by a text that is not empty, got {name!r}")
    try:
        content = name.encode()
    except UnicodeEncodeError:
        raise ArgumentError(f"page must be named by Unicode text, got {name!r}") from None
    if len(content) > LONGEST:
        raise ArgumentError(
            f"page must have a name of at most {LONGEST} bytes, got {len(content)}: "
            f"{name!r:.60}; use a key of your own instead"
        )
    return "".join(chr(byte) if byte in PLAIN else f"%{byte:02x}" for byte in content)


def _is_encoded(text: str) -> bool:
    """Whether `_encoded` can have made this; other files in the folder are none of ours."""
    return re.fullmatch(r"(?:[a-z0-9_-]|%[0-9a-f]{2})+", text) is not None
