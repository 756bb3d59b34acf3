"""A policy always has the same colour."""

import ast

from matplotlib import pyplot, style

from tests.docs.sources import ROOT
from unirank import list_policies
from unirank.lab import plots
from unirank.lab.plots.theme import COLOURS, SPARE, SURE, colour_of


def test_colours_of_the_table_differ() -> None:
    assert set(COLOURS) <= set(list_policies())
    assert len({*COLOURS.values(), *SPARE}) == len(COLOURS) + len(SPARE)


def test_a_policy_of_your_own_has_a_colour_without_an_entry() -> None:
    assert colour_of("MyPolicy") == colour_of("MyPolicy")
    assert colour_of("MyPolicy") in SPARE
    assert len({colour_of(name) for name in ("Mine", "Yours", "Theirs", "Ours")}) > 1


def test_figures_of_ones_own_can_have_our_look() -> None:
    with style.context(plots.STYLE):
        (line,) = pyplot.figure().subplots().plot([1, 2])
    pyplot.close("all")
    assert line.get_color() == SURE


def test_every_example_has_our_look() -> None:
    for path in sorted((ROOT / "examples").glob("*.py")):
        text = path.read_text()
        ours = "style.use(ur.plots.STYLE)" in text or "pyplot" not in text
        assert ours, f"{path.name} draws without plt.style.use(ur.plots.STYLE)"
        named = {n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)}
        assert not [colour for colour in named if str(colour).startswith("tab:")], path.name
