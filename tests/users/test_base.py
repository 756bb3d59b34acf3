import inspect
import json
import sys
from typing import Any

import numpy as np
import pytest

from tests.reference import click_models as twins
from tests.reference.randomness import USERS, Rng, game_shuffle
from unirank.errors import ArgumentError
from unirank.users import CCM, CM, DBN, DCM, PBM, UBM, ClickModel, registry

ATTRACTION = [0.3, 0.0, 0.5, 0.15, 0.7]
MODELS: dict[str, ClickModel] = {
    "cm": CM(ATTRACTION),
    "dcm": DCM(ATTRACTION, [0.6, 0.1, 0.9]),
    "dbn": DBN(ATTRACTION, [0.8, 0.5, 0.1, 0.0, 0.6], 0.2),
    "ccm": CCM(ATTRACTION, 0.8, 0.9, 0.4),
    "pbm": PBM(ATTRACTION, [0.9, 0.6, 0.3], coupling="common"),
    "ubm": UBM(ATTRACTION, [[0.1, 0.2, 0.9], [0.8, 0.3, 0.6], [0.5, 0.9, 0.4]]),
}


def test_every_registered_model_is_tested_here() -> None:
    assert sorted([*MODELS, "segments"]) == registry.names()  # test_segments.py has the others


@pytest.mark.parametrize("name", MODELS)
def test_a_model_survives_json(name: str) -> None:
    again = ClickModel.from_json(MODELS[name].to_json())
    assert type(again) is type(MODELS[name])
    assert again == MODELS[name]
    assert hash(again) == hash(MODELS[name])


@pytest.mark.parametrize("name", MODELS)
def test_the_text_of_a_model_makes_it_again(name: str) -> None:
    constructors = {"CCM": CCM, "CM": CM, "DBN": DBN, "DCM": DCM, "PBM": PBM, "UBM": UBM}
    assert eval(repr(MODELS[name]), constructors) == MODELS[name]


def test_json_says_which_model_it_is() -> None:
    assert json.loads(MODELS["cm"].to_json()) == {"click_model": "cm", "attraction": ATTRACTION}


def test_models_that_differ_are_not_equal() -> None:
    models = [*MODELS.values(), CM([0.1]), PBM(ATTRACTION, [0.9, 0.6, 0.3])]
    assert len(set(models)) == len(models)


@pytest.mark.parametrize("name", MODELS)
def test_renaming_the_items_leaves_the_model_as_it_was(name: str) -> None:
    before = MODELS[name].to_json()
    MODELS[name].shuffled(np.array([3, 0, 4, 2, 1]))
    assert MODELS[name].attraction.tolist() == ATTRACTION
    assert MODELS[name].to_json() == before


@pytest.mark.parametrize("name", MODELS)
def test_every_parameter_is_an_attribute_that_cannot_change(name: str) -> None:
    model = MODELS[name]
    for parameter, value in model.settings.items():
        found = getattr(model, parameter)
        assert (found.tolist() if isinstance(found, np.ndarray) else found) == value
        with pytest.raises(AttributeError, match=f"{parameter} of a click model cannot change"):
            setattr(model, parameter, value)
        if isinstance(found, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                found[...] = 0.5


@pytest.mark.parametrize("name", MODELS)
def test_the_attributes_are_the_arguments_of_the_constructor(name: str) -> None:
    model = MODELS[name]
    assert set(model.settings) == set(inspect.signature(type(model)).parameters)


def test_a_user_has_a_seed_a_game_and_a_round() -> None:
    model, twin = CM([0.5] * 4), twins.CM([0.5] * 4)
    for seed, game, round in [(0, 0, 1), (9, 0, 1), (0, 9, 1), (0, 0, 9), (2, 3, 2**40 - 1)]:
        clicks = model.draw_clicks([0, 1, 2, 3], seed=seed, game=game, round=round)
        assert clicks.tolist() == twin.clicks([0, 1, 2, 3], Rng(seed, game, USERS, round))


@pytest.mark.parametrize(
    ("ranking", "sentence"),
    [
        ([], "len(ranking) must be in 1..n_positions=3, got 0"),
        ([0, 1, 2, 3], "len(ranking) must be in 1..n_positions=3, got 4"),
        ([0, 5], "ranking[1] must be in 0..n_items-1=4, got 5"),
        ([-1], "ranking[0] must be in 0..n_items-1=4, got -1"),
        ([0, 1, 0], "ranking must not repeat an item, got [0, 1, 0]"),
        (["a"], "ranking[0] must be an integer in 0..n_items-1=4, got 'a'"),
    ],
)
def test_a_wrong_ranking_is_refused_with_its_reason(ranking: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        MODELS["pbm"].value(ranking)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ({"seed": -1}, r"^seed must be in 0\.\.9223372036854775807, got -1$"),
        ({"seed": 0, "game": -1}, r"^game must be .*, got -1$"),
        ({"seed": 0, "round": 0}, r"^round must be .*, got 0$"),
        ({"seed": 0, "round": 2**40}, r"^round must be in 1\.\..*, got 1099511627776$"),
        ({"seed": 0, "game": 2**64}, r"^game must be in 0\.\..*, got 18446744073709551616$"),
    ],
)
def test_a_user_who_cannot_be_is_refused(address: dict[str, int], reason: str) -> None:
    with pytest.raises(ArgumentError, match=reason):
        MODELS["cm"].draw_clicks([0], **address)


