"""How a policy is asked for: by name or class, alone or with options."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.facts import registry
from unirank.policies.base.policy import Policy

PolicyName = str | type[Policy]
PolicySpec = PolicyName | tuple[PolicyName, Mapping[str, Any]]


def resolved(policy: PolicySpec) -> tuple[type[Policy], dict[str, Any]]:
    """Class and options that a policy's name or class, alone or with options, stands for."""
    pair: Any = policy if isinstance(policy, tuple | list) else (policy, {})
    name, options = pair if len(pair) == 2 else (None, {})
    known = isinstance(name, str) or (isinstance(name, type) and issubclass(name, Policy))
    if not known or not isinstance(options, Mapping):
        raise ArgumentError(
            f"policy must be a name or a Policy class, or (that, options), got {policy!r}"
        )
    cls: type[Policy] = registry[name] if isinstance(name, str) else name
    cls.check_options(options)
    return cls, {option: _plain(value) for option, value in options.items()}


def _plain(value: Any) -> Any:
    """Arrays and numpy numbers as lists and numbers, so that a trace can be saved."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def described(policy: str, options: Mapping[str, Any]) -> str:
    """Name and options of a policy, for legends and tables."""
    inside = ", ".join(f"{key}={_short(value)}" for key, value in options.items())
    return f"{policy} ({inside})" if inside else policy


def _short(value: Any) -> str:
    """A long power of ten as one."""
    digits = str(value)
    power = isinstance(value, int) and len(digits) > 5 and digits == "1" + "0" * (len(digits) - 1)
    return f"10^{len(digits) - 1}" if power else digits


def renamed(
    options: Mapping[str, Any], item_options: Iterable[str], order: NDArray[np.int64]
) -> dict[str, Any]:
    """Options with the click model's items under the names they have in one game."""
    name_of = np.argsort(order)
    here = dict(options)
    for option in item_options:
        # What is not a list of items is left to the policy to refuse.
        if isinstance(here.get(option), Iterable) and not isinstance(here[option], str | bytes):
            items = arguments.item_ids(here[option], option)
            valid = [
                arguments.integer(option, item, 0, len(order) - 1, "n_items-1=") for item in items
            ]
            here[option] = name_of[valid].tolist()
    return here
