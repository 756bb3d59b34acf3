"""The meaning of the tables, on two pages small enough to count by hand."""

from tests.reference.log_counting import Session, counted

PAGES = [
    Session("q", ("a", "b", "c"), (1,)),
    Session("q", ("b", "a"), ()),
    Session("r", ("a",), ()),
]


def test_tables_of_two_pages() -> None:
    found = counted(PAGES, "q", n_positions=3)
    assert (found.items, found.n_sessions) == (("a", "b", "c"), 2)
    assert found.shown is not None
    assert [column.tolist() for column in found.shown] == [
        [0, 0, 1, 1, 2],  # item
        [0, 1, 0, 1, 2],  # position
        [1, 1, 1, 1, 1],  # impressions
        [0, 0, 0, 1, 0],  # clicks
    ]
    assert found.first_click is not None  # c stands below the first click: not read
    assert [column.tolist() for column in found.first_click] == [[0, 1], [2, 2], [0, 1]]
    assert found.last_click is not None  # c is the only one with a click above it
    assert found.last_click.last.tolist() == [2, 2, 2, 2, 1]
    chains = found.chains
    assert chains is not None
    above = (chains.item, chains.position, chains.impressions, chains.clicks, chains.last_clicks)
    assert [column.tolist() for column in above] == [[0, 1], [0, 1], [1, 1], [0, 1], [0, 1]]
    assert chains.clicked.tolist() == [-1, 1]
    assert chains.tails.tolist() == [[1, 0, -1], [-1, 1, 2]]
    assert chains.sessions.tolist() == [1, 1]
