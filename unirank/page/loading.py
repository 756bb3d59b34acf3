"""From a state file back to the policy that wrote it."""

from os import PathLike

from unirank import arguments
from unirank.errors import ArgumentError, StateFileError
from unirank.page.state_file import LARGEST, SavedPolicy, read_state_file
from unirank.policies.base.policy import Policy
from unirank.policies.base.specs import class_named


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
    cls = class_named(saved.policy, saved.module)
    needed = cls.memory_needed(len(saved.items), saved.n_positions)
    if needed > largest:
        raise ArgumentError(f"it needs about {needed} bytes, more than {largest}{remedy}")
    return cls
