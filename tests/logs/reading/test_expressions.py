"""Small expressions, as DuckDB computes them."""

import pytest

from tests.logs.reading.running import fetched, small
from unirank.logs.reading.expressions import (
    LARGEST_PAGE,
    bit,
    either,
    highest_bit,
    number,
    total,
)

POSITIONS = list(range(LARGEST_PAGE))


def test_bits_of_all_positions() -> None:
    table = small({"position": POSITIONS})
    rows = fetched(table.select("position", bit=bit(table.position)))
    assert {row["position"]: row["bit"] for row in rows} == {k: 2**k for k in POSITIONS}


def test_bits_of_either_mask() -> None:
    table = small({"group": ["a", "a", "a", "b"], "mask": [5, 2**62, 4, 2]})
    rows = fetched(table.group_by("group").agg(mask=either(table.mask)))
    assert {row["group"]: row["mask"] for row in rows} == {"a": 5 + 2**62, "b": 2}


@pytest.mark.parametrize("below", [0, -1])
def test_highest_bits(below: int) -> None:
    masks = [2**k + (2**k + below) % 2**k for k in POSITIONS]
    table = small({"mask": [*masks, 0]})
    rows = fetched(table.select("mask", last=highest_bit(table.mask, LARGEST_PAGE, none=-1)))
    assert {row["mask"]: row["last"] for row in rows} == {
        mask: mask.bit_length() - 1 for mask in [*masks, 0]
    }


TEXTS = {" 7 ": 7, "-3": -3, "7.0": 7, "7.5": None, "1e3": None, "": None, str(2**63): None}


def test_whole_numbers_only() -> None:
    table = small({"text": list(TEXTS), "float": [1.0, 2.5, -3.0, 1e300, *[float("nan")] * 3]})
    rows = fetched(table.select("text", whole=number(table.text), part=number(table.float)))
    assert {row["text"]: row["whole"] for row in rows} == TEXTS
    assert [row["part"] for row in rows] == [1, None, -3, *[None] * 4]


def test_sums_are_whole_numbers() -> None:
    table = small({"n": [2**61, 2**61, 3]})
    (row,) = fetched(table.aggregate(n=total(table.n)))
    assert row["n"] == 2**62 + 3
    assert type(row["n"]) is int