@pytest.mark.parametrize(
    ("n_positions", "sentence"),
    [
        (0, "n_positions must be in 1..n_items=5, got 0"),
        (6, "n_positions must be in 1..n_items=5, got 6"),
        (4, "n_positions must be in 1..positions of the click model=3, got 4"),
        (1.0, "n_positions must be an integer in 1..n_items=5, got 1.0"),
    ],
)
def test_a_ranking_longer_than_the_model_describes_is_refused(
    n_positions: Any, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        MODELS["dcm"].best_ranking(n_positions)
    assert str(caught.value) == sentence


def test_too_many_rankings_to_search_are_refused_with_what_to_pass_instead() -> None:
    with pytest.raises(ArgumentError) as caught:
        UBM([0.1] * 20, [[0.5] * 6] * 6).best_ranking(6)
    assert str(caught.value) == (
        "best_ranking must be given here: ubm has no closed form and 6 of 20 items make "
        "27,907,200 rankings to search, more than 5,000,000; "
        "pass best_ranking=[...] to measure regret against it"
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "a click model needs the key 'click_model', got {}"),
        ([1], "a click model needs the key 'click_model', got [1]"),
        ({"click_model": "pmb"}, "unknown click model 'pmb'; did you mean 'pbm'?"),
        (
            {"click_model": "cm", "attraction": [0.1], "colour": 1},
            "click model 'cm': got an unexpected keyword argument 'colour'",
        ),
        (
            {"click_model": "cm"},
            "click model 'cm': missing 1 required positional argument: 'attraction'",
        ),
        ({"click_model": "cm", "attraction": []}, "attraction must not be empty, got shape (0,)"),
    ],
)
def test_a_wrong_dictionary_is_refused_with_its_reason(fields: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        ClickModel.from_dict(fields)
    assert str(caught.value) == sentence


def test_one_model_is_not_read_as_another() -> None:
    with pytest.raises(ArgumentError, match=r"^click_model must be 'pbm', got 'cm'$"):
        PBM.from_dict({"click_model": "cm", "attraction": [0.1]})


def test_text_that_is_not_json_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^click model is not valid JSON: "):
        ClickModel.from_json("{")


def test_more_items_than_a_user_has_draws_for_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^n_items must be in 1\.\.8388608, got 8388609$"):
        CM(np.zeros(2**23 + 1))


@pytest.mark.parametrize("game", range(5))
def test_items_of_a_game_are_shuffled_as_in_the_literal_twin(game: int) -> None:
    assert CM([0.5] * 7).item_order(3, game).tolist() == game_shuffle(3, game, 7)


class Blind(CM):
    """A model without the chances of a second click."""

    kernels = CM.kernels._replace(expected_after_click=None)


def test_a_model_without_second_clicks_says_so() -> None:
    with pytest.raises(ArgumentError) as caught:
        Blind([0.1, 0.2]).joint_clicks([0, 1])
    assert str(caught.value) == (
        "click model 'Blind' cannot compare two items of a ranking: add expected_after_click to "
        "its ClickKernels, got None"
    )


class Own(CM):
    """A click model outside the registry, made from one that is in it."""


class Unnamed(ClickModel):
    """A click model outside the registry."""

    kernels = CM.kernels

    def __init__(self, attraction: list[float]) -> None:
        super().__init__(CM(attraction).parameters, len(attraction), attraction=attraction)


def test_a_model_outside_the_registry_is_found_by_module_and_class() -> None:
    users = Unnamed([0.5, 0.2])
    assert (users.name, Own([0.5]).name) == ("Unnamed", "Own")
    for own in (users, Own([0.5])):
        assert own.to_dict()["click_model"] == f"{__name__}:{own.name}"
        assert type(ClickModel.from_json(own.to_json())) is type(own)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("antigravity:Model", "click model 'antigravity:Model' is not known yet: import antigrav"),
        (f"{__name__}:Unamed", f"unknown class of {__name__}: 'Unamed'; did you mean 'Unnamed'?"),
        (f"{__name__}:ATTRACTION", "click_model must be a name or a ClickModel class, got"),
    ],
)
def test_a_file_never_imports_a_module(name: str, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        ClickModel.from_dict({"click_model": name, "attraction": [0.5]})
    assert str(caught.value).startswith(sentence)
    assert "antigravity" not in sys.modules
