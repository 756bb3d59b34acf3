"""A wrong choice is told which there are."""

from typing import Any

import msgspec
import pytest

from unirank.server.api import ClickReport, ExportQuery, KeyRequest, PageRequest
from unirank.server.choices import choices_of, with_choices

PAGE = {"items": ["a"], "n_positions": 1}


def error(sent: Any, kind: Any) -> str:
    with pytest.raises(msgspec.ValidationError) as found:
        msgspec.convert(sent, kind)
    return str(with_choices(found.value, kind))


@pytest.mark.parametrize(
    ("sent", "kind", "sentence"),
    [
        (
            {**PAGE, "mode": "lern"},
            PageRequest,
            "mode must be one of frozen, learn, observe: got 'lern'",
        ),
        (
            {**PAGE, "mode": 7},
            PageRequest,
            "mode must be one of frozen, learn, observe: expected `str`, got `int`",
        ),
        (
            {**PAGE, "holdout": {"order": "best"}},
            PageRequest,
            "holdout.order must be one of random, start: got 'best'",
        ),
        (
            {"scopes": ["rank", "write"]},
            KeyRequest,
            "scopes[1] must be one of admin, click, rank: got 'write'",
        ),
        (
            {"format": "csv"},
            ExportQuery,
            "format must be one of jsonl, obp, parquet, ubi: got 'csv'",
        ),
    ],
)
def test_a_wrong_choice_is_told_all_of_them(sent: Any, kind: Any, sentence: str) -> None:
    assert error(sent, kind) == sentence


def test_other_errors_stay_as_they_are() -> None:
    assert error({"items": ["a"]}, PageRequest) == "Object missing required field `n_positions`"
    assert error({**PAGE, "window_s": -1}, PageRequest).startswith("Expected `float` > 0.0")


def test_lists_of_reports_are_looked_into() -> None:
    assert choices_of(ClickReport | list[KeyRequest], "$[0].scopes[3]") == (
        "admin",
        "click",
        "rank",
    )
