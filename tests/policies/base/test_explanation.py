"""One explanation for every policy: its words, and what is said of parts that are missing."""

from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError, PlainPolicy, TopRank, UniRank
from unirank.policies import GRAB, OSUB, RandomOrder
from unirank.policies.base.explanation import (
    MOST_ROWS,
    NOUNS,
    Belief,
    Example,
    Explanation,
    Pair,
    PairTable,
    Try,
    explained_by_leader,
    lacking,
)
from unirank.policies.base.leader import Leader, leader_of

WHOLE = Explanation(
    order=Leader((("a",), ("b", "c")), ("d",)),
    attraction=(Belief("a", 0.5, 0.25, 0.75),),
    pairs=(
        Pair("a", "b", 7, 9, 0.5),
        Pair("c", "d", 8.5, 9.25, 1.5, decided=True, on_page=False, note="by far"),
        Pair("b", "d", 0, 0, 0.0, on_page=False),
    ),
    tries=(
        Try("The order now", "It is the best.", 0.75),
        Try("Another", "It may be better.", examples=(Example("b > a", 0.25),)),
    ),
    about_order="Of the order.",
    about_pairs="Of pairs.",
)


def test_the_words_are_these() -> None:
    assert str(WHOLE).splitlines() == [
        "order: a > {b, c}",
        "below the page: d",
        "Of the order.",
        "  a: 0.50 (0.25 to 0.75)",
        "Of pairs.",
        "  a > b: the first won 7 of 9 differing clicks",
        "  c > d: the first won 8.5 of 9.2 differing clicks, which decides; by far",
        "  b > d: no differing click yet",
        "the next round shows",
        "    75 %  The order now. It is the best.",
        "  Another. It may be better. Such as b > a (25 %).",
    ]
    assert str(WHOLE).startswith(WHOLE.known + "\nthe next round shows\n")


def test_what_is_missing_is_said() -> None:
    assert str(Explanation()).splitlines() == [
        f"the policy gives no {NOUNS[part]}" for part in ("order", "pairs", "tries")
    ]
    assert lacking("grab", "pairs") == "grab gives no evidence of pairs of items"


def test_every_part_that_may_be_missing_has_a_noun() -> None:
    missing = {name for name, value in vars(Explanation()).items() if value is None}
    assert missing == set(NOUNS)


def test_pairs_are_told_apart_by_where_they_are() -> None:
    assert [(pair.ahead, pair.behind) for pair in WHOLE.neighbouring] == [("a", "b")]
    assert [(pair.ahead, pair.behind) for pair in WHOLE.against_below] == [("c", "d"), ("b", "d")]
    assert Explanation().neighbouring == Explanation().against_below == ()


def test_of_many_rows_those_left_out_are_counted() -> None:
    n = MOST_ROWS + 5
    beliefs = tuple(Belief(i, 0.5, 0.4, 0.6) for i in range(n))
    found = Explanation(order=Leader(((0,),), tuple(range(1, n))), attraction=beliefs)
    lines = found.known.splitlines()
    assert lines.count("  and 5 more") == 1
    assert "20 and 4 more" in " ".join(lines)


def test_a_table_follows_from_its_wins() -> None:
    wins = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]])
    table = PairTable(("a", "b", "c"), wins, wins > 2)
    assert table.comparisons.tolist() == [[0, 4, 0], [4, 0, 0], [0, 0, 0]]
    assert table.difference[0, 1] == -table.difference[1, 0] == 0.5
    assert np.isnan(table.difference[0, 2])


@pytest.mark.parametrize("cls", [GRAB, OSUB])
def test_a_policy_that_says_nothing_of_its_own_has_its_leader(cls: Any) -> None:
    policy = cls(list("abcd"), 2, seed=1)
    shown = policy.rank()
    policy.update(shown, shown.items)
    found = policy.explain()
    assert found.order == leader_of(policy)
    assert (found.pairs, found.table, found.steps, found.tries) == (None,) * 4


def test_a_policy_without_leader_gives_no_order() -> None:
    for policy in (RandomOrder(3, 2), TopRank(3, 2, horizon=100)):
        assert policy.explain() == Explanation()


class Last(PlainPolicy):
    """Shows the items as they are; one can be removed."""

    @property
    def leader(self) -> Any:
        return tuple(self.items[number] for number in self.available_items[: self.n_positions])

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        return self.available_items[: self.n_positions]

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        pass


def test_removed_items_are_not_below_the_page() -> None:
    policy = Last(list("abcd"), 2)
    policy._catalogue.removed.add(3)
    assert explained_by_leader(policy).order == Leader((("a",), ("b",)), ("c",))


class Told(PlainPolicy):
    """Explains an order, and has no leader besides."""

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        return range(self.n_positions)

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        pass

    def explanation(self) -> Explanation:
        return WHOLE


def test_the_order_of_an_explanation_is_a_leader() -> None:
    assert leader_of(Told(list("abcd"), 3)) == WHOLE.order


def test_explaining_a_policy_in_use_gives_the_same_words_twice() -> None:
    policy = UniRank(4, 2)
    assert str(policy.explain()) == str(policy.explanation())
    with pytest.raises(ArgumentError, match="must be one that has a leader"):
        leader_of(3)
