from typing import Any

import pytest

from unirank.errors import ArgumentError, UnknownNameError
from unirank.registry import Registry


class Green:
    """Is green.

    And nothing else.
    """

    name: str


class Amber:
    name: str


@pytest.fixture
def colours() -> Registry[type[Any]]:
    registry: Registry[type[Any]] = Registry("colour")
    registry.register("green", warm="no")(Green)
    registry.register("amber", warm="yes")(Amber)
    return registry


def test_a_registered_class_is_found_by_its_name(colours: Registry[type[Any]]) -> None:
    assert colours["green"] is Green


def test_registering_leaves_the_class_as_it_was_but_for_its_name() -> None:
    registry: Registry[type[Any]] = Registry("colour")
    assert registry.register("verdant")(Green) is Green
    assert Green.name == "verdant"


def test_entries_are_listed_in_the_order_of_their_names(colours: Registry[type[Any]]) -> None:
    assert [(entry.name, entry.cls) for entry in colours] == [("amber", Amber), ("green", Green)]


def test_a_class_that_is_not_registered_has_no_facts(colours: Registry[type[Any]]) -> None:
    class Dark(Green):
        pass

    assert colours.facts(Dark) == {}


def test_the_summary_is_the_first_line_of_the_docstring(colours: Registry[type[Any]]) -> None:
    assert [entry.summary for entry in colours] == ["", "Is green"]


def test_an_unknown_name_is_answered_with_the_nearest(colours: Registry[type[Any]]) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown colour 'gren'; did you mean 'green'\?$"):
        colours["gren"]


def test_a_name_is_not_given_to_a_second_class(colours: Registry[type[Any]]) -> None:
    with pytest.raises(ArgumentError, match=r"^colour 'green' is already .*\.Green$"):
        colours.register("green")(Amber)


def test_a_class_written_again_replaces_the_first(colours: Registry[type[Any]]) -> None:
    again = type("Green", (), {"__qualname__": Green.__qualname__})
    colours.register("green")(again)
    assert colours["green"] is again


def test_a_class_of_the_same_name_from_elsewhere_is_refused(colours: Registry[type[Any]]) -> None:
    stranger = type("Green", (), {"__module__": "elsewhere"})
    with pytest.raises(ArgumentError, match=r"is already tests\.test_registry\.Green"):
        colours.register("green")(stranger)
