"""The reference, written from what it describes: nothing in it can be out of step.

Each file of this package turns one thing into pages: the command line, the registries, the
experiments, the public names. A page is Markdown, by its path under docs/reference/generated.
"""

from pathlib import Path

from reference_pages.commands import command_pages
from reference_pages.components import component_pages
from reference_pages.experiments import experiment_pages
from reference_pages.names import name_pages

__all__ = ["pages", "write_pages"]


def pages() -> dict[str, str]:
    """Every generated page by its path."""
    return {**command_pages(), **component_pages(), **experiment_pages(), **name_pages()}


def write_pages(folder: Path) -> None:
    """Write the pages; leave those alone that are there already, and remove those that are not."""
    wanted = {folder / path: text for path, text in pages().items()}
    for stale in set(folder.rglob("*.md")) - wanted.keys():
        stale.unlink()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
