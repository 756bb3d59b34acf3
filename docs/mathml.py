"""Formulas as MathML: browsers typeset it themselves, without a script or a font from elsewhere."""

import re
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

THIN = '<mspace width="0.17em"></mspace>'
APPLIED = "<mo>&ApplyFunction;</mo>"
BESIDE = re.compile(
    rf"(</m(?:i|n|sub|sup|frac|sqrt|text)>|\)</mo>)(?=\s*<mi[^>]*>[\w-]+</mi>\s*{APPLIED})"
)
BEFORE = re.compile(rf"{APPLIED}(?!\s*(?:<mrow>\s*)?<mo[^>]*>[(\[])")  # not of kl(p, q)


def mathml(latex: str, *, as_block: bool = False) -> str:
    """Return a formula, with thin spaces around the names of functions: 3 ln t."""
    try:
        formula = tex2mathml(latex, as_block=as_block)
    except MathError as error:
        raise ValueError(f"docutils cannot typeset {latex!r}: {error}") from None
    return BEFORE.sub(APPLIED + THIN, BESIDE.sub(rf"\1{THIN}", formula))


def inline(writer: "HTML5Translator", node: nodes.math) -> None:
    """Write a formula inside a sentence."""
    writer.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def block(writer: "HTML5Translator", node: nodes.math_block) -> None:
    """Write a formula on a line of its own; a narrow page scrolls it, and not the whole page."""
    writer.body.append(f'<div class="formula">{mathml(node.astext(), as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: "Sphinx") -> dict[str, bool]:
    """Make this the renderer `html_math_renderer = "mathml"`."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
