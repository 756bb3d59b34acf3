"""CascadeKL-UCB: show the items of largest KL-UCB index.

Kveton, Szepesvari, Wen and Ashkan, "Cascading Bandits: Learning to Rank in the Cascade Model", ICML
2015, Algorithm 1 with KL-UCB indices, stated in `paper.py`: read that first. It
assumes the cascade model: people read from the top and leave at the first click. Regret
O((L - K) / Delta log T), without knowing T.

    index_i = kl_ucb(clicked_i / examined_i, examined_i, b(t)),   b(t) = ln t + 3 ln ln t

t is the number of rankings given before; where b(t) <= 0 (t = 1, 2) the index is the mean.
`cascading/state.py` describes the opening, `cascading/order.py` how the ranking is found.
"""

from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.cascading.order import rank
from unirank.policies.cascading.state import (
    CascadingPolicy,
    propensity,
    remember,
    update_to_first_click,
)


@registry.register(
    "cascade-kl-ucb",
    spelled="CascadeKL-UCB",
    paper="Kveton et al., ICML 2015",
    clicks="cascade",
    position_order=True,
    logarithmic=True,
    lists="one, random at ties",
    regret="(L - K)/Delta log T",
)
class CascadeKLUCB(CascadingPolicy):
    """Shows the items of largest KL-UCB index, for people who leave at the first click.

    Use it where people read from the top and click at most once. Not for people who skip positions
    or click more than once: a skipped position counts as examined, so that under a position-based
    model an item can stay behind a worse one for ever, at linear regret.

    Examples
    --------
    >>> policy = CascadeKLUCB(items=["a", "b", "c"], n_positions=2)
    >>> for _ in range(3):
    ...     shown = policy.rank()
    ...     policy.update(shown, clicks={"b"} & set(shown.items[:1]))
    >>> policy.rank().items[0]
    'b'
    """

    kernels = PolicyKernels(rank, update_to_first_click, propensity=propensity, remember=remember)
