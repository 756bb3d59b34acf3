"""Formulas in plain text become LaTeX; words stay words."""

import sys

import pytest
from formulas import displayed, in_prose
from mathml import mathml
from reference_pages import registered, typeset

from tests.docs.sources import GENERATED
from unirank import policies

DISPLAYED = {
    "s_ij = D_ij / T_ij": r"s_{ij} = \frac{D_{ij}}{T_{ij}}",
    "x = (1 + s_ji) / 2 y": r"x = \frac{1 + s_{ji}}{2} y",
    "sqrt(d / (2 n_i))": r"\sqrt{\frac{d}{2 n_{i}}}",
    "ln(c / delta sqrt(N))": r"\ln\left(\frac{c}{\delta} \sqrt{N}\right)",
    "kl_ucb(mean[k, i_k], b)": r"\operatorname{kl-ucb}(\text{mean}[k ,\; i_{k}] ,\; b)",
    "P(read on | clicked i)": r"P(\text{read on} \mid \text{clicked } i)",
    "a_k * prod_(l<k) (1 - a_l)": r"a_{k} \cdot \prod_{l < k} (1 - a_{l})",
    "P_c+1": "P_{c+1}",
    "stop_after_click_k": r"\text{stop_after_click}_{k}",
    "Delta~_ij": r"\tilde{\Delta}_{ij}",
    "clicks / K": r"\frac{\text{clicks}}{K}",
    "x^S (1 - x)^M_k": "x^{S} (1 - x)^{M_{k}}",
    "ceil(16 4^l)": r"\lceil 16 \cdot 4^{l} \rceil",
}
SENTENCES = {
    "Regret O(K^3 L / Delta log T), at most.": r"Regret $O(K^{3} L / \Delta \log T)$, at most.",
    "items i, j of a page": "items $i$, $j$ of a page",
    "a position-based item's r-th place": "a position-based item's r-th place",
    "where b <= 0 (t < 3) it is": r"where $b \le 0$ $(t < 3)$ it is",
    "t = rounds so far": "$t$ = rounds so far",
    "`n_items - 1` of n_items, in ICML 2015": "`n_items - 1` of n_items, in ICML 2015",
    "S-GRAB, 2 % more": "S-GRAB, 2 % more",
    "of kl_ucb(mean, n, b), 1 else": r"of $\operatorname{kl-ucb}(\text{mean} ,\; n ,\; b)$, 1 else",
    "delta = 1 / horizon": r"$\delta$ = 1 / horizon",
    "click(i, k)": "click($i$, $k$)",
}


@pytest.mark.parametrize("text", DISPLAYED)
def test_a_formula_that_stands_alone(text: str) -> None:
    assert displayed([text]) == DISPLAYED[text]


@pytest.mark.parametrize("text", SENTENCES)
def test_formulas_inside_a_sentence(text: str) -> None:
    assert in_prose(text) == SENTENCES[text]


def test_lines_are_aligned_at_their_relations() -> None:
    latex = displayed(["a_i = 1,   b = 2", "      + 4"])
    assert latex.split("\n")[1:-1] == [r"a_{i} & {} = 1 \\", r"b & {} = 2 \\", "& {} + 4"]


def test_steps_are_definitions() -> None:
    text = "Each round:\n    play   the leader,\n           or i\n    learn  S_i"
    assert typeset(text) == "Each round:\n\nplay\n: the leader, or $i$\n\nlearn\n: $S_{i}$"


def test_every_formula_of_the_reference_can_be_typeset() -> None:
    found = [
        formula
        for page in GENERATED.values()
        for formula in page.replace("$$", "$").split("$")[1::2]
    ]
    assert len(found) > 200
    for formula in found:
        mathml(formula.strip())


def test_formulas_of_docstrings_stand_in_no_other_notation() -> None:
    texts = [sys.modules[entry.cls.__module__].__doc__ or "" for _, entry in registered()]
    texts += [entry.cls.__doc__ or "" for entry in policies.registry.plain]
    assert not [text for text in texts if "$" in text or "\\" in text]
