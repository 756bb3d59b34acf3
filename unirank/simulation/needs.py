"""What a policy must know, held against the users it is to meet."""

import numpy as np

from unirank.click_models.base import ClickModel
from unirank.click_models.position_based import PBM
from unirank.errors import ArgumentError
from unirank.policies.base.policy import Policy, registry


def check_needs(cls: type[Policy], users: ClickModel, n_positions: int) -> None:
    """Refuse to play a policy that knows the order of the positions where that is another one.

    Only what is registered says what it knows, and only a PBM says which position is seen most.
    """
    if not isinstance(users, PBM) or "position order" not in registry.facts(cls).get("knows", ""):
        return
    looks = users.parameters.examination[:n_positions]
    if (np.diff(looks) > 0).any():
        order = [*users.position_order(n_positions), *range(n_positions, users.n_positions)]
        raise ArgumentError(
            f"policy {cls.name!r} needs positions by decreasing examination, got {looks.tolist()}: "
            f"pass users.reordered({order})"
        )
