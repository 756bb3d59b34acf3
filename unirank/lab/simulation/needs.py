"""Check a policy's needs against the click model."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from unirank.errors import ArgumentError, UnknownNameError
from unirank.policies.base.options import FACTORS
from unirank.policies.base.policy import Policy
from unirank.policies.base.specs import policies_in
from unirank.users.base import ClickModel
from unirank.users.position_based import PBM
from unirank.users.segments import Segments


def check_needs(
    cls: type[Policy], options: Mapping[str, Any], users: ClickModel, n_positions: int
) -> None:
    """Raise ArgumentError if a policy needs what these users do not have.

    That are positions by decreasing examination, where a PBM says which position is examined most,
    and the factors by which visitors differ.
    """
    for _, inner, inner_options in policies_in(cls, options):
        check_needs(inner, inner_options, users, n_positions)
    if isinstance(users, Segments):
        check_factors(cls, options, users)
        for model in users.users:
            check_needs_of_one(cls, options, model, n_positions)
        return
    check_needs_of_one(cls, options, users, n_positions)


def check_factors(cls: type[Policy], options: Mapping[str, Any], users: Segments) -> None:
    """Raise ArgumentError if a policy is to tell visitors apart by a factor that they lack.

    Users without segments have no factors: each is "unknown", as on a page that knows none.
    """
    for name, option in cls.declared.items():
        if option.kind is not FACTORS:
            continue
        for factor in option.checked(options.get(name, option.default)) or ():
            if factor not in users.factors:
                raise UnknownNameError(f"factor in {name}:", factor, users.factors)


def check_needs_of_one(
    cls: type[Policy], options: Mapping[str, Any], users: ClickModel, n_positions: int
) -> None:
    """Raise ArgumentError if a policy needs another order of positions than these users'."""
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
