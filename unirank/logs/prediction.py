"""How well a click model predicts clicks, by position.

Let q be the model's probability of a click at position k, given the ranking but none of its other
clicks, c = 1 if it was clicked, and a the attraction of the item:

    perplexity   2 ** -mean(c log2 q + (1 - c) log2(1 - q))   1 is perfect, 2 is a fair coin
    click rate   mean of c, beside the expected one, mean of q
    examination  mean of q / a

Every click model here has q = P(k is examined) a, so the last line is the probability that position
k is examined, also in models without a parameter for it; items with attraction 0 are left out.
Probabilities are kept in [`FLOOR`, 1 - `FLOOR`], so that the perplexity is finite.
"""

from collections.abc import Iterable
from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.logs.statistics import Pages
from unirank.policies.kernels.compiling import bind
from unirank.users import ClickModel

FLOOR = 1e-6

Floats = NDArray[np.float64]


class Prediction(NamedTuple):
    """Sums over sessions, by position; derived values are NaN where nothing was shown."""

    shown: Floats
    clicks: Floats
    expected: Floats  # clicks
    bits: Floats  # -log2 of the probability of what happened
    examined: Floats
    attracting: Floats  # number of sessions in the sum `examined`

    @property
    def perplexity(self) -> float:
        """Over all positions of all sessions."""
        return float(np.exp2(_share(self.bits.sum(), self.shown.sum())))

    @property
    def perplexity_by_position(self) -> Floats:
        return np.exp2(_share(self.bits, self.shown))

    @property
    def click_rate(self) -> Floats:
        return _share(self.clicks, self.shown)

    @property
    def expected_click_rate(self) -> Floats:
        return _share(self.expected, self.shown)

    @property
    def examination(self) -> Floats:
        return _share(self.examined, self.attracting)


def _share(part: Any, whole: Any) -> Any:
    with np.errstate(invalid="ignore"):
        return np.divide(part, whole)


def expected_clicks(model: Any, ranking: Any, expected: Any) -> float:
    """Placeholder: `bind` puts the click model's own function here."""
    raise AssertionError("add_sessions must be bound to a click model")


def add_sessions(
    model: Any,
    pages: NDArray[np.int64],  # (n_pages, n_positions) item, -1 beyond the end
    clicks: NDArray[np.bool_],  # (n_pages, n_positions)
    sessions: NDArray[np.int64],  # (n_pages,)
    expected: Floats,  # (n_positions,) scratch
    sums: Prediction,  # out, added to
) -> None:
    for page, count in enumerate(sessions):
        length = 0
        while length < expected.size and pages[page, length] >= 0:
            length += 1
        expected_clicks(model, pages[page, :length], expected)
        for position in range(length):
            chance = min(max(expected[position], FLOOR), 1.0 - FLOOR)
            clicked = clicks[page, position]
            sums.shown[position] += count
            sums.clicks[position] += count * clicked
            sums.expected[position] += count * expected[position]
            sums.bits[position] -= count * log2(chance if clicked else 1.0 - chance)
            attraction = model.attraction[pages[page, position]]
            if attraction > 0.0:
                sums.examined[position] += count * expected[position] / attraction
                sums.attracting[position] += count


def fill_bits(
    model: Any,
    pages: NDArray[np.int64],  # (n_pages, n_positions) item, -1 beyond the end
    clicks: NDArray[np.bool_],  # (n_pages, n_positions)
    expected: Floats,  # (n_positions,) scratch
    bits: Floats,  # (n_pages,) out
) -> None:
    for page in range(bits.size):
        length = 0
        while length < expected.size and pages[page, length] >= 0:
            length += 1
        expected_clicks(model, pages[page, :length], expected)
        bits[page] = 0.0
        for position in range(length):
            chance = min(max(expected[position], FLOOR), 1.0 - FLOOR)
            bits[page] -= log2(chance if clicks[page, position] else 1.0 - chance)


def page_bits(click_model: ClickModel, pages: Pages) -> Floats:
    """Return -log2 of the probability of what happened on each page, summed over positions."""
    check_pages(click_model, pages)
    compiled = bind(
        fill_bits, click_model.name, expected_clicks=click_model.kernels.expected_clicks
    )
    bits = np.zeros(len(pages.sessions))
    rows = np.ascontiguousarray(pages.items), np.ascontiguousarray(pages.clicks)
    compiled(click_model.parameters, *rows, np.zeros(pages.items.shape[1]), bits)
    return bits


def prediction(found: Iterable[tuple[ClickModel, Pages]]) -> Prediction:
    """Add up the predictions of click models, each on the pages of its query."""
    found = list(found)
    width = max((pages.items.shape[1] for _, pages in found), default=0)
    sums = Prediction(*(np.zeros(width) for _ in Prediction._fields))
    for click_model, pages in found:
        check_pages(click_model, pages)
        compiled = bind(
            add_sessions, click_model.name, expected_clicks=click_model.kernels.expected_clicks
        )
        scratch = np.zeros(pages.items.shape[1])
        rows = np.ascontiguousarray(pages.items), np.ascontiguousarray(pages.clicks)
        compiled(click_model.parameters, *rows, pages.sessions, scratch, sums)
    return sums


def check_pages(click_model: ClickModel, pages: Pages) -> None:
    """Raise for pages outside the click model: the compiled code does not check them."""
    if pages.items.size and pages.items.max() >= click_model.n_items:
        raise ArgumentError(
            f"items of pages must be in 0..{click_model.n_items - 1}, got {pages.items.max()}"
        )
    longest = int((pages.items >= 0).sum(axis=1).max(initial=0))
    if longest > click_model.n_positions:
        raise ArgumentError(
            f"pages must have at most {click_model.n_positions} positions, those of the click "
            f"model, got {longest}"
        )
