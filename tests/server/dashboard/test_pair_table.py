"""The table of pairs has the numbers of the explanation."""

import pytest

from tests.server.dashboard.games import MatchRank, UniRank, played
from unirank.server.dashboard.pair_table import MOST_ITEMS, Cell, pair_table_of


def test_each_cell_is_its_pair() -> None:
    explanation = played(UniRank, 300).explain()
    found, known = pair_table_of(explanation), explanation.table
    assert found is not None
    assert known is not None
    assert found.items[:2] == ("mug", "pot")
    assert found.items == known.items
    assert found.n_on_page == 2
    for i, row in enumerate(found.rows):
        for j, cell in enumerate(row):
            if cell is None:
                assert known.comparisons[i, j] == 0
            else:
                assert cell == Cell(
                    known.difference[i, j], known.comparisons[i, j], known.decided[i, j]
                )
    assert all(row[n] is None for n, row in enumerate(found.rows))
    assert any(cell for row in found.rows for cell in row)


def test_of_many_items_the_first_are_in_it() -> None:
    found = pair_table_of(UniRank(30, 2).explain())
    assert found is not None
    assert found.items == tuple(range(MOST_ITEMS))
    assert [len(row) for row in found.rows] == [MOST_ITEMS] * MOST_ITEMS


@pytest.mark.parametrize(
    ("difference", "shade"), [(0.0, "for0"), (0.3, "for1"), (1.0, "for3"), (-0.6, "against2")]
)
def test_the_stronger_the_darker(difference: float, shade: str) -> None:
    assert Cell(difference, 10, sure=False).shade == shade


def test_other_policies_have_no_such_table() -> None:
    assert pair_table_of(played(MatchRank, 0).explain()) is None
