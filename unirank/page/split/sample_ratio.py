"""Whether sessions fall into the arms by their shares: if not, the test is broken.

If an arm's answers get lost more often than the other's, or a proxy serves one arm from its cache,
the arms no longer hold comparable sessions, and no number of the test can be trusted.

The check is the exact sequential one of Lindon and Malek, "Anytime-Valid Inference for Multinomial
Count Data", NeurIPS 2022: the Bayes factor of counts n_1, n_2, ... under any shares, drawn from a
Dirichlet distribution, against the shares p. With the shares p it exceeds 1 / alpha at any time
with probability at most alpha.

    factor = B(a + n) / B(a) / prod p_i^n_i,    a_i = 100 p_i

Sessions that met other shares have a factor of their own; the product of the factors keeps the
promise, because each session is new when it comes.
"""

from collections.abc import Iterable, Sequence
from math import exp, lgamma, log

LEVEL = 0.001  # a test that is not broken is called broken this often, at most
WEIGHT = 100.0  # sessions that the prior is worth: it expects shares near the intended ones


def p_value(counts: Sequence[int], shares: Sequence[float]) -> float:
    """The inverse of the Bayes factor, at most 1; it may be looked at as often as one likes."""
    return p_value_of([(counts, shares)])


def p_value_of(groups: Iterable[tuple[Sequence[int], Sequence[float]]]) -> float:
    """The same for several groups of sessions, each with its counts and the shares that it met."""
    return exp(min(0.0, -sum(_log_factor(counts, shares) for counts, shares in groups)))


def _log_factor(counts: Sequence[int], shares: Sequence[float]) -> float:
    prior = [WEIGHT * share for share in shares]
    after = [a + n for a, n in zip(prior, counts, strict=True)]
    expected = sum(n * log(share) for n, share in zip(counts, shares, strict=True))
    return _log_beta(after) - _log_beta(prior) - expected


def _log_beta(weights: Sequence[float]) -> float:
    return sum(map(lgamma, weights)) - lgamma(sum(weights))
