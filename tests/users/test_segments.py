"""Segments: each visitor is of one segment, clicks as its users do, and comes whoever is shown."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from unirank import CCM, CM, DBN, DCM, PBM, UBM, ArgumentError, ClickModel, Segments
from unirank.lab.checks import check_click_model
from unirank.policies.kernels.compiling import compiled_allocating
from unirank.users.base import ClickKernels

CONTEXTS = [{"device": "mobile"}, {"device": "desktop"}]
SHARES = [0.7, 0.3]
LIKED, OTHERWISE = [0.5, 0.1, 0.3, 0.05, 0.2], [0.1, 0.5, 0.05, 0.3, 0.2]
LOOKS = [1.0, 0.7, 0.4]
BROWSING = [[0.2, 0.2, 1.0], [0.9, 0.2, 0.6], [0.4, 0.9, 0.3]]
PAIRS: dict[str, tuple[ClickModel, ClickModel]] = {
    "pbm": (PBM(LIKED, LOOKS), PBM(OTHERWISE, [0.2, 0.9, 0.4])),
    "common": (PBM(LIKED, LOOKS, coupling="common"), PBM(OTHERWISE, LOOKS)),
    "cm": (CM(LIKED), CM(OTHERWISE)),
    "dcm": (DCM(LIKED, [0.6, 0.4, 0.9]), DCM(OTHERWISE, [0.6, 0.1, 0.9])),
    "dbn": (DBN(LIKED, [0.9, 0.5, 0.1, 0.3, 0.6], 0.1), DBN(OTHERWISE, [0.5] * 5, 0.2)),
    "ccm": (CCM(LIKED, 0.8, 0.9, 0.4), CCM(OTHERWISE, 0.7, 0.5, 0.4)),
    "ubm": (UBM(LIKED, BROWSING), UBM(OTHERWISE, BROWSING)),
}


def segments(*users: ClickModel, **settings: Any) -> Segments:
    return Segments(**{"contexts": CONTEXTS, "shares": SHARES, "users": users, **settings})


@pytest.mark.parametrize("name", PAIRS)
def test_segments_of_every_click_model_keep_the_contract(name: str) -> None:
    check_click_model(segments(*PAIRS[name]))


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_expected_is_the_mean_over_the_segments(name: str) -> None:
    users = segments(*PAIRS[name])
    for ranking in ([0, 1, 2], [3, 1, 4], [2]):
        wanted = sum(
            share * model.expected_clicks(ranking)
            for share, model in zip(SHARES, PAIRS[name], strict=True)
        )
        np.testing.assert_allclose(users.expected_clicks(ranking), wanted, rtol=1e-12)


@pytest.mark.parametrize("name", PAIRS)
def test_a_visitor_clicks_as_the_same_user_of_the_segment_does(name: str) -> None:
    users = segments(*PAIRS[name])
    counts = np.vstack([[0, 0], users.visitors(range(1, 301), seed=4, game=2)])
    for round_ in range(1, 301):
        (segment,) = np.flatnonzero(counts[round_] - counts[round_ - 1])
        at = {"seed": 4, "game": 2, "round": round_}
        clicks = PAIRS[name][segment].draw_clicks([1, 0, 4], **at)
        assert users.draw_clicks([1, 0, 4], **at).tolist() == clicks.tolist()


def test_visitors_come_by_their_shares_and_differ_from_game_to_game() -> None:
    users = segments(*PAIRS["cm"])
    counts = users.visitors([10, 100_000], seed=1)
    assert counts.sum(axis=1).tolist() == [10, 100_000]
    assert abs(counts[1, 0] - 70_000) < 4.5 * np.sqrt(100_000 * 0.21)  # by chance once in 10^5
    assert users.visitors([100_000], seed=1).tolist() == counts[1:].tolist()
    others = users.visitors([100_000], seed=1, game=1), users.visitors([100_000], seed=2)
    assert all(other[0, 0] != counts[1, 0] for other in others)


@pytest.mark.parametrize("name", PAIRS)
def test_the_best_list_for_all_and_those_of_each(name: str) -> None:
    users = segments(*PAIRS[name])
    most = max(users.value(ranking) for ranking in permutations(range(5), 3))
    assert users.best_value(3) == pytest.approx(most, rel=1e-12)
    assert users.best_rankings(3) == [model.best_ranking(3) for model in PAIRS[name]]


def test_one_segment_is_its_click_model() -> None:
    alone = CM(LIKED)
    users = Segments(contexts=[{}], shares=[1], users=[alone])
    assert users.expected_clicks([2, 0, 4]).tolist() == alone.expected_clicks([2, 0, 4]).tolist()
    assert users.best_ranking(3) == alone.best_ranking(3)
    assert users.item_order(3, 1).tolist() == alone.item_order(3, 1).tolist()


def test_segments_survive_json_and_their_text() -> None:
    users = segments(*PAIRS["pbm"])
    assert ClickModel.from_json(users.to_json()) == users
    assert eval(repr(users), {"Segments": Segments}) == users
    assert users.to_dict()["users"][1] == PAIRS["pbm"][1].to_dict()


def test_they_cannot_change() -> None:
    users = segments(*PAIRS["pbm"])
    with pytest.raises(AttributeError, match="shares of a click model cannot change"):
        users.shares = np.array([0.5, 0.5])
    with pytest.raises(ValueError, match="read-only"):
        users.shares[0] = 0.5


@compiled_allocating
def click(model: Any, ranking: Any, rng: Any, clicks: Any) -> None:
    first = np.zeros(1, np.int64)
    clicks[:] = False
    clicks[first[0]] = model.attraction[ranking[first[0]]] > 0.2


class Allocating(CM):
    """A user's own click model, one of whose kernels creates an array."""

    kernels = ClickKernels(click, CM.kernels.expected_clicks)


