"""What "told" stands for."""

import pytest

from unirank import CM, PBM, ArgumentError
from unirank.lab.told import told

USERS = PBM([0.1, 0.3, 0.2], [1.0, 0.5, 0.1])


def test_each_fact_is_that_of_the_problem() -> None:
    options = {"horizon": "told", "examination": "told", "ranking": "told", "other": 3}
    assert told(options, USERS, 2, 500) == {
        "horizon": 500,
        "examination": [1.0, 0.5],
        "ranking": [1, 2],
        "other": 3,
    }


def test_who_reads_from_the_top_sees_every_position() -> None:
    assert told({"examination": "told"}, CM([0.1, 0.2]), 2, 10) == {"examination": [1.0, 1.0]}


def test_nothing_else_can_be_told() -> None:
    with pytest.raises(ArgumentError, match="unknown option that can be \"told\": 'horizn'"):
        told({"horizn": "told"}, USERS, 2, 500)
