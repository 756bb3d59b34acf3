"""Which tables click models read, and what a log of counts does not hold."""

from typing import Any

import pytest

from unirank.errors import ArgumentError
from unirank.logs.estimators import registry
from unirank.logs.reading.needs import tables_of
from unirank.logs.statistics import QueryStatistics


def test_every_table_is_one_of_the_statistics() -> None:
    assert {entry.facts["table"] for entry in registry} <= set(QueryStatistics._fields)


def test_tables_follow_from_models() -> None:
    models = ["pbm", "dcm", "sdbn", "dbn", "ccm"]
    assert tables_of(models, holds="sessions", format="sessions") == {"shown", "chains"}
    assert tables_of(["cm", "ubm"], holds="sessions", format="x") == {"first_click", "last_click"}


@pytest.mark.parametrize("model", sorted(set(registry.names()) - {"pbm"}))
def test_counts_are_enough_for_one_model_only(model: str) -> None:
    message = (
        f"^'{model}' is estimated from sessions and .* 'kdd' holds counts only; possible: pbm$"
    )
    with pytest.raises(ArgumentError, match=message):
        tables_of(["pbm", model], holds="counts", format="kdd")


@pytest.mark.parametrize("models", ["pbm", []])
def test_models_are_a_list(models: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^models must be a list of click models, got"):
        tables_of(models, holds="counts", format="kdd")
