"""The walk draws from the posterior."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from unirank.policies import PBMHB
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, address, at_round, stream_key
from unirank.policies.pb_mhb.state import State
from unirank.policies.pb_mhb.sweep import scatter, sweep

SIGNIFICANCE = 1e-4
THINNING = 40  # sweeps between two samples that count as independent


@compiled
def samples_of(
    state: State,
    key: np.uint64,
    sigma: float,
    theta: NDArray[np.float64],  # out
    kappa: NDArray[np.float64],  # out
) -> None:
    for sample in range(len(theta)):
        for n in range(THINNING):
            sweep(state, at_round(key, THINNING * sample + n), sigma, 0)
        for item in range(state.theta.size):
            theta[sample, item] = state.theta[item]
        for position in range(state.kappa.size):
            kappa[sample, position] = state.kappa[position]


def posterior_samples(
    item_clicks: list[int],
    position_clicks: list[int],
    refused: list[list[int]],
    sigma: float,
    n_samples: int = 4000,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Particles far apart in one long walk, with these counts all the while."""
    policy = PBMHB(len(item_clicks), len(position_clicks))
    policy.restore(
        {
            **policy.statistics(),
            "item_clicks": np.array(item_clicks),
            "position_clicks": np.array(position_clicks),
            "refused": np.array(refused),
            "rounds": np.array([1000]),
        }
    )
    theta = np.empty((n_samples, len(item_clicks)))
    kappa = np.empty((n_samples, len(position_clicks)))
    samples_of(policy.state, np.uint64(stream_key(1, 0, POLICY)), sigma, theta, kappa)
    return theta, kappa


@pytest.mark.parametrize("sigma", [0.15, 0.5, 1000.0])
@pytest.mark.parametrize(
    ("clicks", "refused"), [([0, 0], [0, 0]), ([3, 0], [1, 9]), ([40, 1], [60, 0])]
)
def test_with_one_position_attractions_are_beta(
    sigma: float, clicks: list[int], refused: list[int]
) -> None:
    theta, kappa = posterior_samples(clicks, [sum(clicks)], [[f] for f in refused], sigma)
    for item in range(2):
        # Each exponent has 1/2 besides the count, and Beta(a, b) has exponents a - 1 and b - 1.
        beta = stats.beta(clicks[item] + 1.5, refused[item] + 1.5)
        assert stats.kstest(theta[:, item], beta.cdf).pvalue > SIGNIFICANCE
    assert (kappa == 1).all()


@pytest.mark.parametrize("sigma", [0.3, 1000.0])
def test_with_two_positions_all_factors_have_their_joint_posterior(sigma: float) -> None:
    refused = np.array([[3, 2], [8, 1]])
    theta, kappa = posterior_samples([5, 3], [6, 2], refused.tolist(), sigma)
    grid = (np.arange(120) + 0.5) / 120
    a, b, k = np.meshgrid(grid, grid, grid, indexing="ij")
    log_density = (5 + 1) * np.log(a) + (3 + 1) * np.log(b) + (2 + 1) * np.log(k)
    for x, (first, second) in ((a, refused[0]), (b, refused[1])):
        log_density += (first + 0.5) * np.log1p(-x) + (second + 0.5) * np.log1p(-x * k)
    density = np.exp(log_density - log_density.max())
    for axis, found in enumerate([theta[:, 0], theta[:, 1], kappa[:, 1]]):
        marginal = density.sum(axis=tuple({0, 1, 2} - {axis}))
        cdf = np.concatenate(([0], np.cumsum(marginal))) / marginal.sum()
        edges = np.arange(121) / 120
        test = stats.kstest(found, lambda x, edges=edges, cdf=cdf: np.interp(x, edges, cdf))
        assert test.pvalue > SIGNIFICANCE, axis
    # The dependence too: attraction and examination explain the same clicks.
    chance = (density * a * k).sum() / density.sum()
    product = theta[:, 0] * kappa[:, 1]
    assert product.mean() == pytest.approx(chance, abs=4 * product.std() / len(product) ** 0.5)


def test_a_particle_starts_anywhere_but_with_its_first_position_examined() -> None:
    policy = PBMHB(3, 3)
    starts = []
    for round_ in range(1, 2001):
        scatter(policy.state, address(5, 0, POLICY, round_))
        starts.append([*policy.state.theta, *policy.state.kappa])
    found = np.array(starts)
    assert (found[:, 3] == 1).all()
    for column in (0, 1, 2, 4, 5):
        assert stats.kstest(found[:, column], "uniform").pvalue > SIGNIFICANCE
