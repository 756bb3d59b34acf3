from typing import Any

import numpy as np
import pytest

from unirank.errors import ArgumentError
from unirank.lab.theory import pairs
from unirank.lab.theory.pairs import compare_pairs, fewest_comparisons
from unirank.users import CM, DBN, PBM, UBM, ClickModel, Segments

USERS = DBN([0.5, 0.4, 0.3, 0.2, 0.1], [0.1, 0.9, 0.2, 0.8, 0.5], 0.1)


@pytest.mark.parametrize(
    ("users", "method"),
    [
        (PBM([0.3, 0.2], [1, 0.5]), "closed form"),
        (CM([0.3, 0.2]), "closed form"),
        (UBM([0.3, 0.2], [[1, 1], [1, 1]]), "exhaustive"),
        (DBN(np.linspace(0.1, 0.9, 30), np.linspace(0.1, 0.9, 30), 0.1), "sampled"),
    ],
)
def test_the_best_method_is_chosen(users: ClickModel, method: str) -> None:
    assert compare_pairs(users, min(users.n_items, 6), n_sampled=50).method == method


def test_a_proof_has_no_exceptions_and_a_sample_says_how_many_it_may_have() -> None:
    assert compare_pairs(USERS, 2).most_exceptions == 0
    sampled = compare_pairs(USERS, 2, method="sampled", n_sampled=1000)
    assert sampled.n_rankings == 1000
    assert 600 < sampled.n_compared < 800  # 7 of 10 rankings show one of two items
    # 0.05 is the chance to see no exception in n_compared rankings, if so many are exceptions.
    assert (1 - sampled.most_exceptions) ** sampled.n_compared == pytest.approx(0.05)


def test_a_large_sample_finds_what_the_search_finds() -> None:
    exact, sampled = compare_pairs(USERS, 3), compare_pairs(USERS, 3, method="sampled")
    np.testing.assert_allclose(sampled.least_difference, exact.least_difference, atol=1e-12)


def test_comparisons_are_counted_for_the_pair_that_has_fewest() -> None:
    assert fewest_comparisons(np.array([[0, 1], [1, 2], [0, 2]]), 4) == 2  # items 3 and any other
    assert fewest_comparisons(np.array([[0, 1]]), 4) == 1  # at least 1, for items 2 and 3
    assert fewest_comparisons(np.array([[0, 1], [1, 0]]), 2) == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "closed form"}, "method must be exhaustive or sampled for dbn"),
        ({"method": "exhausted"}, "unknown method 'exhausted'; did you mean 'exhaustive'?"),
        ({"method": "sampled", "n_sampled": 0}, "n_sampled must be >= 1, got 0"),
        ({"method": "sampled", "seed": -1}, "seed must be in 0..9223372036854775807, got -1"),
    ],
)
def test_an_error_names_the_argument_the_rule_and_the_value(options: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        compare_pairs(USERS, 2, **options)
    assert str(caught.value) == sentence


def test_too_many_rankings_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "MOST_RANKINGS", 10)
    with pytest.raises(ArgumentError) as caught:
        compare_pairs(USERS, 2, method="exhaustive")
    assert str(caught.value) == (
        "method must be sampled where there are more than 10 rankings, got 20"
    )


def test_segments_of_visitors_are_refused() -> None:
    users = Segments(
        [{"device": "mobile"}, {"device": "desktop"}], [0.7, 0.3], [CM([0.5, 0.1])] * 2
    )
    with pytest.raises(ArgumentError, match="users must be of one segment, because the theory"):
        compare_pairs(users, 1)
