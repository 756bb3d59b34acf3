"""What a program calls of a policy whose rounds the library keeps: `rank`, `update`, `save`, ...

Each method is a thin call: the rounds do the work (`unirank/page/rounds.py`). This room lies below
`page` and imports nothing from it, so the class of the rounds is put in by `unirank/page`.

A policy gets its rounds in its constructor: a bad `max_pending` is refused at once, and two threads
that use a new policy find one lock. `without_rounds()` gives a copy that has none; it costs the
service, which numbers rounds itself, neither a lock nor a table.
"""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Self

from unirank.errors import ArgumentError
from unirank.policies.base.facts import require_fact
from unirank.policies.base.options import ItemId
from unirank.policies.base.ranking import Ranking

if TYPE_CHECKING:
    from unirank.page.rounds import Rounds
    from unirank.page.state_file import SavedPolicy
    from unirank.policies.base.policy import Policy

MAX_PENDING = 100_000


class OnPage:
    """A policy in a program: it gives lists, and learns from their clicks when these come."""

    _rounds_class: ClassVar[type["Rounds"]]  # put in by `unirank/page/__init__.py`
    _rounds: "Rounds | None"

    def _begin_rounds(self, max_pending: int, token_key: str | bytes | None) -> "Rounds":
        policy: Any = self
        self._rounds = self._rounds_class(policy, max_pending, token_key)
        return self._rounds

    def _on_page(self) -> "Rounds":
        """Its rounds; a copy without rounds gets new ones."""
        return self._rounds or self._begin_rounds(MAX_PENDING, None)

    def rank(self, available: Iterable[ItemId] | None = None) -> Ranking:
        """Choose the ranking of the next round, from all items or from those `available` now.

        Among some items the policy chooses as if there were no others: nothing is filtered from a
        finished list, so `propensity` is that of the choice made. What such a round teaches counts
        like that of any other.

        Parameters
        ----------
        available
            Ids of the items that can be shown now, at least n_positions of them; by default all
            that were not removed.

        Returns
        -------
        Ranking
            The list, with its round, token and propensity.
        """
        return (self._rounds or self._on_page()).rank(available)

    def rank_many(self, n: int) -> Sequence[Ranking]:
        """Choose the rankings of the next n rounds: those that n calls of `rank` would give.

        For pages that are prepared ahead. All are chosen before any click on one of them is known.
        A compiled policy takes a fraction of the time of n calls, unless items were removed; tokens
        and ids are made when asked for.

        Parameters
        ----------
        n
            How many rankings; at most max_pending, so that each can be answered.

        Returns
        -------
        sequence of Ranking
            Those of the next n rounds.
        """
        return self._on_page().rank_many(n)

    def update(
        self,
        shown: Ranking | str | int,
        clicks: Iterable[ItemId] | None = None,
        *,
        rewards: Mapping[ItemId, float] | None = None,
    ) -> None:
        """Learn from the clicks on a ranking, its token or its round number, in any order.

        Each round can be answered once. A token is learnt from by any copy of the policy, whichever
        process gave it.

        Parameters
        ----------
        shown
            What `rank` gave, or its token, or its round number.
        clicks
            Ids of the items that were clicked; [] if none was.
        rewards
            Graded feedback in place of clicks, {id: number in [0, 1]}: each is rounded to a click
            with that probability, which keeps every guarantee. Items left out have 0.
        """
        (self._rounds or self._on_page()).update(shown, clicks, rewards)

    def click(self, shown: Ranking | str | int, item: ItemId) -> None:
        """Note one click on a ranking, its token or its round; `close` or `update` learns from it.

        Only the copy of the policy that gave the ranking, or was loaded since, can do this.

        Parameters
        ----------
        shown
            What `rank` gave, or its token, or its round number.
        item
            The id of the item that was clicked.
        """
        self._on_page().click(shown, item)

    def close(self, older_than: float = 0.0) -> int:
        """Learn from the rounds given `older_than` seconds ago or earlier.

        The clicks that `click` noted count; rounds without any count as seen and not clicked.

        Parameters
        ----------
        older_than
            Age of the youngest round to close, in seconds.

        Returns
        -------
        int
            How many rounds were closed.
        """
        return self._on_page().close(older_than)

    def merge(self, other: "Policy") -> None:
        """Add what another copy of this policy learnt since the two parted: each round once.

        Both descend from one policy, by files, copies or forks. Afterwards this one knows what both
        learnt and refuses tokens that either has answered; `other` stays as it is. Merge each copy
        once, then go on with copies of the merged policy. A token that was answered in both counts
        twice.

        Parameters
        ----------
        other
            A copy of this policy that has learnt apart.
        """
        cls: Any = type(self)
        require_fact(cls, "merge", "merge")
        self._on_page().merge(other)

    @property
    def round(self) -> int:
        return 0 if self._rounds is None else self._rounds.round

    @round.setter
    def round(self, number: int) -> None:
        raise ArgumentError(
            f"round must not be assigned, got {number!r}: it is the number of the last round given"
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything needed to continue, atomically; read it back with `unirank.load`.

        Parameters
        ----------
        path
            The file to write.
        """
        self._on_page().save(path)

    def to_saved(self) -> "SavedPolicy":
        """Everything needed to continue, as plain data."""
        return self._on_page().to_saved()

    @classmethod
    def from_saved(cls, saved: "SavedPolicy", token_key: str | bytes | None = None) -> Self:
        """Inverse of `to_saved`; an ArgumentError says what does not fit."""
        return cls._rounds_class.from_saved(cls, saved, token_key)

    def __copy__(self) -> Self:
        """A copy with a state of its own: it begins an epoch of its own, as a loaded one does."""
        policy: Any = self
        return policy.without_rounds() if self._rounds is None else self._rounds.copied_policy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        policy: Any = self
        if self._rounds is None:
            return policy.from_snapshot, (policy.to_snapshot(),)
        return self.from_saved, (self.to_saved(),)
