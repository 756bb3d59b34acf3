"""The base class of estimators, and the loop that increases a log-likelihood step by step.

An estimator is registered with its click model, the table of statistics it reads and its ways to
estimate; the first way is the default:

    closed form   one formula
    em            expectation maximisation
    ascent        coordinate ascent (`ascent.py`)

The constructor allocates a state of arrays; `start` or `load` sets the parameters there, `climb`
improves them, and `parameters` returns them as arguments of the click model's constructor.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.logs.statistics import QueryStatistics
from unirank.policies.kernels.compiling import bind
from unirank.registry import Registry

registry: Registry[type["Estimator"]] = Registry("estimator")


class ClimbKernels(NamedTuple):
    """The compiled functions of one way to estimate; `label` names the compiled loop.

    `value(state)` returns the log-likelihood of the parameters in `state`. `improve(state)` changes
    the parameters and never decreases it; it may use what `value` has left in `state`.
    """

    label: str
    value: Callable[..., float]
    improve: Callable[..., None]


def value(state: Any) -> float:
    """Placeholder: `bind` puts an estimator's own function here."""
    raise AssertionError("climb must be bound to an estimator")


def improve(state: Any) -> None:
    """Placeholder: `bind` puts an estimator's own function here."""
    raise AssertionError("climb must be bound to an estimator")


def climb(state: Any, values: NDArray[np.float64], tolerance: float) -> int:
    """Improve until a step gains at most `tolerance` times the absolute value reached.

    Fill `values`, one per step, from the start on; return the number of steps, negative if the
    steps ran out first. `bind` puts an estimator's own `value` and `improve` here.
    """
    for step in range(values.size):  # one call of each: every call is compiled anew
        if step > 0:
            improve(state)
        values[step] = value(state)
        if step > 0 and values[step] - values[step - 1] <= tolerance * abs(values[step]):
            return step
    return 1 - values.size


class Evidence(NamedTuple):
    """The number of observations behind each value of one parameter."""

    parameter: str
    what: str  # what `counts` counts
    labels: Sequence[str]
    values: NDArray[np.float64]
    counts: NDArray[np.float64]
    scale: int = -1  # index of the value that is 1 by convention


class Estimator:
    """Estimates the parameters of one click model from the statistics of one query."""

    name: ClassVar[str]
    steps: ClassVar[dict[str, ClimbKernels]]
    state: Any

    def __init__(self, statistics: QueryStatistics, way: str, prior: float, bounded: bool) -> None:
        self.statistics = statistics
        self.way = way
        self.prior = prior
        self.bounded = bounded

    @property
    def n_items(self) -> int:
        return len(self.statistics.items)

    def start(self, rng: np.random.Generator | None, moving: bool) -> None:
        """Set the textbook's start, or a random one with `rng`; `moving` says if steps follow."""
        raise NotImplementedError

    def load(self, parameters: Any) -> None:
        """Set the parameters to those of a click model."""
        raise NotImplementedError

    def climb(self, values: NDArray[np.float64], tolerance: float) -> int:
        """Improve the parameters; see the function `climb`."""
        steps = self.steps[self.way]
        compiled = bind(climb, steps.label, value=steps.value, improve=steps.improve)
        return int(compiled(self.state, values, tolerance))

    def parameters(self) -> dict[str, Any]:
        """Arguments of the click model's constructor."""
        raise NotImplementedError

    def evidence(self) -> list[Evidence]:
        """Return the observations behind each parameter, after a climb."""
        raise NotImplementedError

    def groups(self) -> NDArray[np.int64]:
        """Return a number for each item; attraction is comparable between items of one number."""
        return np.zeros(self.n_items, np.int64)

    def impressions(self) -> NDArray[np.int64]:
        """Return how often each item was shown, according to the table."""
        raise NotImplementedError


def table_of(statistics: QueryStatistics, estimator: type[Estimator]) -> Any:
    """Return the table that `estimator` reads; raise if it is missing or inconsistent."""
    name = registry.facts(estimator)["table"]
    table = getattr(statistics, name)
    if table is None:
        raise ArgumentError(
            f"statistics must have the table {name!r} for {estimator.name!r}, "
            f"got none for query {statistics.query!r}"
        )
    if np.any(table.clicks > table.impressions):
        row = int(np.argmax(table.clicks > table.impressions))
        raise ArgumentError(
            f"clicks in the table {name!r} must be at most the impressions, got "
            f"{table.clicks[row]} of {table.impressions[row]} for item "
            f"{statistics.items[table.item[row]]!r} of query {statistics.query!r}; "
            "count the impressions with a click"
        )
    return table


def ways_of(estimator: type[Estimator]) -> list[str]:
    return registry.facts(estimator)["ways"].split(", ")
