"""Check a policy's needs against the click model."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from unirank.errors import ArgumentError
from unirank.policies.base.policy import Policy
from unirank.users.base import ClickModel
from unirank.users.position_based import PBM


def check_needs(
    cls: type[Policy], options: Mapping[str, Any], users: ClickModel, n_positions: int
) -> None:
    """Raise ArgumentError if a policy needs positions by decreasing examination and they are not.

    Only a PBM says which position is examined most.
    """
    if options.get("position_order") is not None:
        raise ArgumentError(
            f"position_order is for pages, not for simulated users: reorder these, "
            f"users.reordered(...), got {options['position_order']!r}"
        )
    if not isinstance(users, PBM) or not cls.facts.position_order:
        return
    looks = users.examination[:n_positions]
    if (np.diff(looks) > 0).any():
        order = [*users.position_order(n_positions), *range(n_positions, users.n_positions)]
        raise ArgumentError(
            f"policy {cls.name!r} needs positions by decreasing examination, got {looks.tolist()}: "
            f"pass users.reordered({order})"
        )
