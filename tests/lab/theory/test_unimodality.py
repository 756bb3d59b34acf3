import numpy as np
import pytest
from numpy.typing import NDArray

from tests.reference.theory import ordered_partitions
from unirank.errors import ArgumentError
from unirank.lab.theory.order import Order, finest_order
from unirank.lab.theory.unimodality import as_leader, dead_ends, improvement, leaders
from unirank.policies.plain.leader import elicit_leader


def levels(order: Order) -> NDArray[np.int64]:
    """Return the number of the subset of each item."""
    return np.array(
        [next(n for n, s in enumerate(order) if i in s) for i in sorted(sum(order, ()))]
    )


@pytest.mark.parametrize(("n_items", "n_positions"), [(1, 1), (3, 1), (4, 2), (4, 4), (5, 3)])
def test_leaders_are_the_partitions_that_can_lead(n_items: int, n_positions: int) -> None:
    """Those that UniRank elicits from the wins of some order."""
    elicited = set()
    for order in ordered_partitions(tuple(range(n_items))):
        level = levels(order)
        differences = np.sign(level[None, :] - level[:, None]).tolist()
        elicited.add(elicit_leader(differences, n_positions))
    found = list(leaders(n_items, n_positions))
    assert set(found) == elicited
    assert len(found) == len(elicited)


@pytest.mark.parametrize("n_items", [2, 3, 4, 5, 6])
def test_lemma_2_holds_for_strict_orders_of_the_top(n_items: int) -> None:
    for n_positions in range(1, n_items + 1):
        for tied in {n_positions, n_items}:  # all others equivalent, or all different
            level = np.minimum(np.arange(n_items), tied)
            more = level[:, None] < level[None, :]
            assert dead_ends(n_positions, finest_order(more), more) == []


def test_the_lemma_as_printed_fails_for_partitions_that_cannot_lead() -> None:
    more = np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]], bool)  # 1 > 2 ~ 3
    assert improvement(((0,), (1,), (2,)), 1, more) == ""
    assert ((0,), (1,), (2,)) not in set(leaders(3, 1))


def test_a_tie_at_the_top_leaves_several_best_partitions() -> None:
    more = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], bool)  # 1 ~ 2 > 3
    others = [((0,), (1,), (2,)), ((1,), (0,), (2,)), ((0, 1, 2),)]
    assert dead_ends(2, finest_order(more), more) == others


def test_what_is_not_shown_is_one_subset_of_a_leader() -> None:
    assert as_leader(((0, 1), (2,), (3,)), 2) == ((0, 1), (2, 3))
    assert as_leader(((3,), (1, 2), (0,)), 2) == ((3,), (1, 2), (0,))
    assert as_leader(((3,), (1,)), 2) == ((3,), (1,))


def test_what_improves_a_leader() -> None:
    more = np.triu(np.ones((4, 4), bool), 1)
    assert improvement(((0, 2), (1,), (3,)), 2, more) == "split 0 from [2]"
    assert improvement(((0,), (2,), (1, 3)), 2, more) == "exchange 2 and 1"
    assert improvement(((0,), (1,), (2, 3)), 2, more) == ""  # what is not shown cannot be split


def test_a_cycle_has_no_way_up() -> None:
    more = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], bool)
    assert ((0, 1, 2),) in dead_ends(1, ((0,), (1,), (2,)), more)


def test_too_many_items_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"n_items must be in 1\.\.8, got 9"):
        list(leaders(9, 2))
