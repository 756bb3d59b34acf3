"""Links of the site: what it has in place of files of the checkout.

Pages link to files that a checkout has, because they are read there, too. In the site, a link to an
example leads to its page in the gallery, and a link to a part of the library to the page of the
reference that is made from it. A comment is a figure of an example, its second here:

    <!-- figure: examples/10_inside_unirank.py 2 60% One round, step by step -->
"""

import os
import re
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from unirank import policies, users

if TYPE_CHECKING:  # tests read this file, and do without it
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<=\]\()((?:\.\./)+[^)#\s]+)(?=[)#])")
FIGURE = re.compile(r"<!-- figure: examples/(\w+)\.py (\d) (\d+%) (.*?) -->")
PAGES = {
    "examples": "gallery/index.rst",
    "unirank/__init__.py": "reference/python.md",
    "unirank/cli": "reference/commands.rst",
    "unirank/users": "reference/generated/click_models.md",
    "unirank/policies/kernels": "reference/generated/kernels.md",
    "unirank/lab/experiments": "reference/generated/experiments.md",
    "unirank/policies/papers.py": "reference/generated/plain_editions.md",
    "unirank/policies": "reference/generated/policies.md",
    "unirank/server/api.py": "reference/generated/http.md",
    "unirank/lab/simulation/games.py": "reference/python.md",
}


def page_of(path: str) -> str:
    """Return the page of the site for a file or folder of the checkout; "" if there is none."""
    found = re.fullmatch(r"examples/(\d\d_\w+)\.py", path)
    return f"gallery/{found[1]}.rst" if found else (PAGES | pages_of_classes()).get(path, "")


def pages_of_classes() -> dict[str, str]:
    """Return the pages of policies and click models by the files of their classes."""
    found: dict[str, str] = {}
    for kind, registry in (
        ("policies", policies.registry),
        ("click_models", users.registry),
    ):
        for entry in registry:
            file = Path(str(sys.modules[entry.cls.__module__].__file__)).resolve()
            if file.is_relative_to(ROOT):
                page = f"reference/generated/{kind}/{entry.name}.md"
                found.setdefault(str(file.relative_to(ROOT)), page)
    return found


def as_in_the_site(text: str, folder: str) -> str:
    """Return the text of a page in a folder of docs with the links and figures of the site."""

    def link(found: re.Match[str]) -> str:
        path = os.path.normpath(PurePath("docs", folder, found[1]))
        page = page_of(path)
        return os.path.relpath(page, folder or ".") if page else found[1]

    def figure(found: re.Match[str]) -> str:
        example, number, width, words = found.groups()
        image = f"gallery/images/sphx_glr_{example}_{int(number):03d}.png"
        return f'![{words}]({os.path.relpath(image, folder or ".")}){{width="{width}"}}'

    return FIGURE.sub(figure, LINK.sub(link, text))


def setup(app: "Sphinx") -> dict[str, bool]:
    def read(_: "Sphinx", name: str, source: list[str]) -> None:
        source[0] = as_in_the_site(source[0], str(PurePath(name).parent).removeprefix("."))

    app.connect("source-read", read)
    return {"parallel_read_safe": True}
