"""Objectives: what a ranking is worth, and so what regret measures.

    clicks       expected number of clicks
    any-click    probability of at least one click
    first-click  expected reciprocal rank of the first click: 1 / its position, 0 without a click

The last two follow from one law, the probability that the first click, the topmost one, is at each
position (`first_click` of a click model): its sum, and its sum weighted by 1 / position.

Reciprocal rank is our measure of effort because it needs no constant. A mean number of items read
would need a price for visits without a click; here such a visit earns 0, and an early first click
earns more than a late one. For cascade users it is the expected reciprocal rank of Chapelle et al.,
"Expected reciprocal rank for graded relevance", CIKM 2009.
"""

from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import bind

Objective = Literal["clicks", "any-click", "first-click"]

CLICKS, ANY_CLICK, FIRST_CLICK = OBJECTIVES = get_args(Objective)

LOST = {  # the unit of regret
    CLICKS: "clicks lost",
    ANY_CLICK: "extra visits without a click",
    FIRST_CLICK: "reciprocal rank of the first click lost",
}


def first_click(model: Any, ranking: Any, chances: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("reciprocal_rank must be bound to a click model")


def reciprocal_rank(model: Any, ranking: NDArray[np.int64], chances: NDArray[np.float64]) -> float:
    """Expected reciprocal rank of the first click; `chances` is scratch."""
    first_click(model, ranking, chances)
    total = 0.0
    for position in range(ranking.size):
        total += chances[position] / (position + 1.0)
    return total


def value_kernel(model: Any, objective: str) -> Callable[..., float]:
    """Return the compiled value(model, ranking, scratch) of a click model under an objective."""
    arguments.choice("objective", objective, OBJECTIVES)
    if objective == CLICKS:
        kernel: Callable[..., float] = model.kernels.expected_clicks
        return kernel
    first = first_click_kernel(model)
    if objective == ANY_CLICK:
        return first
    return bind(reciprocal_rank, model.name, first_click=first)


def first_click_kernel(model: Any) -> Callable[..., float]:
    """Return the kernel `first_click`, which a user's own click model may lack."""
    if model.kernels.first_click is None:
        raise ArgumentError(
            f"click model {model.name!r} cannot tell where the first click is, which the "
            "objectives any-click and first-click need: add first_click to its ClickKernels, "
            "got None"
        )
    kernel: Callable[..., float] = model.kernels.first_click
    return kernel
