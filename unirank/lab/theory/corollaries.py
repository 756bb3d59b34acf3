"""The two corollaries of Theorem 1: gaps and constant for CM and PBM, in closed form.

With the items numbered by the order and l = min(k-1, K), for k = 2..L

    CM    delta*_k = (theta_l + theta_k - theta_l theta_k) prod_(m<k-1) (1 - theta_m)   k <= K
                     1/2 (theta_K + theta_k) prod_(m<K) (1 - theta_m)                   k > K
          Delta_k  = 0                                                                  k <= K
                     (theta_K - theta_k) prod_(m<K) (1 - theta_m)                       k > K
          R(T)    <= sum_(k>K) 16 (theta_K + theta_k) / (theta_K - theta_k) ln T

    PBM   delta*_k = 1/2 (theta_l + theta_k)(kappa_(k-1) + kappa_k)
                     - 2 theta_l theta_k kappa_(k-1) kappa_k                            k <= K
                     1/2 (theta_K + theta_k) kappa_K                                    k > K
          Delta_k  = (theta_(k-1) - theta_k)(kappa_(k-1) - kappa_k)                     k <= K
                     (theta_K - theta_k) kappa_K                                        k > K

    both  Delta~_k = (theta_l - theta_k) / (theta_l + theta_k)

up to O(ln ln T). The paper has Delta~_k >= that: it is equal if L > K, and with L = K the constant
of the corollary is a little above that of the theorem. Common clicks (PBM) have another delta*_k,
1/2 (|theta_l kappa_(k-1) - theta_k kappa_k| + |theta_l kappa_k - theta_k kappa_(k-1)|), k <= K.

The Delta that the paper's main text gives for PBM has 2 delta*_k where its appendix has delta*_k;
a factor of 2 inside O(L/Delta ln T).
"""

import numpy as np

from unirank.errors import ArgumentError
from unirank.lab.theory.assumptions import Assumptions
from unirank.lab.theory.gaps import Gap, Gaps, why_no_bound
from unirank.users import CM, PBM, ClickModel


def corollary_gaps(users: ClickModel, assumptions: Assumptions) -> Gaps:
    """The gaps that the corollary of PBM or CM prints."""
    if type(users) not in (PBM, CM):
        raise ArgumentError(f"there is a corollary for pbm and cm only, got {users.name}")
    if not assumptions.theorem_applies:
        raise ArgumentError(f"the corollary gives no bound: {why_no_bound(assumptions)}")
    items = [item for subset in assumptions.order for item in subset]
    n_positions = assumptions.n_positions
    theta = users.attraction[items]
    gaps = []
    for k in range(2, len(items) + 1):
        before = min(k - 1, n_positions)
        high, low = float(theta[before - 1]), float(theta[k - 1])
        numbers = _cm if isinstance(users, CM) else _pbm
        probability, reward = numbers(users, theta, k, n_positions)
        difference = (high - low) / (high + low)
        gaps.append(
            Gap(k, items[k - 1], items[before - 1], float(probability), difference, float(reward))
        )
    return Gaps(tuple(gaps))


def _cm(
    users: ClickModel, theta: "np.typing.NDArray[np.float64]", k: int, n_positions: int
) -> tuple[float, float]:
    """delta*_k and Delta_k of CM."""
    if k <= n_positions:
        read = float(np.prod(1 - theta[: k - 2]))
        return (theta[k - 2] + theta[k - 1] - theta[k - 2] * theta[k - 1]) * read, 0.0
    read = float(np.prod(1 - theta[: n_positions - 1]))
    last = theta[n_positions - 1]
    return (last + theta[k - 1]) * read / 2, (last - theta[k - 1]) * read


def _pbm(
    users: ClickModel, theta: "np.typing.NDArray[np.float64]", k: int, n_positions: int
) -> tuple[float, float]:
    """delta*_k and Delta_k of PBM."""
    kappa = users.parameters.examination
    if k > n_positions:
        looks, last = kappa[n_positions - 1], theta[n_positions - 1]
        return (last + theta[k - 1]) * looks / 2, (last - theta[k - 1]) * looks
    high, low, first, second = theta[k - 2], theta[k - 1], kappa[k - 2], kappa[k - 1]
    if users.parameters.common:
        probability = (abs(high * first - low * second) + abs(high * second - low * first)) / 2
    else:
        probability = (high + low) * (first + second) / 2 - 2 * high * low * first * second
    return probability, (high - low) * (first - second)
