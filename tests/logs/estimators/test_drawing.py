"""Weighted counting is counting."""

from collections import Counter

import numpy as np

from tests.logs.estimators.agreement import random_sessions
from tests.logs.estimators.drawing import weighted
from tests.reference.log_counting import counted


def test_weighted_pages_are_counted_pages() -> None:
    sessions = random_sessions(5)
    found, expected = weighted(Counter(sessions), 4), counted(sessions, "q", 4)
    assert found[:4] == expected[:4]
    for name in ("shown", "first_click", "last_click", "chains"):
        for column, values in zip(getattr(found, name), getattr(expected, name), strict=True):
            assert np.array_equal(column, values), name
