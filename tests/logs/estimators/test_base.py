import numpy as np
import pytest

from tests.logs.estimators.agreement import statistics_of
from unirank.click_models import registry as click_models
from unirank.errors import ArgumentError
from unirank.logs.estimators.base import Estimator, registry, table_of, ways_of
from unirank.logs.statistics import QueryStatistics, Shown


def test_every_estimator_names_a_click_model_a_table_and_its_ways() -> None:
    assert registry.names() == ["ccm", "cm", "dbn", "dcm", "pbm", "sdbn", "ubm"]
    for entry in registry:
        assert entry.facts["click_model"] in click_models.names()
        assert entry.facts["table"] in QueryStatistics._fields
        assert set(ways_of(entry.cls)) <= {"closed form", "em", "ascent"}
        assert entry.summary


def test_a_missing_table_is_named() -> None:
    with pytest.raises(ArgumentError, match=r"table 'chains' for 'dbn', got none for query 'q'"):
        table_of(statistics_of(1)._replace(chains=None), registry["dbn"])


def test_more_clicks_than_impressions_are_refused() -> None:
    shown = Shown(*(np.array(column) for column in ([0, 1], [0, 1], [5, 7], [5, 8])))
    statistics = QueryStatistics("q", ("a", "b"), 2, 0, shown)
    with pytest.raises(ArgumentError, match=r"'shown' must be at most .* got 8 of 7 for item 'b'"):
        table_of(statistics, registry["pbm"])


def test_the_base_leaves_the_model_to_its_subclasses() -> None:
    estimator = Estimator(statistics_of(1), "em", 0.0, True)
    assert estimator.n_items == 5
    for call in (
        lambda: estimator.start(None, False),
        lambda: estimator.load(None),
        estimator.parameters,
        estimator.evidence,
        estimator.impressions,
    ):
        with pytest.raises(NotImplementedError):
            call()
