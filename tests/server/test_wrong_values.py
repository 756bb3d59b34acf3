"""A value that is refused is told by its name, its rule and itself, without msgspec's words."""

import json
from typing import Any

import msgspec
import pytest

from unirank.server.api import (
    ExportQuery,
    ItemsChange,
    KeyRequest,
    PageRequest,
    PagesQuery,
    RankRequest,
)
from unirank.server.app import Reports
from unirank.server.endpoints import Endpoint
from unirank.server.wrong_values import converted

PAGE = {"items": ["a"], "n_positions": 1}
MODES = "mode must be one of frozen, learn, observe: got "


def told(sent: Any, kind: Any) -> str:
    with pytest.raises(msgspec.ValidationError) as found:
        converted(sent, kind, strict=False)
    return str(found.value)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"n_positions": -1}, "n_positions must be an integer of at least 1, got -1"),
        ({"n_positions": 2.5}, "n_positions must be an integer, got 2.5"),
        ({"n_positions": None}, "n_positions must be an integer, got null"),
        ({"holdout": {"share": 30}}, "holdout.share must be a number of at most 0.5, got 30"),
        ({"holdout": [True]}, "holdout must be an object, got [true]"),
        ({"window_s": 0}, "window_s must be a number above 0, got 0"),
        ({"window_s": 10**6}, "window_s must be a number of at most 604800, got 1000000"),
        ({"items": []}, "items must be a list of at least 1 element, got []"),
        ({"items": ["a"] * 1001}, "items must be a list of at most 1000 elements, got 1001"),
        ({"items": [1.5]}, "items[0] must be an integer or a text, got 1.5"),
        ({"mode": "lern"}, f"{MODES}'lern'"),
        ({"mode": 7}, f"{MODES}7"),
        ({"holdout": {"order": "best"}}, "holdout.order must be one of random, start: got 'best'"),
        ({"holdout": {"shre": 0.1}}, "unknown field of holdout 'shre'; did you mean 'share'?"),
    ],
)
def test_a_page_is_refused_in_plain_words(sent: dict[str, Any], sentence: str) -> None:
    assert told({**PAGE, **sent}, PageRequest) == sentence


@pytest.mark.parametrize(
    ("sent", "kind", "sentence"),
    [
        ({}, KeyRequest, "scopes must be given"),
        ({"add": [""]}, ItemsChange, "add[0] must be a text of at least 1 character, got ''"),
        ({"session": "a" * 201}, RankRequest, "session must be a text of at most 200 characters, "
         "got 201"),
        ({"defer": "perhaps"}, RankRequest, "defer must be true or false, got 'perhaps'"),
        ({"scopes": ["rank", "write"]}, KeyRequest, "scopes[1] must be one of admin, click, rank: "
         "got 'write'"),
        ({"format": "csv"}, ExportQuery, "format must be one of jsonl, obp, parquet, ubi: "
         "got 'csv'"),
        ({"most": "0"}, PagesQuery, "most must be an integer of at least 1, got '0'"),
        ({"after": "\0"}, PagesQuery, r"after must be a text that matches '^[^\\x00]*$', "
         r"got '\x00'"),
        (7, Reports, "the body must be an object or a list, got 7"),
        ([{"token": "a"}], Reports, "[0].clicks must be given"),
    ],
)  # fmt: skip
def test_other_requests_are_refused_in_plain_words(sent: Any, kind: Any, sentence: str) -> None:
    assert told(sent, kind) == sentence


def test_the_value_of_a_body_is_found_in_the_body() -> None:
    endpoint = Endpoint("PUT", "/", _unused, "", body=PageRequest)
    with pytest.raises(msgspec.ValidationError, match=r"^n_positions must be .* got -1$"):
        endpoint.decoded(json.dumps({**PAGE, "n_positions": -1}).encode())


@pytest.mark.parametrize(
    ("end", "why"),
    [
        (b"", "it ends too early"),
        (b', "n": 1e999}', "Number out of range"),
        (b', "n": ' + b"[" * 10**5, "it is nested too deeply"),
    ],
)
def test_a_body_that_is_no_json_is_told_so_whatever_its_values(end: bytes, why: str) -> None:
    endpoint = Endpoint("PUT", "/", _unused, "", body=PageRequest)
    with pytest.raises(msgspec.DecodeError, match=f"^{why}") as found:
        endpoint.decoded(b'{"n_positions": -1' + end)
    assert not isinstance(found.value, msgspec.ValidationError)


def test_a_field_that_is_there_twice_is_refused_by_its_name() -> None:
    endpoint = Endpoint("PUT", "/", _unused, "", body=PageRequest)
    with pytest.raises(msgspec.ValidationError, match="n_positions"):
        endpoint.decoded(b'{"n_positions": -1, "n_positions": 1}')


@pytest.mark.parametrize("depth", [10, 200, 900, 990, 10**4])
def test_a_value_may_be_nested_as_deeply_as_it_likes(depth: int) -> None:
    endpoint = Endpoint("PUT", "/", _unused, "", body=PageRequest)
    with pytest.raises(msgspec.DecodeError) as found:
        endpoint.decoded(b"[" * depth + b"]" * depth)
    words = "the body must be an object" if depth <= 900 else "it is nested too deeply"
    assert str(found.value).startswith(words)


async def _unused(*_: Any) -> Any:
    raise AssertionError
