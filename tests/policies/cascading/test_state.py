"""What CascadeKL-UCB, CascadeUCB1 and dcmKL-UCB have in common."""

from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.policies.cascades import after_opening, answer, clicks_of, problem, with_counts
from tests.policies.situations import SIGNIFICANCE, Items, p_value
from unirank import ArgumentError, Policy, StateFileError, load
from unirank.policies import DCMKLUCB, CascadeKLUCB, CascadeUCB1

every_policy = pytest.mark.parametrize("cls", [CascadeKLUCB, CascadeUCB1, DCMKLUCB])


@every_policy
def test_the_opening_shows_each_item_first_once(cls: type[Policy]) -> None:
    policy = cls(4, 3)
    lists = []
    for _ in range(4):
        shown = policy.rank()
        assert shown.propensity == 1.0
        lists.append(shown.items)
        policy.update(shown, [])
    assert lists == [(0, 1, 2), (1, 2, 3), (2, 3, 0), (3, 0, 1)]


@every_policy
@pytest.mark.parametrize("clicked", [[], [0], [2], [1, 2], [0, 1, 2]])
def test_an_opening_round_counts_its_first_position_only(
    cls: type[Policy], clicked: list[int]
) -> None:
    policy = cls(4, 3)
    policy.update(policy.rank(), clicked)
    np.testing.assert_array_equal(policy.state.cells["shown"], [1, 0, 0, 0])
    np.testing.assert_array_equal(policy.state.cells["clicked"], [0 in clicked, 0, 0, 0])


@every_policy
def test_without_a_click_the_whole_list_counts(cls: type[Policy]) -> None:
    policy = after_opening(cls, 6, 4)
    shown = policy.rank()
    policy.update(shown, [])
    np.testing.assert_array_equal(
        policy.state.cells["shown"], [1 + (i in shown.items) for i in range(6)]
    )
    assert policy.state.cells["clicked"].sum() == 0


@every_policy
@pytest.mark.parametrize("position", range(4))
def test_one_click_counts_the_positions_down_to_it(cls: type[Policy], position: int) -> None:
    policy = after_opening(cls, 6, 4)
    shown = policy.rank()
    policy.update(shown, [shown.items[position]])
    read = shown.items[: position + 1]
    np.testing.assert_array_equal(policy.state.cells["shown"], [1 + (i in read) for i in range(6)])
    clicked = [int(i == shown.items[position]) for i in range(6)]
    np.testing.assert_array_equal(policy.state.cells["clicked"], clicked)


@every_policy
def test_equal_items_are_shown_in_every_order_as_likely(cls: type[Policy]) -> None:
    seen = Counter[Items]()
    for seed in range(3000):
        shown = with_counts(cls, [1, 1, 1], [4, 4, 4], 12, n_positions=2, seed=seed).rank()
        assert shown.propensity == pytest.approx(1 / 6, rel=1e-12)
        seen[shown.items] += 1
    lists: list[Items] = list(permutations(range(3), 2))
    assert p_value(seen, dict.fromkeys(lists, 1 / 6)) > SIGNIFICANCE


@every_policy
def test_without_a_tie_the_list_is_certain(cls: type[Policy]) -> None:
    policy = with_counts(cls, [90, 50, 10], [100, 100, 100], 300, n_positions=2)
    for _ in range(5):
        shown = policy.rank()
        assert (shown.items, shown.propensity) == ((0, 1), 1.0)


@every_policy
def test_a_tie_behind_the_list_does_not_make_it_less_certain(cls: type[Policy]) -> None:
    policy = with_counts(cls, [90, 10, 10], [100, 100, 100], 300, n_positions=1)
    assert policy.rank().propensity == 1.0


@every_policy
def test_an_item_whose_answer_is_late_comes_first(cls: type[Policy]) -> None:
    policy = cls(3, 1)
    for _ in range(3):
        shown = policy.rank()
        if shown.items != (1,):
            policy.update(shown, [])
    assert policy.rank().items == (1,)


@every_policy
@pytest.mark.parametrize("n_rounds", [3, 8, 500])
def test_a_saved_policy_goes_on_as_the_original(
    cls: type[Policy], n_rounds: int, tmp_path: Path
) -> None:
    n_items, n_positions, users = problem(4)
    policy = cls(n_items, n_positions, seed=2)
    for _ in range(n_rounds):
        shown = policy.rank()
        answer(policy, shown, clicks_of(users, shown, 2))
    late = policy.rank()
    policy.save(tmp_path / "state")
    loaded = load(tmp_path / "state")
    for one in (policy, loaded):
        answer(one, late, [True] * n_positions)
    for _ in range(200):
        shown = policy.rank()
        assert loaded.rank() == shown
        for one in (policy, loaded):
            answer(one, shown, clicks_of(users, shown, 2))


@every_policy
def test_only_what_was_learnt_is_saved(cls: type[Policy]) -> None:
    assert set(cls(3, 2).statistics()) == {"examined", "clicked", "rounds"}


@every_policy
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"examined": [-1, 1]}, "examined must be counts of at most the number of rounds"),
        ({"examined": [1, 9]}, "examined must be counts of at most the number of rounds"),
        ({"clicked": [0, -1]}, "clicked must be counts of at most examined"),
        ({"clicked": [2, 0]}, "clicked must be counts of at most examined"),
        ({"clicked": [0]}, "clicked must have shape (2,)"),
        ({"rounds": [-1]}, "rounds must be in 0..1099511627775, got -1"),
    ],
)
def test_impossible_statistics_are_refused(
    cls: type[Policy], changed: dict[str, Any], sentence: str
) -> None:
    statistics = {"examined": [1, 1], "clicked": [0, 1], "rounds": [2], **changed}
    with pytest.raises(ArgumentError) as caught:
        cls(2, 1).restore({name: np.array(values) for name, values in statistics.items()})
    assert str(caught.value) == sentence


@every_policy
def test_an_unanswered_round_with_a_forged_memory_is_refused(
    cls: type[Policy], tmp_path: Path
) -> None:
    policy = cls(2, 1)
    policy.rank()
    policy._on_page().unanswered.add(1, np.zeros(1, np.int64).tobytes(), b"\2")
    policy.save(tmp_path / "state")
    with pytest.raises(StateFileError, match="unanswered round 1 is not one this policy gave"):
        load(tmp_path / "state")


@pytest.mark.parametrize("number", range(5))
def test_on_cascade_clicks_both_kl_policies_are_one(number: int) -> None:
    n_items, n_positions, users = problem(3 * number + 1)
    cascade, dcm = (cls(n_items, n_positions, seed=number) for cls in (CascadeKLUCB, DCMKLUCB))
    for _ in range(500):
        shown = cascade.rank()
        same = dcm.rank()
        assert same == shown
        answer(cascade, shown, clicks_of(users, shown, number))
        answer(dcm, same, clicks_of(users, shown, number))
