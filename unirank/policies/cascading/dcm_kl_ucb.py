"""dcmKL-UCB: CascadeKL-UCB for people who may go on after a click.

Katariya, Kveton, Szepesvari and Wen, "DCM Bandits: Learning to Rank with Multiple Clicks", ICML
2016, Algorithm 1. Assumes the dependent click model: people read from the top, and after a click
leave with a chance that depends on its position. All above the last click was surely seen; what is
below it counts as not seen. Must know the order of the positions, by decreasing chance to leave
satisfied. Regret O((L - K) / Delta log T) in satisfied visits, without knowing T. Not for people
who skip positions: a skipped position counts as refused, so that under a position-based model an
item can stay behind a worse one for ever, at linear regret.

    index_i = kl_ucb(clicked_i / examined_i, examined_i, b(t)),   b(t) = ln t + 3 ln ln t

t is the number of rankings given before; where b(t) <= 0 (t = 1, 2) the index is the mean. Each
round shows the K largest, the largest first, after an opening that shows each item first once
(`cascading.py`), and counts the positions up to the last click, or all if there is none. Where
nobody clicks twice, it is CascadeKL-UCB.
"""

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.cascading.order import rank
from unirank.policies.cascading.state import CascadingPolicy, propensity, update_to_last_click


@registry.register(
    "dcm-kl-ucb",
    paper="Katariya et al., ICML 2016",
    clicks="dependent clicks",
    position_order=True,
    logarithmic=True,
    lists="one, random at ties",
    regret="(L - K)/Delta log T",
)
class DCMKLUCB(CascadingPolicy):
    """Shows the largest KL-UCB indices, for people who may go on after a click.

    >>> policy = DCMKLUCB(items=["a", "b", "c"], n_positions=2)
    >>> for _ in range(3):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items[:1]))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update_to_last_click, propensity=propensity)
