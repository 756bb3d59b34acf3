"""How a policy is asked for: by name, by class or as "module:Class", alone or with options."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError
from unirank.policies.base.facts import registry
from unirank.policies.base.kernels import is_ours
from unirank.policies.base.options import Kind
from unirank.policies.base.policy import Policy, policy_classes
from unirank.registry import imported

PolicyName = str | type[Policy]
PolicySpec = PolicyName | tuple[PolicyName, Mapping[str, Any]]


def resolved(policy: PolicySpec) -> tuple[type[Policy], dict[str, Any]]:
    """Return the class and the options of a policy; the names of the options are checked."""
    pair: Any = policy if isinstance(policy, tuple | list) else (policy, {})
    name, options = pair if len(pair) == 2 else (None, {})
    if not isinstance(name, str | type) or not isinstance(options, Mapping):
        raise ArgumentError(
            f"policy must be a name or a Policy class, or (that, options), got {policy!r}"
        )
    cls = policy_class(name)
    cls.check_options(options)
    return cls, {option: _plain(value) for option, value in options.items()}


def as_data(cls: type[Policy], options: Mapping[str, Any]) -> Any:
    """Return a policy as plain data that `resolved` reads: its name, or that with its options."""
    named = own_class_path(cls) or cls.name
    return [named, dict(options)] if options else named


POLICY = Kind(
    lambda name, value: as_data(*resolved(value)), example=lambda items, n_positions: "unirank"
)
PolicyOption = Annotated[Any, POLICY]  # an option that is itself a policy, with options of its own


def policies_in(
    cls: type[Policy], options: Mapping[str, Any]
) -> Iterator[tuple[str, type[Policy], dict[str, Any]]]:
    """Options of a policy that are policies themselves: name, class and options of each."""
    for name, option in cls.declared.items():
        if option.kind is POLICY and name in options:
            yield name, *resolved(options[name])


def policy_class(name: PolicyName) -> type[Policy]:
    """Return the class that a registered name, "module:Class" or the class itself stands for."""
    if isinstance(name, str) and ":" not in name:
        return registry[name]
    cls: Any = imported(name) if isinstance(name, str) else name
    if not (isinstance(cls, type) and issubclass(cls, Policy)):
        raise ArgumentError(f"policy must be a name or a Policy class, got {name!r}")
    return cls


def class_named(name: str, module: str) -> type[Policy]:
    """Return the registered class of this name, or that of `module`, or the only one."""
    try:
        return registry[name]
    except UnknownNameError as error:
        named = [cls for cls in policy_classes() if cls.name == name]
        there = [cls for cls in named if cls.__module__ == module]
        # A class that was defined again, as in a notebook, replaces the one before.
        own = {f"{cls.__module__}.{cls.__qualname__}": cls for cls in there or named}
        if len(own) == 1:
            return next(iter(own.values()))
        if own:
            raise ArgumentError(
                f"policy {name!r} is the name of several classes: {sorted(own)}"
            ) from None
        raise ArgumentError(f"{error}; import the module that defines it before loading") from None


def class_path(cls: type[Any]) -> str:
    """Where another process finds a policy or click model: "module:Class"."""
    return f"{cls.__module__}:{cls.__qualname__}"


def own_class_path(cls: type[Any]) -> str:
    """As `class_path` for a class of the user's own; "" for ours, whose names are known."""
    return "" if is_ours(cls) else class_path(cls)


def _plain(value: Any) -> Any:
    """Return arrays and numpy numbers as lists and numbers, so that a trace can be saved."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def described(policy: str, options: Mapping[str, Any]) -> str:
    """Return name and options of a policy, for legends and tables."""
    inside = ", ".join(f"{key}={_short(value)}" for key, value in options.items())
    return f"{policy} ({inside})" if inside else policy


def _short(value: Any) -> str:
    """Write a long power of ten as 10^n."""
    digits = str(value)
    power = isinstance(value, int) and len(digits) > 5 and digits == "1" + "0" * (len(digits) - 1)
    return f"10^{len(digits) - 1}" if power else digits


def in_game(
    cls: type[Policy], options: Mapping[str, Any], order: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the options as they read in a game in which item n is the click model's order[n].

    Lists of items have their numbers in the game; numbers for each item, or for each pair of items,
    stand in its order. So do the options of a policy that is itself an option.
    """
    declared = {name: option for name, option in cls.declared.items() if name in options}
    numbers = {name: o.reordered(options[name], order) for name, o in declared.items()}
    here = renamed({**options, **numbers}, (*cls.item_options, "start"), order)
    for name, inner, given in policies_in(cls, options):
        here[name] = as_data(inner, in_game(inner, given, order))
    return here


def renamed(
    options: Mapping[str, Any], item_options: Iterable[str], order: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the options with the click model's items under their numbers in one game."""
    name_of = np.argsort(order)
    here = dict(options)
    for option in item_options:
        # The policy raises the error for a value that is not a list of items.
        if isinstance(here.get(option), Iterable) and not isinstance(here[option], str | bytes):
            items = arguments.item_ids(here[option], option)
            valid = [
                arguments.integer(option, item, 0, len(order) - 1, "n_items-1=") for item in items
            ]
            here[option] = name_of[valid].tolist()
    return here
