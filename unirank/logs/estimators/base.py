"""What every estimator is: one table of a query's statistics, parameters, and a way to raise them.

An estimator is registered with the click model it gives, the table it reads and its ways, the first
of which is taken unless another is asked for:

    closed form   one formula
    em            expectation and maximisation in turn, from a stated start
    ascent        one parameter at a time to its maximum (`ascent.py`)

It lays out a state of arrays once; `start` or `load` puts parameters there, `climb` raises them,
and `parameters` reads them in the words of the click model's constructor.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.kernels.compiling import bind
from unirank.logs.estimators.climbing import climb
from unirank.logs.statistics import QueryStatistics
from unirank.registry import Registry

registry: Registry[type["Estimator"]] = Registry("estimator")


class Steps(NamedTuple):
    """The compiled functions of one way, and a name for their compiled loop."""

    label: str
    value: Callable[..., float]
    improve: Callable[..., None]


class Evidence(NamedTuple):
    """What one parameter rests on, value by value."""

    parameter: str
    what: str  # what `counts` counts
    labels: Sequence[str]
    values: NDArray[np.float64]
    counts: NDArray[np.float64]
    scale: int = -1  # the one whose value is 1 by convention


class Estimator:
    """Parameters of one click model from one query's statistics; see the subclasses."""

    name: ClassVar[str]
    steps: ClassVar[dict[str, Steps]]
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
        """Set the textbook's start, or a random one; `moving` says whether steps will follow."""
        raise NotImplementedError

    def load(self, parameters: Any) -> None:
        """Set the parameters to those of a click model, as compiled."""
        raise NotImplementedError

    def climb(self, values: NDArray[np.float64], tolerance: float) -> int:
        """Fill `values` by step and return how many were made, negative if not settled."""
        steps = self.steps[self.way]
        compiled = bind(climb, steps.label, value=steps.value, improve=steps.improve)
        return int(compiled(self.state, values, tolerance))

    def parameters(self) -> dict[str, Any]:
        """Arguments of the click model's constructor."""
        raise NotImplementedError

    def evidence(self) -> list[Evidence]:
        """What each of them rests on, after a climb."""
        raise NotImplementedError

    def impressions(self) -> NDArray[np.int64]:
        """How often each item was shown, as far as the table says."""
        raise NotImplementedError


def table_of(statistics: QueryStatistics, estimator: type[Estimator]) -> Any:
    """The table that `estimator` reads."""
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
