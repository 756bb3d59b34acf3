from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.logs.estimators.agreement import statistics_of
from unirank.logs.estimators import fit
from unirank.logs.estimators.ascent import best_chance, improve
from unirank.logs.estimators.products import Products, factor, value
from unirank.logs.statistics import QueryStatistics, Shown

COUNTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4)


def one_item(rows: list[tuple[int, int]], partners: list[float], prior: float) -> Products:
    clicks, skips = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    impressions = (clicks + skips).astype(np.int64)
    cells = np.arange(len(rows))
    state = Products(
        factor(np.zeros_like(cells), impressions, 1),
        factor(cells, impressions, len(rows)),
        clicks,
        skips,
        prior,
        1.0,
    )
    state.examination.chance[:] = partners
    return state


@settings(max_examples=100)
@given(
    COUNTS, st.lists(st.floats(0.05, 1.0), min_size=4, max_size=4), st.sampled_from([0.0, 0.5, 3.0])
)
def test_one_parameter_goes_to_the_best_of_a_fine_grid(
    rows: list[tuple[int, int]], partners: list[float], prior: float
) -> None:
    partners = partners[: len(rows)]
    state = one_item(rows, partners, prior)
    if sum(map(sum, rows)) + prior == 0:
        return

    def height(chance: float) -> float:
        terms = [(prior, prior, chance)]
        terms += [(c, s, chance * e) for (c, s), e in zip(rows, partners, strict=True)]
        low = -1e300
        return sum(
            (c * log(p) if p > 0 else low * (c > 0)) + (s * log(1 - p) if p < 1 else low * (s > 0))
            for c, s, p in terms
        )

    best = best_chance(state, state.attraction, state.examination, 0)
    grid = [n / 1000 for n in range(1001)]
    assert height(best) >= max(height(chance) for chance in grid) - 1e-9


def test_a_step_never_goes_down_and_ends_where_no_derivative_points_up() -> None:
    table = statistics_of(3).shown
    assert table is not None
    state = Products(
        factor(table.item, table.impressions, 5),
        factor(table.position, table.impressions, 4),
        table.clicks.astype(np.float64),
        (table.impressions - table.clicks).astype(np.float64),
        0.0,
        1.0,
    )
    state.attraction.chance[:] = state.examination.chance[:4] = 0.5
    heights = []
    for _ in range(300):
        heights.append(value(state))
        improve(state)
    assert np.all(np.diff(heights) >= -1e-10)
    p = state.attraction.chance[table.item] * state.examination.chance[table.position]
    slope = state.clicks - state.skips * p / (1 - p)
    for side in (state.attraction, state.examination):
        slopes = np.bincount(side.of_row, slope)
        at_most = side.chance >= 1.0
        assert np.all(np.abs(slopes[~at_most]) < 1e-6)
        assert np.all(slopes[at_most] >= -1e-6)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("model", ["pbm", "ubm"])
def test_em_ends_where_ascent_does(model: str, seed: int) -> None:
    statistics = statistics_of(seed)
    top = fit(statistics, model, tolerance=1e-14).log_likelihood[-1]
    slow = fit(statistics, model, way="em", tolerance=1e-14, max_iterations=100_000, n_starts=2)
    assert slow.log_likelihood[-1] == pytest.approx(top, abs=1e-5)


def test_without_the_bound_attraction_may_exceed_one() -> None:
    # Item b is clicked 3 in 4 times where a is clicked 1 in 10, and a twice as often on top.
    shown = Shown(
        *(np.array(column) for column in ([0, 0, 1], [0, 1, 1], [100, 100, 4], [60, 10, 3]))
    )
    statistics = QueryStatistics("q", ("a", "b"), 2, 0, shown)
    free = fit(statistics, "pbm", bounded=False, tolerance=0.0)
    assert free.parameters["attraction"].tolist() == pytest.approx([0.6, 4.5])
    assert free.parameters["examination"].tolist() == pytest.approx([1.0, 1 / 6])
    assert "attraction exceeds 1 for 1 of 2: b (4.5)" in free.warnings
    bound = fit(statistics, "pbm", tolerance=0.0)
    assert bound.parameters["attraction"].max() <= 1.0
    assert bound.log_likelihood[-1] < free.log_likelihood[-1]
