"""The explanation that a figure draws; a policy whose explanation lacks it is refused."""

from typing import Any

from unirank.errors import ArgumentError
from unirank.policies import Policy
from unirank.policies.base.explanation import Explanation, lacking


def explained(policy: Any, part: str) -> tuple[Explanation, Any]:
    """Return the explanation of a policy, and the part of it that a figure cannot do without."""
    if not isinstance(policy, Policy):
        raise ArgumentError(f"policy must be a policy, got {policy!r:.80}")
    found = policy.explanation()
    needed = getattr(found, part)
    if needed is None:
        raise ArgumentError(
            f"policy must explain what this figure draws, got {policy!r:.80}: "
            f"{lacking(type(policy).__name__, part)}, UniRank for one does"
        )
    return found, needed
