"""dcmKL-UCB: CascadeKL-UCB for people who may go on after a click.

Katariya, Kveton, Szepesvari and Wen, "DCM Bandits: Learning to Rank with Multiple Clicks", ICML
2016, Algorithm 1, stated in `paper.py`: read that first. It assumes the dependent
click model: people read from the top, and after a click leave with a probability that depends on
the position. Positions up to the last click count as examined, the others as not examined. Regret
O((L - K) / Delta log T) in satisfied visits, without knowing T.

The index is that of CascadeKL-UCB. Where nobody clicks twice, so are the rankings.
"""

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.cascading.order import rank
from unirank.policies.cascading.state import (
    CascadingPolicy,
    propensity,
    remember,
    update_to_last_click,
)


@registry.register(
    "dcm-kl-ucb",
    spelled="dcmKL-UCB",
    paper="Katariya et al., ICML 2016",
    clicks="dependent clicks",
    position_order=True,
    logarithmic=True,
    lists="one, random at ties",
    regret="(L - K)/Delta log T",
)
class DCMKLUCB(CascadingPolicy):
    """Shows the items of largest KL-UCB index, for people who may go on after a click.

    Use it where people read from the top and may click several times; positions must be sorted by
    decreasing probability of leaving satisfied. Not for people who skip positions: a skipped
    position counts as examined, which can cost linear regret.

    Examples
    --------
    >>> policy = DCMKLUCB(items=["a", "b", "c"], n_positions=2)
    >>> for _ in range(3):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items[:1]))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update_to_last_click, propensity=propensity, remember=remember)
