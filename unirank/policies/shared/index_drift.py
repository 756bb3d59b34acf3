"""How far the KL-UCB index of a cell can have drifted since it was known.

An index u at a fixed budget is a smooth function of clicks c and refusals r, n = c + r, mean m:

    du/dc =  g ln(u / m)               rise    (1 - u) / n         <=  du/dc  <=  u (1 - u) / (n m)
    du/dr = -g ln((1 - m) / (1 - u))   fall    u (1 - u) / (n (1 - m))  <=  -du/dr  <=  u / n

with the slope g = u (1 - u) / (n (u - m)) of `cell_bounds.py`: ln(u / m) is the mean of 1 / z over
m < z < u, times u - m; ln((1 - m) / (1 - u)) that of 1 / (1 - z). While n and u change by less than
REGION of themselves, these limits are constants, and a show adds one of them to what is known of
the drift: no logarithm, no division. Beyond the region, or with few counts, nothing is known.
"""

from typing import Any

import numpy as np

from unirank.policies.kernels.compiling import compiled

REGION = 0.01
FEW = 256  # from here on a click or a refusal changes the index by less than REGION / 2

DRIFT = np.dtype(
    [
        ("low", np.float64),  # what the index has gained, at least
        ("high", np.float64),  # ... and at most
        ("least_rise", np.float64),  # by a click
        ("most_rise", np.float64),
        ("least_fall", np.float64),  # by a show without a click
        ("most_fall", np.float64),
        ("limit", np.float64),  # of the drift
        ("shows", np.int64),  # that may still come
    ]
)


@compiled
def start_drift(drift: Any, cell: Any, low: float, high: float) -> None:
    """Start at a cell whose index, at all budgets of interest, is between `low` and `high`."""
    drift.low = drift.high = 0.0
    drift.limit = 0.5 * REGION * low
    drift.shows = np.int64(REGION * cell.shown) if cell.shown >= FEW else 0
    least, most = (1.0 - REGION) * low, min((1.0 + REGION) * high, 1.0)
    fewest, largest = np.float64(max(cell.shown, 1)), (1.0 + REGION) * max(cell.shown, 1)
    mean = cell.clicked / largest
    drift.least_rise = np.divide(1.0 - most, largest)
    drift.most_fall = np.divide(most, fewest)
    drift.least_fall = np.divide(least * (1.0 - most), largest * (1.0 - mean))
    drift.most_rise = np.inf
    if cell.clicked >= FEW:
        drift.most_rise = np.divide(most * (1.0 - least), fewest * mean)


@compiled
def add_show(drift: Any, click: bool) -> bool:
    """Count a show of the cell; whether the drift is still known."""
    if click:
        drift.low += drift.least_rise
        drift.high += drift.most_rise
    else:
        drift.low -= drift.most_fall
        drift.high -= drift.least_fall
    drift.shows -= 1
    return drift.shows >= 0 and drift.low >= -drift.limit and drift.high <= drift.limit
