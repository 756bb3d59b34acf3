"""Whole pages with their clicks, each different one once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


class Pages(NamedTuple):
    """One row per different page and clicks on it."""

    items: Integers  # (n_pages, n_positions) item at each position, -1 beyond the end of the page
    mask: Integers  # (n_pages,) bit k is set where position k was clicked
    sessions: Integers  # (n_pages,) how many there were
