"""Whether a fit finds the parameters that made the log, and closes in on them as it should."""

from typing import Any

import numpy as np

from tests.logs.estimators.drawing import draw
from unirank.logs.estimators import fit
from unirank.users import ClickModel

SIZES = (10_000, 100_000, 1_000_000)


def distance(found: dict[str, Any], truth: dict[str, Any], ignored: Any = None) -> float:
    """Largest difference between two sets of parameters; NaN in `ignored` is not compared."""
    ignored = ignored or {}
    return max(
        float(np.nanmax(np.abs(np.subtract(found[name], truth[name]) + ignored.get(name, 0.0))))
        for name in found
    )


def errors(name: str, model: ClickModel, ignored: Any = None, **options: Any) -> list[float]:
    """Largest error at each of `SIZES`."""
    fits = [fit(draw(model, size, seed=7), name, **options) for size in SIZES]
    return [distance(one.parameters, model.settings, ignored) for one in fits]


def check_recovery(name: str, model: ClickModel, margin: float, ignored: Any = None) -> None:
    """At every size the largest error is below margin / sqrt(sessions)."""
    found = errors(name, model, ignored)
    scaled = [error * size**0.5 for error, size in zip(found, SIZES, strict=True)]
    assert max(scaled) < margin, scaled
