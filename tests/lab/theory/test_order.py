from itertools import product

import numpy as np
import pytest

from tests.lab.theory.problems import place_of
from tests.reference.theory import ordered_partitions
from unirank.lab.theory.order import broken_triple, finest_order, relations


def random_relation(rng: np.random.Generator, n_items: int) -> "np.typing.NDArray[np.bool_]":
    sign = rng.integers(-1, 2, (n_items, n_items))
    upper = np.triu(sign, 1)
    return (upper - upper.T) > 0


def test_the_finest_order_is_the_finest_of_all() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        more = random_relation(rng, 4)
        admissible = [
            order
            for order in ordered_partitions((0, 1, 2, 3))
            if all(
                more[i, j]
                for c, subset in enumerate(order)
                for later in order[c + 1 :]
                for i, j in product(subset, later)
            )
        ]
        finest = finest_order(more)
        assert finest in admissible
        assert all(len(order) < len(finest) for order in admissible if order != finest)


def test_a_relation_is_a_strict_weak_order_iff_no_triple_breaks_it() -> None:
    rng = np.random.default_rng(1)
    weak_orders = set()
    for order in ordered_partitions((0, 1, 2, 3)):
        level = np.array([place_of(order, item) for item in range(sum(map(len, order)))])
        weak_orders.add((level[:, None] < level[None, :]).tobytes())
    assert len(weak_orders) == 75
    for _ in range(500):
        more = random_relation(rng, 4)
        assert (broken_triple(more) is None) == (more.tobytes() in weak_orders)


def test_a_triple_that_breaks_the_order() -> None:
    more = np.zeros((3, 3), bool)
    more[0, 1] = True
    assert broken_triple(more) == (0, 1, 2)
    more[1, 2] = more[2, 0] = True
    assert broken_triple(more) == (0, 1, 2)
    assert finest_order(more) == ((0, 1, 2),)


def test_a_cycle_is_shown_before_other_triples() -> None:
    more = np.zeros((5, 5), bool)
    more[0, 1] = True
    more[2, 3] = more[3, 4] = more[4, 2] = True
    triple = broken_triple(more)
    assert triple is not None
    assert sorted(triple) == [2, 3, 4]


@pytest.mark.parametrize(
    ("there", "back", "relation"),
    [(0.2, -0.4, "more"), (0.0, 0.0, "equal"), (1e-13, -1e-13, "equal"), (-0.1, -0.2, "mixed"),
     (0.0, -0.2, "mixed")],
)  # fmt: skip
def test_relations_from_the_least_difference_each_way(
    there: float, back: float, relation: str
) -> None:
    found = relations(np.array([[0.0, there], [back, 0.0]]))
    assert [name for name in found._fields if getattr(found, name)[0, 1]] == [relation]
    assert found.equal.diagonal().all()
