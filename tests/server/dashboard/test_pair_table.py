"""The table of pairs has the numbers of `unirank.policies.uni_rank.pairs`."""

import pytest

from tests.server.dashboard.games import ITEMS, MatchRank, UniRank, played
from unirank.policies.base.leader import leader_of
from unirank.policies.uni_rank.pairs import pairs_of
from unirank.server.dashboard.pair_table import Cell, pair_table_of


def test_each_cell_is_its_pair() -> None:
    policy = played(UniRank, 300)
    found, known = pair_table_of(policy, leader_of(policy), ITEMS), pairs_of(policy)
    assert found is not None
    assert found.items[:2] == ("mug", "pot")
    assert found.n_on_page == 2
    for item, row in zip(found.items, found.rows, strict=True):
        for other, cell in zip(found.items, row, strict=True):
            pair = ITEMS.index(str(item)), ITEMS.index(str(other))
            if cell is None:
                assert known.comparisons[pair] == 0
            else:
                assert cell == Cell(*(table[pair] for table in (
                    known.difference, known.comparisons, known.sure)))  # fmt: skip
    assert all(row[n] is None for n, row in enumerate(found.rows))


def test_removed_items_are_left_out() -> None:
    policy = played(UniRank, 300)
    found = pair_table_of(policy, leader_of(policy), ["mug", "tea"])
    assert found is not None
    assert set(found.items) == {"mug", "tea"}


@pytest.mark.parametrize(
    ("difference", "shade"), [(0.0, "for0"), (0.3, "for1"), (1.0, "for3"), (-0.6, "against2")]
)
def test_the_stronger_the_darker(difference: float, shade: str) -> None:
    assert Cell(difference, 10, sure=False).shade == shade


def test_other_policies_have_no_such_table() -> None:
    policy = played(MatchRank, 0)
    assert pair_table_of(policy, leader_of(policy), ITEMS) is None
