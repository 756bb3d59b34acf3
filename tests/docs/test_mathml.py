"""LaTeX becomes MathML that browsers typeset without help."""

import re

import pytest
from mathml import mathml


def tags(latex: str) -> list[str]:
    return re.findall(r"<(m\w+)", mathml(latex))[1:]


def test_a_formula_becomes_mathml() -> None:
    assert tags(r"\frac{a_i}{2}") == ["mfrac", "msub", "mi", "mi", "mn"]
    assert 'display="block"' in mathml("x", as_block=True)


def test_names_of_functions_stand_apart() -> None:
    assert tags(r"3 \ln t") == ["mn", "mspace", "mi", "mo", "mspace", "mi"]
    assert "mspace" not in tags(r"\ln(t)")


def test_what_cannot_be_typeset_is_named() -> None:
    with pytest.raises(ValueError, match=r"cannot typeset .*nonsense"):
        mathml(r"\nonsense x")
