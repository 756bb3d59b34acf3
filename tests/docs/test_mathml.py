"""Every formula of a page can be typeset as MathML."""

import re

import pytest
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml

from tests.docs.sources import GENERATED, WRITTEN

TEXTS = [*(path.read_text() for path in WRITTEN), *GENERATED.values()]
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)


def test_every_formula_can_be_typeset() -> None:
    found = [either for text in TEXTS for either in FORMULA.findall(CODE.sub("", text))]
    assert len(found) > 20
    for block, inline in found:
        assert tex2mathml(block or inline).startswith("<math")


def test_what_cannot_be_typeset_is_refused() -> None:
    with pytest.raises(MathError, match="nonsense"):
        tex2mathml(r"\nonsense x")
