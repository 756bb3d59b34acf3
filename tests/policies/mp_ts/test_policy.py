"""MP-TS: its distribution, and what it is good and bad at."""

import numpy as np
import pytest
from scipy import stats

from tests.lab.simulation.problems import PROBLEMS
from tests.policies.counted import samples_of, with_counts
from unirank import PBM, ArgumentError, simulate
from unirank.policies import MPTS


def test_samples_are_beta_and_independent() -> None:
    policy = with_counts(MPTS, 2, {"seed": 5}, clicked=[0, 3, 50, 9], shown=[0, 10, 1000, 9])
    samples = samples_of(policy, 4000)
    for item, shapes in enumerate([(1, 1), (4, 8), (51, 951), (10, 1)]):
        assert 1e-4 < stats.kstest(samples[:, item], stats.beta(*shapes).cdf).pvalue < 1 - 1e-4
    others = np.asarray(np.corrcoef(samples.T))[np.triu_indices(4, 1)]
    assert np.abs(others).max() < 4.5 / np.sqrt(4000)


def test_before_any_click_every_list_is_as_likely() -> None:
    lists = [MPTS(3, 2, seed=seed).rank().items for seed in range(3000)]
    counts = list({items: lists.count(items) for items in lists}.values())
    assert len(counts) == 6
    assert 1e-4 < stats.chisquare(counts).pvalue < 1 - 1e-4


def test_its_propensity_is_not_told() -> None:
    assert np.isnan(MPTS(3, 2).rank().propensity)


@pytest.mark.parametrize(
    ("clicked", "shown"), [([2, 0], [1, 0]), ([-1, 0], [1, 0]), ([0, 0], [2**61, 0])]
)
def test_impossible_counts_are_refused(clicked: list[int], shown: list[int]) -> None:
    with pytest.raises(ArgumentError, match="must be counts"):
        with_counts(MPTS, 1, clicked=clicked, shown=shown)


def test_it_learns_where_positions_are_looked_at_alike() -> None:
    users = PBM([0.1, 0.08, 0.06, 0.04, 0.02, *[1e-4] * 5], [1.0] * 5)
    sampling, floor = (
        simulate(name, users, n_positions=5, n_rounds=20_000, n_games=10).mean[-1]
        for name in ("mp-ts", "random")
    )
    assert sampling < floor / 20


def growth(users: PBM) -> float:
    """How many times the regret after 10^4 rounds is lost after 10^5, on the mean of ten games."""
    rounds = [10**4, 10**5]
    trace = simulate(
        "mp-ts",
        users,
        n_positions=users.n_positions,
        n_rounds=10**5,
        n_games=10,
        checkpoints=rounds,
    )
    return float(trace.mean[1] / trace.mean[0])


def test_its_regret_is_logarithmic_on_simul() -> None:
    users, _ = PROBLEMS["simul-pbm"]
    assert isinstance(users, PBM)
    assert growth(users) < 2


def test_its_regret_is_linear_where_looks_fade_faster_than_attraction() -> None:
    assert growth(PBM([0.5, 0.45, 0.4, 0.35, 0.3, 0.25], [1.0, 0.6, 0.4, 0.3])) > 5
