"""The contract of click models: `check_click_model`."""

import inspect
from itertools import islice, permutations, product
from math import sqrt
from typing import Any

import numpy as np

from unirank.errors import ArgumentError
from unirank.lab.checks.contract import Outcome, outcomes, raise_first, require
from unirank.users import ClickModel
from unirank.users.objective import ANY_CLICK, CLICKS, OBJECTIVES

N_USERS = 20_000
ATTRACTION = (0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
BY_POSITION = [1.0, 0.7, 0.5]
GUESSES = (BY_POSITION, 0.5, [BY_POSITION] * 3)  # of a parameter that is not one by item
MOST_SIGMAS = 5.0  # a correct model exceeds this in about one check out of a million


def check_click_model(model: ClickModel) -> None:
    """Raise a ContractError, with its own sentence, for the first thing that does not hold."""
    raise_first(click_model_outcomes(model))


def click_model_outcomes(model: ClickModel) -> list[Outcome]:
    """Run the whole contract and say what each check found."""
    return outcomes(CHECKS, model)


def example_model(cls: type[ClickModel], **given: Any) -> ClickModel:
    """Make a click model of six items; arguments that are not given are guessed.

    Parameters by item are six probabilities; others are tried as a list by position, a number, and
    a matrix.
    """
    needed = [
        name
        for name, parameter in inspect.signature(cls).parameters.items()
        if parameter.default is parameter.empty and name not in given
    ]
    per_item: dict[str, Any] = {name: list(ATTRACTION) for name in needed if name in cls.per_item}
    others = [name for name in needed if name not in per_item]
    reason = ""
    for values in product(GUESSES, repeat=len(others)):
        guessed: dict[str, Any] = dict(zip(others, values, strict=True))
        try:
            return cls(**per_item, **guessed, **given)
        except Exception as error:  # of the user's constructor
            reason = reason or f"{type(error).__name__}: {error}"
    wanted = ", ".join(f"{name}=..." for name in needed) or "other values"
    raise ArgumentError(f"cannot make a {cls.__name__} to check: {reason}; give {wanted}")


def expected_clicks_are_probabilities(model: ClickModel) -> None:
    """Expected clicks are probabilities, and the value is their sum."""
    for ranking in some_rankings(model):
        expected = model.expected_clicks(ranking)
        require(bool(np.all((expected >= 0) & (expected <= 1))), f"got {expected} for {ranking}")
        total = model.value(ranking)
        require(abs(total - expected.sum()) < 1e-9, f"value {total}, sum {expected.sum()}")


def drawn_clicks_match_expectation(model: ClickModel) -> None:
    """Drawn clicks come as often as expected_clicks says."""
    ranking = next(some_rankings(model))
    clicks = [model.draw_clicks(ranking, seed=1, round=r) for r in range(1, N_USERS + 1)]
    frequency, expected = np.mean(clicks, axis=0), model.expected_clicks(ranking)
    for k, (seen, wanted) in enumerate(zip(frequency, expected, strict=True)):
        margin = MOST_SIGMAS * sqrt(max(wanted * (1 - wanted), 1e-9) / N_USERS)
        require(abs(seen - wanted) <= margin, f"position {k}: drew {seen}, expected {wanted}")


def second_clicks_match_expectation(model: ClickModel) -> None:
    """Two clicks come together as often as expected_after_click says, if the model has it."""
    if model.kernels.expected_after_click is None:
        return
    ranking = next(some_rankings(model))
    clicks = np.array([model.draw_clicks(ranking, seed=2, round=r) for r in range(1, N_USERS + 1)])
    together, wanted = clicks.T.astype(np.float64) @ clicks / N_USERS, model.joint_clicks(ranking)
    margin = MOST_SIGMAS * np.sqrt(np.maximum(wanted * (1 - wanted), 1e-9) / N_USERS)
    for k, l in np.argwhere(np.abs(together - wanted) > margin):  # noqa: E741 - positions
        require(False, f"positions {k} and {l}: drew {together[k, l]}, expected {wanted[k, l]}")


def first_clicks_match_expectation(model: ClickModel) -> None:
    """The first click comes at each position as often as first_click says, if the model has it."""
    if model.kernels.first_click is None:
        return
    ranking = next(some_rankings(model))
    clicks = np.array([model.draw_clicks(ranking, seed=3, round=r) for r in range(1, N_USERS + 1)])
    first = (clicks & (clicks.cumsum(axis=1) == 1)).mean(axis=0)
    wanted = model.first_click(ranking)
    margin = MOST_SIGMAS * np.sqrt(np.maximum(wanted * (1 - wanted), 1e-9) / N_USERS)
    for k in np.flatnonzero(np.abs(first - wanted) > margin):
        require(False, f"position {k}: drew {first[k]}, expected {wanted[k]}")
    any_click = model.value(ranking, ANY_CLICK)
    require(abs(any_click - wanted.sum()) < 1e-9, f"returned {any_click}, sum {wanted.sum()}")


def no_ranking_beats_the_best(model: ClickModel) -> None:
    """No ranking is worth more than best_ranking, under any objective."""
    n_positions = min(model.n_positions, model.n_items)
    for objective in OBJECTIVES if model.kernels.first_click is not None else (CLICKS,):
        best = model.best_value(n_positions, objective)
        for ranking in some_rankings(model):
            worth = model.value(ranking, objective)
            require(worth <= best + 1e-12, f"{ranking}: {objective} {worth}, more than {best}")


def renaming_items_renames_clicks(model: ClickModel) -> None:
    """Items are only numbers: shuffled parameters describe the same users."""
    order = np.arange(model.n_items)[::-1].copy()
    shuffled = model.shuffled(order)
    for ranking in islice(some_rankings(model), 20):
        shown = np.array(ranking)
        expected = np.zeros(len(ranking))
        model.kernels.expected_clicks(shuffled, shown, expected)
        same = np.allclose(expected, model.expected_clicks(order[shown].tolist()), atol=1e-12)
        require(same, f"{ranking} changes with the items' numbers")


def json_loses_nothing(model: ClickModel) -> None:
    """A model written as JSON reads back equal."""
    again = ClickModel.from_json(model.to_json())
    require(type(again) is type(model) and again.settings == model.settings, "it does not")


def some_rankings(model: ClickModel) -> "islice[tuple[int, ...]]":
    """Up to 500 rankings of full length."""
    n_positions = min(model.n_positions, model.n_items)
    return islice(permutations(range(model.n_items), n_positions), 500)


CHECKS = (
    expected_clicks_are_probabilities,
    drawn_clicks_match_expectation,
    second_clicks_match_expectation,
    first_clicks_match_expectation,
    no_ranking_beats_the_best,
    renaming_items_renames_clicks,
    json_loses_nothing,
)
