"""Go up a log-likelihood step by step, until a step gains next to nothing.

`climb` names `value` and `improve` as placeholders; `bind` fills in those of one estimator:

    value(state) -> what is raised, at the parameters in `state`
    improve(state)   moves them, never down; it may rest on what `value` has left in `state`

The rule to stop: a step gains at most `tolerance` times the absolute value reached.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def value(state: Any) -> float:
    """Placeholder: `bind` puts an estimator's own function here."""
    raise AssertionError("climb must be bound to an estimator")


def improve(state: Any) -> None:
    """Placeholder: `bind` puts an estimator's own function here."""
    raise AssertionError("climb must be bound to an estimator")


def climb(state: Any, values: NDArray[np.float64], tolerance: float) -> int:
    """Fill `values` from the start on; return how many steps were made, negative if not settled."""
    for step in range(values.size):  # each function is named once: it is compiled where it is named
        if step > 0:
            improve(state)
        values[step] = value(state)
        if step > 0 and values[step] - values[step - 1] <= tolerance * abs(values[step]):
            return step
    return 1 - values.size
