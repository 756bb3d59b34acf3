"""Statistics of RBA that a state file may hold."""

from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.policies import RBA


@pytest.mark.parametrize(
    ("forged", "told"),
    [
        ({"rounds": [-1]}, "rounds must be in 0.."),
        ({"pulled": [[4, 2]]}, "pulled must be counts of at most one a round and position"),
        ({"pulled": [[-1, 2]]}, "pulled must be counts of at most one a round and position"),
        ({"won": [[3, 0]]}, "won must be counts of at most pulled"),
        ({"won": [[-1, 0]]}, "won must be counts of at most pulled"),
        ({"losses": [[0.5, 2.0]]}, "losses must be at least 1 for each round that was not won"),
        ({"losses": [[1.0, np.inf]]}, "losses must be at least 1 for each round that was not won"),
        ({"losses": [[1.0, np.nan]]}, "losses must be at least 1 for each round that was not won"),
        ({"won": [[0, 0, 0]]}, "won must have shape (1, 2)"),
    ],
)
def test_counts_that_cannot_be_are_refused(forged: dict[str, Any], told: str) -> None:
    counts = {"pulled": [[2, 2]], "won": [[1, 0]], "rounds": [5], "losses": [[1.0, 2.0]]}
    RBA(2, 1, bandit="exp3").restore({n: np.array(v) for n, v in counts.items()})
    with pytest.raises(ArgumentError) as caught:
        RBA(2, 1, bandit="exp3").restore({n: np.array(v) for n, v in {**counts, **forged}.items()})
    assert str(caught.value).startswith(told)