def test_a_click_model_that_creates_arrays_can_be_that_of_segments() -> None:
    users = segments(Allocating(LIKED), Allocating(OTHERWISE))
    first = [users.draw_clicks([0, 1, 2], seed=1, round=r)[0] for r in range(1, 1001)]
    assert np.mean(first) == users.visitors([1000], seed=1)[0, 0] / 1000
    assert users.kernels.first_click is None


ALIKE = [CM(LIKED), CM(LIKED)]
BY_MORE = [{"device": "mobile"}, {"device": "desktop", "country": "FR"}]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"contexts": []}, "contexts must have one for each segment, got []"),
        ({"contexts": [{"a": 1}, {"a": "x"}]}, "contexts[0] must be factors with their levels"),
        ({"contexts": BY_MORE}, "contexts[1] must have the factors of the first, ['device']"),
        ({"contexts": [CONTEXTS[0]] * 2}, "contexts[1] must differ from those before"),
        ({"shares": [0.5, 0.4]}, "shares must sum to 1, got [0.5, 0.4], which sum to 0.9"),
        ({"shares": [1.0, 0.0]}, "shares must be above 0: leave such segments out"),
        ({"shares": [1.0]}, "shares must have shape 2, got shape (1,)"),
        ({"users": ALIKE[:1]}, "users must be one click model for each of the 2 contexts, got 1"),
        ({"users": [CM(LIKED), 3]}, "users[1] must be a click model of one segment, got 3"),
        ({"users": [CM(LIKED), DBN(LIKED, LIKED, 0.1)]}, "one click model, got 'cm' and 'dbn'"),
        ({"users": [CM(LIKED), CM(LIKED[:4])]}, "users must have the same n_items, got 5 and 4"),
        (
            {"users": [PBM(LIKED, LOOKS), PBM(LIKED, LOOKS[:2])]},
            "users must have the same n_positions, got 3 and 2",
        ),
        ({"users": [{"click_model": "cn", "attraction": LIKED}] * 2}, "did you mean 'cm'?"),
    ],
)
def test_errors_name_the_argument_the_rule_and_the_value(
    settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArgumentError) as error:
        segments(**{"users": ALIKE, **settings})
    assert said in str(error.value)


def test_segments_of_segments_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"users\[0\] must be a click model of one segment"):
        segments(segments(*ALIKE), segments(*ALIKE))
