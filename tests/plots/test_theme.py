"""A policy always has the same colour."""

from unirank import list_policies
from unirank.plots.theme import COLOURS, SPARE, colour_of


def test_colours_of_the_table_differ() -> None:
    assert set(COLOURS) <= set(list_policies())
    assert len({*COLOURS.values(), *SPARE}) == len(COLOURS) + len(SPARE)


def test_a_policy_of_your_own_has_a_colour_without_an_entry() -> None:
    assert colour_of("MyPolicy") == colour_of("MyPolicy")
    assert colour_of("MyPolicy") in SPARE
    assert len({colour_of(name) for name in ("Mine", "Yours", "Theirs", "Ours")}) > 1
