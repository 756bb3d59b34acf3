"""Table 1 of the paper as numbers: proved bounds on the regret of policies, on one problem.

The facts of every policy give the order of its bound (`regret`). A number is given only where
the leading constant is known beyond doubt:

    UniRank       sum_k 8 Delta_k / (delta*_k Delta~_k^2) ln T     Theorem 1, and its corollaries
    CascadeUCB1   sum_(k>K) 12 / (theta_K - theta_k) ln T          CM, Kveton et al., ICML 2015

Left out: TopRank, BatchRank, BubbleRank, CascadeKL-UCB, PBM-PIE and GRAB, whose constants we have
from memory only, and OSUB, whose constant is for arms with one Bernoulli reward, not for lists.
"""

from typing import NamedTuple

import numpy as np

from unirank.lab.theory.assumptions import Assumptions
from unirank.lab.theory.closed_forms import has_closed_form
from unirank.lab.theory.corollaries import corollary_gaps
from unirank.lab.theory.gaps import compute_gaps
from unirank.policies import registry
from unirank.policies.base.facts import Clicks
from unirank.users import CM, ClickModel

# The `clicks` of a policy's facts with which its theory covers a click model.
MADE_FOR: dict[str, tuple[Clicks, ...]] = {
    "pbm": ("any", "position-based"),
    "cm": ("any", "cascade", "dependent clicks"),
    "dcm": ("any", "dependent clicks"),
}
DIFFERS = 1e-6  # two bounds nearer than this, relatively, are the same line


class Bound(NamedTuple):
    """A regret of at most `constant` ln T, up to lower orders; drawn and printed as a curve."""

    policy: str
    label: str
    constant: float


def unirank_bounds(users: ClickModel, assumptions: Assumptions) -> list[Bound]:
    """Theorem 1 and, if it is another number, the corollary; nothing where they are infinite."""
    if not assumptions.theorem_applies:
        return []
    theorem = compute_gaps(users, assumptions).constant
    found = [Bound("unirank", "bound of Theorem 1, leading term", theorem)]
    if has_closed_form(users):
        corollary = corollary_gaps(users, assumptions).constant
        if abs(corollary - theorem) > DIFFERS * theorem:
            label = f"bound of the corollary for {users.name.upper()}, leading term"
            found.append(Bound("unirank", label, corollary))
    return found


def other_bounds(users: ClickModel, assumptions: Assumptions) -> list[Bound]:
    """Bounds of other policies whose constant is known, where they are finite."""
    n_positions = assumptions.n_positions
    if not isinstance(users, CM) or n_positions == users.n_items:
        return []
    theta = np.sort(users.attraction)[::-1]
    gaps = theta[n_positions - 1] - theta[n_positions:]
    if gaps.min() <= 0:
        return []
    constant = float(np.sum(12 / gaps))
    return [Bound("cascade-ucb1", "bound of CascadeUCB1, leading term", constant)]


def known_orders(users: ClickModel) -> dict[str, str]:
    """Return the order of the bound of each policy whose theory covers this click model."""
    covered = MADE_FOR.get(users.name, ("any",))
    facts = {entry.name: entry.cls.facts for entry in registry}
    return {
        name: each.regret
        for name, each in facts.items()
        if each.clicks in covered and each.logarithmic
    }
