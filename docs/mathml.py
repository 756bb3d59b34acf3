"""Formulas as MathML, made by docutils: browsers typeset it without a script or a font."""

from typing import TYPE_CHECKING

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator


def inline(writer: "HTML5Translator", node: nodes.math) -> None:
    """Write a formula inside a sentence."""
    writer.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def block(writer: "HTML5Translator", node: nodes.math_block) -> None:
    """Write a formula on a line of its own; a narrow page scrolls it, and not the whole page."""
    formula = tex2mathml(node.astext(), as_block=True)
    writer.body.append(f'<div class="formula">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: "Sphinx") -> dict[str, bool]:
    """Make this the renderer `html_math_renderer = "mathml"`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
