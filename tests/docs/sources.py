"""The documentation as text: what we write, and what is written for us."""

import re
import shlex
from pathlib import Path

from reference_pages import pages

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
OTHERS = ("generated", "gallery", "reproduction")  # written by programs

WRITTEN = sorted(
    path for path in DOCS.rglob("*.md") if not set(path.relative_to(DOCS).parts) & set(OTHERS)
)
GENERATED = pages()


def name_of(path: Path) -> str:
    return str(path.relative_to(DOCS))


def command_lines() -> list[list[str]]:
    """Every `unirank ...` line of a shell block that we wrote, as words."""
    blocks = [
        block
        for path in (*WRITTEN, ROOT / "README.md")
        for block in re.findall(r"```sh\n(.*?)```", path.read_text(), re.DOTALL)
    ]
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    found = [shlex.split(line, comments=True) for line in lines if line.startswith("unirank ")]
    return [_without_imports(words) for words in found]


def _without_imports(words: list[str]) -> list[str]:
    """`--import MODULE` belongs to no command: the command line reads it before."""
    if "--import" not in words:
        return words
    place = words.index("--import")
    return words[:place] + words[place + 2 :]
