"""The site needs nothing from elsewhere: it is read without a network, and tells nobody."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LOADED = re.compile(
    r"<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*?"
    r"\b(?:src|href|srcset|data)\s*=\s*[\"']?\s*((?:https?:)?//[^\"'\s>]+)",
    re.IGNORECASE,
)
STYLED = re.compile(r"(?:@import\s+|url\()\s*[\"']?((?:https?:)?//[^\"')\s]+)", re.IGNORECASE)


def outside(text: str) -> list[str]:
    """Return the addresses elsewhere from which a page or a style sheet would load something."""
    return [*LOADED.findall(text), *STYLED.findall(text)]


def check(folder: Path) -> None:
    """Raise a ValueError that names the pages of a site that load something from elsewhere."""
    found = [
        f"{path.relative_to(folder)}: {address}"
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".html", ".css")
        for address in outside(path.read_text(errors="replace"))
    ]
    if found:
        raise ValueError("pages must not load anything from elsewhere:\n" + "\n".join(found))


def when_built(app: "Sphinx", exception: Exception | None) -> None:
    """Check the site that was just built."""
    if exception is None:
        check(Path(app.outdir))


def setup(app: "Sphinx") -> dict[str, bool]:
    """Check every site that is built."""
    app.connect("build-finished", when_built)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
