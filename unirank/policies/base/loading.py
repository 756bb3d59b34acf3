"""From a state file back to the policy that wrote it."""

from os import PathLike

from unirank import arguments
from unirank.errors import ArgumentError, StateFileError, UnknownNameError
from unirank.policies.base.facts import registry
from unirank.policies.base.policy import Policy, policy_classes
from unirank.policies.base.state_file import LARGEST, SavedPolicy, read_state_file


def load(
    path: str | PathLike[str], *, token_key: str | bytes | None = None, largest: int = LARGEST
) -> Policy:
    """Read what `save` of a policy wrote; it continues exactly where it was.

    A policy that was given a seed shows the same lists as the original would; one that drew its
    seed draws another, so that processes which load one file do not explore in lockstep.

    A class of your own must be imported before: a file never makes us import anything.

    Parameters
    ----------
    path
        The file.
    token_key
        The secret with which the original signed its tokens, if it did.
    largest
        A file, or a policy, of more bytes than this is refused: whoever can write the file could
        otherwise fill the memory.

    Returns
    -------
    Policy
        Of the class that was saved.
    """
    saved = read_state_file(path, arguments.integer("largest", largest, 1))
    try:
        return class_of(saved, largest, ": pass a larger largest= if you trust it").from_saved(
            saved, token_key
        )
    except (ArgumentError, TypeError, ValueError, MemoryError) as error:
        raise StateFileError(f"{str(path)!r} is not a valid state: {error}") from None


def class_of(saved: SavedPolicy, largest: int, remedy: str = "") -> type[Policy]:
    """Return the class of a saved policy; raise if the policy would take more than `largest`."""
    cls = _class_named(saved.policy, saved.module)
    needed = cls.memory_needed(len(saved.items), saved.n_positions)
    if needed > largest:
        raise ArgumentError(f"it needs about {needed} bytes, more than {largest}{remedy}")
    return cls


def _class_named(name: str, module: str) -> type[Policy]:
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
