"""What PBM-UCB and PBM-PIE have in common."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.policies.cascades import answer, clicks_of
from tests.policies.examinations import NUMBERS, agree, problem
from tests.reference.examined_means import ExaminedMeansTwin
from tests.reference.pbm_pie import PBMPIETwin
from tests.reference.pbm_ucb import PBMUCBTwin
from unirank import PBMPIE, PBMUCB, ArgumentError, Policy, load
from unirank.policies.known_examination.means import ExaminedMeans

TWINS: dict[type[Policy], type[ExaminedMeansTwin]] = {PBMUCB: PBMUCBTwin, PBMPIE: PBMPIETwin}
every_policy = pytest.mark.parametrize("cls", TWINS)


@every_policy
def test_the_opening_shows_each_item_once_at_each_position(cls: Any) -> None:
    policy = cls(4, 3, examination=[1, 0.5, 0.2])
    lists = []
    for _ in range(4):
        shown = policy.rank()
        assert shown.propensity == 1.0
        lists.append(shown.items)
        policy.update(shown, [])
    assert lists == [(0, 1, 2), (1, 2, 3), (2, 3, 0), (3, 0, 1)]
    assert policy.state.shown.tolist() == [[1, 1, 1]] * 4


@every_policy
def test_every_position_counts_whatever_was_clicked_above(cls: Any) -> None:
    policy = cls(3, 3, examination=[1, 0.5, 0.2])
    for _ in range(2):
        policy.update(policy.rank(), [0, 2])
    assert policy.state.shown.tolist() == [[1, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert policy.state.clicked.tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 1]]
    assert policy.state.n_shown.tolist() == [2, 2, 2]
    assert policy.state.n_clicked.tolist() == [2, 0, 2]


@every_policy
@pytest.mark.parametrize("number", NUMBERS)
def test_rankings_are_those_of_the_twin(cls: Any, number: int) -> None:
    n_items, looks, users = problem(number)
    policy = cls(n_items, len(looks), examination=looks, seed=number)
    agree(policy, TWINS[cls](n_items, looks, seed=number), users)


@every_policy
@pytest.mark.parametrize("number", [2, 5, 6, 7])
def test_with_more_exploration_rankings_are_those_of_the_twin(cls: Any, number: int) -> None:
    n_items, looks, users = problem(number)
    policy = cls(n_items, len(looks), examination=looks, seed=1, exploration=0.7)
    agree(policy, TWINS[cls](n_items, looks, seed=1, exploration=0.7), users, n_rounds=400)


@every_policy
@pytest.mark.parametrize("number", [3, 5, 7])
def test_late_answers_in_any_order_agree_with_the_twin(cls: Any, number: int) -> None:
    n_items, looks, users = problem(number)
    policy = cls(n_items, len(looks), examination=looks, seed=2)
    agree(policy, TWINS[cls](n_items, looks, seed=2), users, delay=15, n_rounds=400)


@every_policy
@pytest.mark.parametrize("n_rounds", [3, 9, 500])
def test_a_saved_policy_goes_on_as_the_original(cls: Any, n_rounds: int, tmp_path: Path) -> None:
    n_items, looks, users = problem(8)
    policy = cls(n_items, len(looks), examination=looks, seed=2)
    for _ in range(n_rounds):
        shown = policy.rank()
        answer(policy, shown, clicks_of(users, shown, 2))
    late = policy.rank()
    policy.save(tmp_path / "state")
    loaded = load(tmp_path / "state")
    for one in (policy, loaded):
        answer(one, late, [True] * len(looks))
    for _ in range(300):
        shown = policy.rank()
        assert loaded.rank() == shown
        for one in (policy, loaded):
            answer(one, shown, clicks_of(users, shown, 2))


@every_policy
def test_only_what_was_learnt_is_saved(cls: Any) -> None:
    policy = cls(3, 2, examination=[1, 0.5])
    assert set(policy.statistics()) == {"shown", "clicked", "rounds"}


@every_policy
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"shown": [[1], [9]]}, "shown must be counts of at most the number of rounds"),
        ({"shown": [[1], [-1]]}, "shown must be counts"),
        ({"clicked": [[2], [0]]}, "clicked must be counts of at most shown"),
        ({"clicked": [[0]]}, "clicked must have shape (2, 1)"),
        ({"rounds": [-1]}, "rounds must be in 0..1099511627775, got -1"),
        ({"rounds": [2**40]}, f"rounds must be in 0..1099511627775, got {2**40}"),
    ],
)
def test_impossible_statistics_are_refused(
    cls: Any, changed: dict[str, Any], sentence: str
) -> None:
    statistics = {"shown": [[1], [1]], "clicked": [[0], [1]], "rounds": [2], **changed}
    with pytest.raises(ArgumentError) as caught:
        cls(2, 1, examination=[1]).restore({k: np.array(v) for k, v in statistics.items()})
    assert str(caught.value) == sentence


@every_policy
@pytest.mark.parametrize("exploration", [-0.1, float("nan"), float("inf"), "1", None, True])
def test_a_negative_exploration_is_refused_by_name(cls: Any, exploration: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        cls(3, 1, examination=[1], exploration=exploration)
    assert str(caught.value) == f"exploration must be a number >= 0, got {exploration!r}"


@every_policy
def test_hardly_any_examination_is_no_trouble(cls: Any) -> None:
    policy = cls(1, 1, examination=[5e-324], exploration=1e308)
    for _ in range(3):
        shown = policy.rank()
        assert shown.propensity == 1.0
        policy.update(shown, [0])


def test_a_policy_must_say_what_follows_from_its_counts() -> None:
    with pytest.raises(NotImplementedError, match="ExaminedMeans must define refresh"):
        ExaminedMeans.refresh(object.__new__(ExaminedMeans), 0)
