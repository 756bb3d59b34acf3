"""What copies of one policy learnt apart, added up: counters of both, less what both began with."""

from typing import Any

import numpy as np

from unirank.errors import ArgumentError


def summed(name: str, mine: Any, theirs: Any, common: Any, *, share: float = 1.0) -> Any:
    """mine + theirs - common, of counters: numbers, arrays of these, and tables by key.

    `share` is what the common part still counts in each, where copies forget.
    """
    if isinstance(mine, dict):
        return {
            key: summed(name, *(of.get(key, 0) for of in (mine, theirs, common)), share=share)
            for key in {**mine, **theirs}
        }
    if np.shape(mine) != np.shape(theirs) or np.shape(mine) != np.shape(common):
        raise ArgumentError(f"items must not have been added since the copies parted ({name})")
    if share == 1.0:
        return mine + theirs - common
    return mine + theirs - share * common
