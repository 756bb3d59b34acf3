"""From a state file back to the policy that wrote it, whichever it is."""

from os import PathLike

from unirank.errors import ArgumentError, StateFileError
from unirank.policies.base.policy import Policy, registry
from unirank.policies.base.reordered import Reordered
from unirank.policies.base.state_file import read_state_file


def load(path: str | PathLike[str]) -> Policy | Reordered:
    """Read what `save` of a policy wrote; it continues exactly where it was."""
    saved = read_state_file(path)
    try:
        policy = registry[saved.policy].from_saved(saved)
        return Reordered(policy, saved.position_order) if saved.position_order else policy
    except (ArgumentError, TypeError, ValueError, MemoryError) as error:
        raise StateFileError(f"{str(path)!r} is not a valid state: {error}") from None
