"""What a policy may define besides its kernels: methods that the classes of `base` and `page` call.

`Policy` derives from `PolicyHooks`. Each method stands here once, with its default.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.kept_state import KeptState
from unirank.policies.base.sums import summed

if TYPE_CHECKING:
    from unirank.policies.base.policy import Policy


class PolicyHooks:
    """The methods that a subclass of `Policy` overrides where the default does not fit."""

    state: Any

    # Its options and its state.

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Check options against each other and the page; return those to keep."""
        return options

    def initial_state(self) -> Any:
        """The state before the first round."""
        raise NotImplementedError(f"{type(self).__name__} must define initial_state()")

    def begin_with(self, order: NDArray[np.int64], trust: int) -> None:
        """Put evidence for this order of (some) item numbers into the initial state.

        It is worth `trust` comparisons of each pair. For policies with the fact `start`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define begin_with()")

    def grow(self) -> None:
        """Replace the state by an equal one with more room; called when `full` says so."""

    def extend_state(self) -> None:
        """Make room in the state for the last item, which is new; the rest stays as it is.

        For policies with the fact `catalogue`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define extend_state()")

    # Whom it serves.

    def for_contexts(
        self, contexts: Sequence[Mapping[str, str]]
    ) -> "list[tuple[Policy, list[int]]]":
        """Return the policies that serve visitors of these contexts, each with those it serves.

        By default this one serves all. A policy whose lists depend on the context learns here what
        the numbers mean that its kernel `meet` is given.

        Parameters
        ----------
        contexts
            What can be known of a visitor, each once: factors with their levels.
        """
        policy: Any = self
        return [(policy, list(range(len(contexts))))]

    # What a round needs to be learnt from later.

    def memory_room(self) -> int:
        """Bytes that the kernel `remember` may need; 0 if `remember` is the method below."""
        return 0

    def remember(self) -> bytes:
        """Return what `update` needs, besides the ranking, to learn from the last round."""
        return b""

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        """Put back into the state what `remember` took from it."""

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        """Whether `remember` could have made this memory; asked of files, which can be hostile."""
        return memory == b""

    def check_memories(self, rankings: NDArray[np.int64], memory: bytes) -> bool:
        """Whether `check_memory` holds for each of these rankings, a row each."""
        return all(self.check_memory(ranking, memory) for ranking in rankings)

    def upgrade_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bytes | None:
        """Return the memory of a round that a state file of version 1 holds; None: it is wrong."""
        return memory if self.check_memory(ranking, memory) else None

    # Rounds among some of the items.

    def restricted_state(self, numbers: NDArray[np.int64]) -> Any:
        """The state as if there were only these items: item n of it is item numbers[n].

        For policies with the fact `availability`. The kernels of the policy rank with it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define restricted_state()")

    def leave_restricted(self, restricted: Any, numbers: NDArray[np.int64]) -> bytes:
        """Count the round that a restricted state has just ranked; return its memory."""
        return b""

    def renew_kept(self, kept: KeptState) -> bool:
        """Bring a kept state up to date; return False if it must be made again.

        Policies with `kept_pairs` override this method and `teach_kept`.
        """
        return False

    def teach_kept(self, kept: KeptState) -> None:
        """Apply the last `update` to a kept state, too."""

    # What was learnt, in files and copies.

    def statistics(self) -> dict[str, NDArray[Any]]:
        """What was learnt, as named arrays: all that a state file needs.

        By default the whole state. Leave out scratch and whatever follows from the rest, above all
        indices, which a forged file could set to anything.
        """
        fields = self.state._asdict().items()
        return {name: array for name, array in fields if isinstance(array, np.ndarray)}

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        """Continue from saved statistics; their names and types are checked already."""
        for name, array in self.statistics().items():
            if array.shape != statistics[name].shape:
                raise ArgumentError(f"{name} must have shape {array.shape}")
            array[...] = statistics[name]

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        """The statistics with those of another copy, which began at the common ones, added.

        For policies with the fact `merge`.
        """
        mine = self.statistics()
        return {name: summed(name, mine[name], theirs[name], common[name]) for name in mine}
