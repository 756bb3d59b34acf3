"""Sphinx: `make docs`. Reference pages and gallery are written anew before each build."""

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from reference_pages import USED, documented_names, with_literal_blocks, write_pages  # noqa: E402

import unirank  # noqa: E402 - found by the lines above

project = "unirank"
version = release = unirank.__version__
extensions = [
    "cyclopts.ext.sphinx",
    "mathml",
    "myst_parser",
    "numpydoc",
    "self_contained",
    "site_links",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery/*.ipynb", "gallery/*.py", "gallery/*.json", "gallery/*.zip"]
highlight_language = "none"  # a block without a language is a drawing
default_role = "code"  # docstrings write `x`, as Markdown does
smartquotes = False  # --option stays two hyphens
myst_enable_extensions = ["attrs_inline", "deflist", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["config.cache"]

autodoc_inherit_docstrings = False  # only what a class adds
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autosummary_context = {"have_pages": documented_names(), "used": USED}
autosummary_ignore_module_all = False
numpydoc_show_class_members = False  # autodoc does
templates_path = ["templates"]
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 80

sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"\d\d_",
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("saved_figures.scrape",),
    "reset_modules": (),
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 10**6,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "thumbnail_size": (480, 320),
}

copybutton_prompt_text = r">>> |\.\.\. |\$ "  # copied without prompts, and without what is printed
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "unirank"
html_static_path = ["static"]
html_css_files = ["unirank.css"]
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": True,
    "secondary_sidebar_items": {"**": ["page-toc"], "reference/generated/policies": []},
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_nav_level": 1,
}
copyright = "the UniRank developers. MIT licence"


def close_blocks(_: Sphinx, name: str, source: list[str]) -> None:
    """Drop the blank line that doctest needs at the end of a block; title the pages of tables."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")
    if source[0].startswith(("|", "## ")):  # written by a command
        source[0] = f"# {name.rpartition('/')[2].capitalize()}\n\n{source[0]}"


def keep_indented(*given: Any) -> None:
    """Keep formulas and steps of a docstring as they are, before numpydoc reads it."""
    lines = given[-1]
    lines[:] = with_literal_blocks(lines)


def setup(app: Sphinx) -> None:
    """Write the reference before Sphinx looks for its sources."""
    app.connect("config-inited", lambda *_: write_pages(HERE / "reference" / "generated"))
    app.connect("source-read", close_blocks)
    app.connect("autodoc-process-docstring", keep_indented, priority=400)  # numpydoc's is 500
