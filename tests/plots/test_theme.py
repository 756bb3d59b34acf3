"""One colour per policy for ever."""

from unirank import list_policies
from unirank.plots.theme import COLOURS, SPARE, colour_of


def test_every_registered_policy_has_a_colour_of_its_own() -> None:
    assert set(list_policies()) <= set(COLOURS)
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_a_policy_of_your_own_keeps_its_colour() -> None:
    assert colour_of("mine") == colour_of("mine")
    assert colour_of("mine") in SPARE
