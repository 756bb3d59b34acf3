"""From a state file back to the policy that wrote it."""

from os import PathLike

from unirank.errors import ArgumentError, StateFileError, UnknownNameError
from unirank.policies.base.facts import registry
from unirank.policies.base.policy import Policy, policy_classes
from unirank.policies.base.state_file import read_state_file


def load(path: str | PathLike[str]) -> Policy:
    """Read what `save` of a policy wrote; it continues exactly where it was.

    A class of your own must be imported before: a file never makes us import anything.
    """
    saved = read_state_file(path)
    try:
        return _class_named(saved.policy).from_saved(saved)
    except (ArgumentError, TypeError, ValueError, MemoryError) as error:
        raise StateFileError(f"{str(path)!r} is not a valid state: {error}") from None


def _class_named(name: str) -> type[Policy]:
    """The registered class of this name, or the class of the user's own that has it."""
    try:
        return registry[name]
    except UnknownNameError as error:
        own = {  # a class that was defined again, as in a notebook, replaces the one before
            f"{cls.__module__}.{cls.__qualname__}": cls
            for cls in policy_classes()
            if cls.name == name
        }
        if len(own) == 1:
            return next(iter(own.values()))
        if own:
            raise ArgumentError(
                f"policy {name!r} is the name of several classes: {sorted(own)}"
            ) from None
        raise ArgumentError(f"{error}; import the module that defines it before loading") from None
