"""How surprised a click model is by clicks: 1 never, 2 like a fair coin at every position.

    perplexity_k = 2 ** -mean(c log2 q + (1 - c) log2(1 - q))

over the sessions whose page has a position k, with c = 1 where it was clicked and q the model's
chance of a click there, given the ranking shown but none of its other clicks. The overall
perplexity takes the mean over all positions of all sessions. No chance is taken below `FLOOR` or
above 1 - `FLOOR`, or one surprise would be infinite.
"""

from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.click_models import ClickModel
from unirank.errors import ArgumentError
from unirank.kernels.compiling import bind
from unirank.logs.pages import Pages

FLOOR = 1e-6


class Perplexity(NamedTuple):
    """Not a number where nothing was shown."""

    overall: float
    by_position: NDArray[np.float64]


def expected_clicks(model: Any, ranking: Any, expected: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("add_bits must be bound to a click model")


def add_bits(
    model: Any,
    pages: Pages,
    expected: NDArray[np.float64],  # (n_positions,) scratch
    bits: NDArray[np.float64],  # (n_positions,) out: -log2 of what happened, summed
    shown: NDArray[np.int64],  # (n_positions,) out: sessions that have the position
) -> None:
    for page in range(pages.sessions.size):
        length = 0
        while length < expected.size and pages.items[page, length] >= 0:
            length += 1
        expected_clicks(model, pages.items[page, :length], expected)
        for position in range(length):
            chance = min(max(expected[position], FLOOR), 1.0 - FLOOR)
            clicked = (pages.mask[page] >> position) & 1
            bits[position] -= pages.sessions[page] * log2(chance if clicked else 1.0 - chance)
            shown[position] += pages.sessions[page]


def perplexity(click_model: ClickModel, pages: Pages) -> Perplexity:
    """Perplexity of `click_model` on `pages`, whose items are numbered as in the click model."""
    if pages.items.size and pages.items.max() >= click_model.n_items:
        raise ArgumentError(
            f"items of pages must be in 0..{click_model.n_items - 1}, got {pages.items.max()}"
        )
    n_positions = pages.items.shape[1]
    longest = int((pages.items >= 0).sum(axis=1).max(initial=0))
    if longest > click_model.n_positions:
        raise ArgumentError(
            f"pages must have at most {click_model.n_positions} positions, those of the click "
            f"model, got {longest}"
        )
    bits, shown = np.zeros(n_positions), np.zeros(n_positions, np.int64)
    add = bind(add_bits, click_model.name, expected_clicks=click_model.kernels.expected_clicks)
    plain = Pages(*(np.ascontiguousarray(column, np.int64) for column in pages))
    add(click_model.parameters, plain, np.zeros(n_positions), bits, shown)
    with np.errstate(invalid="ignore"):
        overall = np.exp2(np.divide(bits.sum(), shown.sum()))
        return Perplexity(float(overall), np.exp2(bits / shown))
