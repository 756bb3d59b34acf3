from collections import Counter

import pytest

from tests.logs.estimators.agreement import N_POSITIONS, random_sessions, statistics_of
from tests.reference.log_counting import Session, counted
from unirank.logs.estimators import fit


def closed_form(
    by_item: bool, sessions: list[Session]
) -> tuple[dict[str, float], dict[object, float]]:
    """The textbook's, session by session: a click is a stop if it is the last."""
    clicks: Counter[str] = Counter()
    reads: Counter[str] = Counter()
    clicked: Counter[object] = Counter()
    last: Counter[object] = Counter()
    for session in sessions:
        end = max(session.clicks, default=len(session.items) - 1)
        for position, item in enumerate(session.items[: end + 1]):
            reads[item] += 1
            if position in session.clicks:
                clicks[item] += 1
                clicked[item if by_item else position] += 1
                last[item if by_item else position] += position == end
    attraction = {item: clicks[item] / reads[item] for item in sorted(reads)}
    return attraction, {key: last[key] / clicked[key] for key in sorted(clicked, key=str)}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("name", "own"), [("dcm", "stop_after_click"), ("sdbn", "satisfaction")])
def test_without_steps_a_fit_is_the_closed_form(name: str, own: str, seed: int) -> None:
    attraction, stops = closed_form(name == "sdbn", random_sessions(seed))
    found = fit(statistics_of(seed), name, max_iterations=0)
    assert found.parameters["attraction"].tolist() == pytest.approx(list(attraction.values()))
    assert found.parameters[own].tolist() == pytest.approx(list(stops.values()))
    assert (len(found.log_likelihood), found.settled, found.n_starts) == (1, False, 1)


@pytest.mark.parametrize("name", ["dcm", "sdbn"])
def test_steps_start_from_the_closed_form(name: str) -> None:
    statistics = statistics_of(1)
    closed = fit(statistics, name, max_iterations=0)
    assert closed.parameters["attraction"].max() < 1
    moved = fit(statistics, name, n_starts=1)
    assert moved.log_likelihood[0] == closed.log_likelihood[0]
    assert moved.log_likelihood[-1] > closed.log_likelihood[0]


def test_an_attraction_that_starts_at_one_can_be_left() -> None:
    # c says that users go on after b, so that a, which is clicked each time it stands at or above
    # the last click, was read in vain below b: 5 clicks in 25 reads.
    pages = 5 * [Session("q", ("a", "b"), (0,))] + 20 * [Session("q", ("b", "a"), (0,))]
    pages += 20 * [Session("q", ("b", "c"), (0, 1))]
    statistics = counted(pages, "q", 2)
    closed = fit(statistics, "sdbn", max_iterations=0)
    assert closed.parameters["attraction"].tolist() == [1.0, 1.0, 1.0]
    moved = fit(statistics, "sdbn", n_starts=1, tolerance=1e-15)
    assert moved.parameters["attraction"].tolist() == pytest.approx([0.2, 1.0, 1.0], abs=1e-3)
    assert moved.parameters["satisfaction"][1] == pytest.approx(0.0, abs=1e-3)
    assert moved.log_likelihood[-1] > closed.log_likelihood[-1]


@pytest.mark.parametrize("name", ["dcm", "sdbn", "dbn", "ccm"])
def test_impressions_count_each_page_once(name: str) -> None:
    shown = Counter(item for session in random_sessions(2) for item in session.items)
    found = fit(statistics_of(2), name, max_iterations=0)
    assert found.impressions.tolist() == [shown[item] for item in found.items]
    assert found.impressions.sum() <= N_POSITIONS * 70
