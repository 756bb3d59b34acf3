"""How counts and policies are spelt."""

from typing import Any

import pytest
from cyclopts import Token

from unirank import ArgumentError
from unirank.cli.arguments import parse_count, parse_pairs, parse_policy


@pytest.mark.parametrize(
    ("text", "number"),
    [("1000", 1000), ("10_000", 10_000), ("1e7", 10**7), ("10^7", 10**7), ("-3", -3),
     ("9007199254740993", 9007199254740993)],
)  # fmt: skip
def test_counts(text: str, number: int) -> None:
    assert parse_count(int, [Token(value=text)]) == number


@pytest.mark.parametrize("text", ["many", "1.5", "1e999", "nan", "10^999999", "2^x"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a whole number, such as"):
        parse_count(int, [Token(value=text)])


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("unirank", ("unirank", {})),
        ("unirank(early=explore)", ("unirank", {"early": "explore"})),
        ("x (a=1, b=0.5, c=true)", ("x", {"a": 1, "b": 0.5, "c": True})),
        ("x(a=True, b=None, c=False)", ("x", {"a": True, "b": None, "c": False})),
        ("x(a=1e7, b=1.0, c=told)", ("x", {"a": 10**7, "b": 1.0, "c": "told"})),
        ("x(a=[1, 0.5], b=2)", ("x", {"a": [1, 0.5], "b": 2})),
        ("unirank:UniRank(early=explore)", ("unirank:UniRank", {"early": "explore"})),
    ],
)
def test_policies(text: str, spec: Any) -> None:
    assert parse_policy(text) == spec


@pytest.mark.parametrize("text", ["", "a b", "unirank(early)", "unirank(early=leader"])
def test_what_is_no_policy_is_refused(text: str) -> None:
    with pytest.raises(ArgumentError, match="must look like"):
        parse_policy(text)


def test_pairs() -> None:
    assert parse_pairs("columns", "item = url,position=pos") == {"item": "url", "position": "pos"}
    assert parse_pairs("columns", "") == {}
    with pytest.raises(ArgumentError, match="columns must look like name=value"):
        parse_pairs("columns", "item=")
