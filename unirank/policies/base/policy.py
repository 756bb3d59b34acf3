"""The policy object: it speaks in item ids, remembers unanswered rounds, and saves its state.

A policy is a state and a few functions of it (`base/kernels.py`). A subclass declares its options
as annotated attributes (`base/options.py`), names its functions in `kernels`, and says how the
state starts. The functions are compiled; `PlainPolicy` is for functions in ordinary Python.
"""

import inspect
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from os import PathLike
from secrets import randbits
from threading import RLock
from time import time
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError, UnknownNameError
from unirank.policies.base.answered_elsewhere import AnsweredElsewhere
from unirank.policies.base.batch import Rankings, choose
from unirank.policies.base.facts import Facts, require_fact
from unirank.policies.base.half_life import checked_half_life
from unirank.policies.base.kept_state import KeptState
from unirank.policies.base.kernels import (
    PolicyKernels,
    is_ours,
    remember_in_python,
    server_for,
)
from unirank.policies.base.lineage import Forks, Lineage
from unirank.policies.base.merging import Learning, Point, check_alike, merge_into, summed
from unirank.policies.base.options import ItemId, Option, declared_options
from unirank.policies.base.ranking import Ranking, given_ranking
from unirank.policies.base.rewards import checked_rewards, rounded
from unirank.policies.base.saved_rounds import from_saved_rounds, from_version_1, to_saved_rounds
from unirank.policies.base.start_order import checked_start
from unirank.policies.base.state_file import (
    SavedPoint,
    SavedPolicy,
    from_saved_array,
    to_saved_array,
    write_payload,
)
from unirank.policies.base.token import Token, unsealed
from unirank.policies.base.unanswered import UnansweredRounds
from unirank.policies.kernels.randomness import LARGEST_ROUND, POLICY, stream_key

MAX_PENDING = 100_000
SHARED_OPTIONS = ("max_pending", "position_order")  # options of every policy, besides the seed
NEEDED_FACTS = {"start": "start", "trust": "start", "half_life": "forgetting"}  # by option
TAKEN = {
    *("items", "n_items", "n_positions", "seed", "options", "round", "state", "token_key"),
    "context",  # of a plain policy: the visitor of the round
    *SHARED_OPTIONS,
    *NEEDED_FACTS,
}
MOST_IDS_SHOWN = 4  # in a repr


class Policy:
    """Ranks items and learns from clicks. Threads may share it: they wait for each other.

    Parameters
    ----------
    items
        How many, or a list of ids (texts or integers).
    n_positions
        How many of them a page shows.
    seed
        Makes the rankings reproducible; by default a fresh one for each copy, so that two pages,
        or two processes that loaded one file, differ.
    max_pending
        Unanswered rounds to remember; the oldest are forgotten.
    position_order
        Places of the page from the most to the least examined, where the first place is not the
        most examined one; [1, 0] if the second is.
    token_key
        A secret with which tokens are signed; all copies of the policy need the same. It is never
        saved.
    start
        The order to begin with, best item first: all items, or only the first ones; those left out
        come behind them, in no order. It is evidence like that of clicks: a wrong one is learnt.
        For policies that can; `unirank list policies` says which. So are the next two.
    trust
        How many comparisons of each pair of items `start` is worth, 20 by default. More makes the
        first lists more like `start`, and a wrong one longer to overcome.
    half_life
        Rounds after which what was learnt counts half, for tastes that change. By default nothing
        is forgotten.
    options
        The options of the policy's own.

    Attributes
    ----------
    items : tuple of item ids
        All items, those that were removed included.
    n_items : int
        How many these are.
    round : int
        The number of the last round given.
    options : dict of str to any value
        The options of its own, with their values.
    """

    name: ClassVar[str]
    facts: ClassVar[Facts] = Facts()
    kernels: ClassVar[PolicyKernels]
    declared: ClassVar[dict[str, Option]] = {}  # the options, by name
    item_options: ClassVar[tuple[str, ...]] = ()  # those that are lists of items
    pair_bytes: ClassVar[int] = 0  # of the state, for each pair of items
    kept_pairs: ClassVar[str] = ""  # table of the state with which a restricted one is kept
    __signature__: ClassVar[inspect.Signature]

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "__init__" in vars(cls):
            raise TypeError(
                f"{cls.__name__} must not define __init__: declare options as annotated attributes "
                "(depth: int = 3) and build the state in initial_state(), or start() of a "
                "PlainPolicy; what __init__ keeps on self would be lost by save()"
            )
        if "name" not in vars(cls):
            cls.name = cls.__name__
        cls.declared = declared_options(cls, cls.declared)
        for name, option in cls.declared.items():
            if hasattr(Policy, name) or name in TAKEN:
                raise TypeError(f"{cls.__name__} must not call an option {name!r}: it is taken")
            setattr(cls, name, option)
        cls.item_options = tuple(n for n, o in cls.declared.items() if o.kind.holds_items)
        cls.__signature__ = _signature(cls)

    def __init__(
        self,
        items: int | Iterable[ItemId],
        n_positions: int,
        *,
        seed: int | None = None,
        max_pending: int = MAX_PENDING,
        position_order: Iterable[int] | None = None,
        token_key: str | bytes | None = None,
        start: Iterable[ItemId] | None = None,
        trust: int | None = None,
        half_life: float | None = None,
        **options: Any,
    ) -> None:
        self.check_options(options)
        self._lock = RLock()
        n_items = items if isinstance(items, int) else arguments.size_of(items)
        if 0 < n_items <= arguments.LARGEST:  # before the ids take memory
            self._check_memory_needed(n_items, n_positions)
        self.items = arguments.item_ids(items)
        self.n_items = len(self.items)
        self.n_positions = arguments.integer(
            "n_positions", n_positions, 1, self.n_items, "n_items="
        )
        self._check_memory_needed(self.n_items, self.n_positions)
        self._seed_was_drawn = seed is None
        self.seed = fresh_seed() if seed is None else arguments.seed(seed)
        self.position_order = _position_order(position_order, self.n_positions)
        given = {name: options.get(name, option.default) for name, option in self.declared.items()}
        checked = {name: self.declared[name].checked(value) for name, value in given.items()}
        self.options: dict[str, Any] = self.settled_options(checked)
        self.round = 0  # the last round given
        most = arguments.integer("max_pending", max_pending, 1)
        self._pending = UnansweredRounds(most, self.n_items, self.n_positions)
        self._elsewhere = AnsweredElsewhere()
        self._lineage = Lineage(_token_key(token_key))
        self._made_in = Forks.count
        self._learning = Learning()
        self._recalled = 0  # the round whose memory is in the state
        self._removed: set[int] = set()  # numbers of items that are no longer there
        self._left: NDArray[np.int64] | None = None  # numbers of the others, once asked for
        self._kept: KeptState | None = None  # the last state among many, not all, items
        self._index = {item: index for index, item in enumerate(self.items)}
        self._key = stream_key(self.seed, 0, POLICY)
        self._ranking = np.empty(self.n_positions, np.int64)
        self._answered = np.empty(self.n_positions, np.int64)
        self._clicks = np.zeros(self.n_positions, np.bool_)
        self._memory = self._room_for_memory()
        self._serve = server_for(type(self))
        self._serve_many: Any = None  # once it is asked for
        for option, value in {"start": start, "trust": trust, "half_life": half_life}.items():
            if value is not None:
                require_fact(type(self), NEEDED_FACTS[option], f"use {option}")
        self.half_life = checked_half_life(half_life)
        order, worth = checked_start(start, trust, self._index)
        try:
            self.state: Any = self.initial_state()
        except MemoryError:
            raise ArgumentError(
                f"items must fit in memory, got {self.n_items} for {self.name}"
            ) from None
        if len(order):
            self.begin_with(order, worth)

    # What a subclass provides.

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
        return [(self, list(range(len(contexts))))]

    def memory_room(self) -> int:
        """Bytes that the kernel `remember` may need; 0 if `remember` is the method below."""
        return 0

    def _room_for_memory(self) -> NDArray[np.uint8]:
        """Such room, in whole numbers of 8 bytes."""
        return np.zeros((self.memory_room() + 7) // 8, np.uint64).view(np.uint8)

    def remember(self) -> bytes:
        """Return what `update` needs, besides the ranking, to learn from the last round."""
        return b""

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        """Put back into the state what `remember` took from it."""

    def extend_state(self) -> None:
        """Make room in the state for the last item, which is new; the rest stays as it is.

        For policies with the fact `catalogue`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define extend_state()")

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

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        """Whether `remember` could have made this memory; asked of files, which can be hostile."""
        return memory == b""

    def check_memories(self, rankings: NDArray[np.int64], memory: bytes) -> bool:
        """Whether `check_memory` holds for each of these rankings, a row each."""
        return all(self.check_memory(ranking, memory) for ranking in rankings)

    def upgrade_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bytes | None:
        """Return the memory of a round that a state file of version 1 holds; None: it is wrong."""
        return memory if self.check_memory(ranking, memory) else None

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        """The statistics with those of another copy, which began at the common ones, added.

        For policies with the fact `merge`.
        """
        mine = self.statistics()
        return {name: summed(name, mine[name], theirs[name], common[name]) for name in mine}

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

    @classmethod
    def example_options(cls, items: tuple[ItemId, ...], n_positions: int) -> dict[str, Any]:
        """Options with which the contract is checked: at least those that are needed."""
        return {
            name: option.kind.example(items, n_positions)
            for name, option in cls.declared.items()
            if option.needed and option.kind.example
        }

    @classmethod
    def memory_needed(cls, n_items: int, n_positions: int) -> int:
        """Bytes of such a policy, roughly, and rather too many than too few."""
        return n_items * (300 + 150 * n_positions) + cls.pair_bytes * n_items**2

    def _check_memory_needed(self, n_items: int, n_positions: int) -> None:
        n_shown = min(n_positions, n_items) if isinstance(n_positions, int) else 1
        needed = self.memory_needed(n_items, n_shown)
        if needed > (there := memory_there()):
            raise ArgumentError(
                f"items must fit in memory: {n_items} items of {self.name} need about "
                f"{needed / 1e9:.0f} GB, this machine has {there / 1e9:.0f} GB"
            )

    # What a user calls.

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
        with self._lock:
            numbers = None if available is None and not self._removed else self._choice(available)
            number = self.round + 1
            if self._lineage.process != Forks.count:
                self._begin_epoch(number)
            shown = self._chosen(number, numbers)
            self.round, self._recalled = number, number if numbers is None else 0
            _, ranking, memory = shown._given
            self._pending.add(number, ranking, memory)
            return shown

    def rank_at(self, number: int, available: Iterable[ItemId] | None = None) -> Ranking:
        """Choose a ranking with the random numbers of a round that the caller numbers.

        For callers that keep the rounds themselves: it is not remembered as unanswered, and `learn`
        takes the answer. Whoever uses each number once, in any process, never draws the same twice.
        """
        with self._lock:
            numbers = None if available is None and not self._removed else self._choice(available)
            self._recalled = 0
            return self._chosen(number, numbers)

    def _chosen(self, number: int, numbers: NDArray[np.int64] | None) -> Ranking:
        """The ranking of a round, from all items or from those of these numbers."""
        ranking, room = self._ranking, self._memory
        if numbers is not None:
            chance, memory = self._serve_restricted(number, numbers)
        else:
            chance, size = self._serve(self.state, self._key, number, ranking, room)
            if chance < 0:
                self.grow()
                chance, size = self._serve(self.state, self._key, number, ranking, room)
            memory = room[:size].tobytes() if size >= 0 else self.remember()
        given = self._lineage.seal, ranking.tobytes(), memory
        return given_ranking(self._page(ranking), number, chance, given)

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
        with self._lock:
            n = arguments.integer("n", n, 1, self._pending.most, "max_pending=")
            if self._removed or not self._is_compiled_whole():
                return [self.rank() for _ in range(n)]
            first = self.round + 1
            if self._lineage.process != Forks.count:
                self._begin_epoch(first)
            chosen = choose(self, n)
            self._ranking[:] = chosen.rankings[-1]
            self.round = self._recalled = self.round + n
            self._pending.add_many(chosen.rankings, chosen.memories)
            return Rankings(chosen, first, self._lineage.seal, self._page)

    def _is_compiled_whole(self) -> bool:
        """Whether compiled code does all of a round, its memory included."""
        in_python = self.kernels.remember is remember_in_python
        return self.kernels.compiled and not (
            in_python and type(self).remember is not Policy.remember
        )

    def add(self, item: ItemId) -> None:
        """Let an item take part from now on: a new one, or one that was removed.

        Nothing is forgotten. A removed item comes back with what was learnt of it. A new one gets
        the next number; numbers are never used again. UniRank places it behind every item that has
        ever won a comparison, by one win, and so meets it as a neighbour of its leader; TopRank
        compares it with the first block.

        Parameters
        ----------
        item
            The id of an item that is new, or that was removed.
        """
        require_fact(type(self), "catalogue", "add items")
        (new,) = arguments.item_ids([item], "item")
        with self._lock:
            number = self._index.get(new)
            if number in self._removed:
                self._removed.remove(number)
                self._left = self._kept = None
                return
            if number is not None:
                raise ArgumentError(f"item must be new, got {new!r}, which is there already")
            self._check_memory_needed(self.n_items + 1, self.n_positions)
            self._learn_apart_after_fork()
            self._left = self._kept = None
            self._index[new] = self.n_items
            self.items = (*self.items, new)
            self.n_items += 1
            self.extend_state()
            self._recalled = 0  # the state no longer holds the last round
            self._learning.n_changes += 1
            self._memory = self._room_for_memory()
            self._pending.allow_items(self.n_items)

    def remove(self, item: ItemId) -> None:
        """Show an item no more, until it is added again; answers of earlier rounds still count.

        Parameters
        ----------
        item
            The id of an item that is there.
        """
        require_fact(type(self), "catalogue", "remove items")
        with self._lock:
            (number,) = self._numbers("remove", [item])
            if number in self._removed:
                raise ArgumentError(f"item must be there, got {item!r}, which was removed")
            if self.n_items - len(self._removed) == self.n_positions:
                raise ArgumentError(
                    f"item must not be one of the last n_positions={self.n_positions}, got "
                    f"{item!r}: add another item first"
                )
            self._removed.add(number)
            self._left = None

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
        require_fact(type(self), "merge", "merge")
        check_alike(self, other)
        with other._lock:  # one lock at a time: two threads may merge both ways
            snapshot, points = copy(other), other._learning.points
        with self._lock:
            self._learn_apart_after_fork()
            merge_into(self, snapshot, points)
            self._recalled = 0

    def _learn_apart_after_fork(self) -> None:
        if self._learning.process != Forks.count:
            point = Point(self._learning.known(self.round), deepcopy(self.statistics()))
            self._learning.begin(point, self.round)

    def _replace_statistics(self, statistics: dict[str, Any]) -> None:
        self.restore(statistics)

    @property
    def removed(self) -> tuple[ItemId, ...]:
        """Ids of the items that were removed; `items` still has them, by number."""
        return tuple(self.items[number] for number in sorted(self._removed))

    def _choice(self, available: Iterable[ItemId] | None) -> NDArray[np.int64] | None:
        """Numbers of the items to choose from, ascending; None if these are all."""
        if available is None:
            return self._not_removed()
        require_fact(type(self), "availability", "choose among available items")
        numbers = self._numbers("available", available) - self._removed
        if len(numbers) < self.n_positions:
            raise ArgumentError(
                f"available must hold at least n_positions={self.n_positions} items, got "
                f"{len(numbers)}: this policy always fills {self.n_positions} positions; if so few "
                "items are there, show all of them without asking it, or make a policy with fewer "
                "positions"
            )
        return None if len(numbers) == self.n_items else np.array(sorted(numbers))

    def _not_removed(self) -> NDArray[np.int64] | None:
        if self._left is None and self._removed:
            self._left = np.array(sorted(set(range(self.n_items)) - self._removed))
        return self._left

    def _numbers(self, name: str, ids: Iterable[ItemId]) -> set[int]:
        """Numbers of items of the policy, removed ones included."""
        if not arguments.is_list(ids):
            raise ArgumentError(f"{name} must be a list of item ids, got {arguments.shown(ids)}")
        found = set()
        for item in ids:
            number = self._index_of(item)
            if number is None:
                raise UnknownNameError(f"item in {name}:", item, self.items)
            found.add(number)
        return found

    def _serve_restricted(self, number: int, numbers: NDArray[np.int64]) -> tuple[float, bytes]:
        """Write a ranking of some items; return its propensity and memory."""
        restricted = self._restricted(numbers)
        serving = restricted, self._key, number, self._ranking, self._memory
        chance, _ = self._serve(*serving)
        self._ranking[:] = numbers[self._ranking]
        return chance, self.leave_restricted(restricted, numbers)

    def _restricted(self, numbers: NDArray[np.int64]) -> Any:
        """`restricted_state`, the one that was kept if it is of these items."""
        kept = self._kept
        if kept is not None and kept.has(numbers):
            if kept.pairs is getattr(self.state, self.kept_pairs) and self.renew_kept(kept):
                return kept.state
            self._kept = None  # before another one takes memory
        restricted = self.restricted_state(numbers)
        if self.kept_pairs:
            pairs = getattr(self.state, self.kept_pairs)
            lasting = numbers is self._left
            kept = KeptState.of(restricted, numbers, self.n_items, pairs, lasting=lasting)
            self._kept = kept or self._kept
        return restricted

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
        with self._lock:
            found = self._unanswered(shown)
            if isinstance(found, Token):
                self._answered[:] = found.ranking
                self._set_answer(found.round, clicks, rewards)
                self._learn(found.memory)
                self._elsewhere.add(found.epoch, found.round)
                return
            number, ranking, memory = self._pending[found]
            self._answered[:] = ranking
            self._set_answer(number, clicks, rewards)
            if number != self._recalled:
                self.recall(self._answered, memory)
                self._recalled = number
            self._change()
            self._pending.remove(found)

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
        with self._lock:
            found = self._unanswered(shown)
            if isinstance(found, Token):
                raise ArgumentError(
                    f"click needs the copy that gave round {found.round}: where several processes "
                    "answer, collect the clicks and call update(token, clicks) once"
                )
            number, ranking, _ = self._pending[found]
            self._answered[:] = ranking
            self._set_clicks(self._answered.tolist(), [item], "item")
            clicked = self._pending.clicked.setdefault(number, set())
            clicked.update(self._answered[self._clicks].tolist())

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
        moment = time() - arguments.non_negative("older_than", older_than)
        with self._lock:
            numbers = self._pending.given_until(moment)
            for number in numbers:
                self.update(number, [])
            return len(numbers)

    def _unanswered(self, shown: Ranking | str | int) -> int | Token:
        """Row of a round that waits for its answer here, or what to learn from another copy's."""
        if isinstance(shown, Ranking) and hasattr(shown, "_given"):
            seal, numbers, memory = shown._given
            if seal is self._lineage.seal:
                return self._pending.find(shown.round)
            ranking = np.frombuffer(numbers, np.int64)
            return self._checked(Token(seal.policy, seal.epoch, shown.round, ranking, memory))
        if isinstance(shown, str):
            return self._checked(unsealed(shown, self._lineage.seal.key, self.n_positions))
        number = shown.round if isinstance(shown, Ranking) else shown
        row = self._pending.find(arguments.integer("round", number, 1, self.round, "last round="))
        if isinstance(shown, Ranking):
            given = self._page(self._pending[row][1])
            if tuple(shown.items) != given:
                raise ArgumentError(
                    f"shown must be a ranking this policy gave: round {number} was {given!r}, "
                    f"got {shown.items!r}"
                )
        return row

    def _checked(self, token: Token) -> int | Token:
        """Like `_unanswered`, of a token."""
        mine, number = self._lineage.seal, token.round
        if token.policy != mine.policy:
            raise ArgumentError(
                f"shown must be a ranking this policy gave: round {number} is of policy "
                f"{token.policy:016x}, this is {mine.policy:016x}"
            )
        if number <= self.round and self._lineage.epoch_of(number) == token.epoch:
            row = self._pending.find(number)
            _, ranking, memory = self._pending[row]
            if not np.array_equal(ranking, token.ranking) or memory != token.memory:
                raise ArgumentError(f"token must be unchanged: round {number} was another list")
            return row
        if token.epoch == mine.epoch:
            raise ArgumentError(f"round must be in 1..last round={self.round}, got {number}")
        self._elsewhere.check(token.epoch, number)
        if token.ranking.max() >= self.n_items or len(set(token.ranking.tolist())) < len(
            token.ranking
        ):
            raise ArgumentError("token must name different items of this policy")
        return token

    def learn(self, items: Iterable[ItemId], memory: bytes, clicks: Iterable[ItemId]) -> None:
        """Learn from one page, whoever gave it: `shown.items`, `shown.memory` and the clicks.

        This is what `update` does with an unanswered round. It knows nothing of rounds: the caller
        must see to it that each is learnt from once.

        Parameters
        ----------
        items
            The ids that were shown, in the order of the page.
        memory
            What came with them, `shown.memory`.
        clicks
            Ids of the items that were clicked.
        """
        page = arguments.plain_list("items", items)
        places = self.position_order or range(self.n_positions)
        found = [self._index_of(page[p]) for p in places] if len(page) == len(places) else []
        numbers = [number for number in found if number is not None]
        if len(set(numbers)) != self.n_positions:
            raise ArgumentError(
                f"items must be n_positions={self.n_positions} different items of this policy, "
                f"got {page!r:.80}"
            )
        with self._lock:
            self._answered[:] = numbers
            self._set_clicks(self._answered.tolist(), clicks)
            self._learn(memory)

    def _learn(self, memory: bytes) -> None:
        """Learn from the ranking in `_answered` with the clicks in `_clicks`."""
        if not isinstance(memory, bytes) or not self.check_memory(self._answered, memory):
            raise ArgumentError("memory must be the one that came with these items")
        self.recall(self._answered, memory)
        self._recalled = 0
        self._change()

    def _change(self) -> None:
        if self._learning.process != Forks.count:
            self._learn_apart_after_fork()
        self._learning.n_changes += 1
        self.kernels.update(self.state, self._answered, self._clicks)
        if self._kept is not None:
            if self._kept.pairs is getattr(self.state, self.kept_pairs):
                self.teach_kept(self._kept)
            else:
                self._kept = None

    def _begin_epoch(self, number: int) -> None:
        if self._seed_was_drawn and self._made_in != Forks.count:
            self.seed = fresh_seed()
            self._key = stream_key(self.seed, 0, POLICY)
        self._made_in = Forks.count
        self._learn_apart_after_fork()
        self._lineage.begin(number)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything needed to continue, atomically; read it back with `unirank.load`.

        Parameters
        ----------
        path
            The file to write.
        """
        with self._lock:
            payload = msgspec.msgpack.encode(self.to_saved(copy=False))
        write_payload(payload, path)

    def __copy__(self) -> Self:
        """A copy with a state of its own: it begins an epoch of its own, as a loaded one does."""
        with self._lock:
            return self.from_saved(self.to_saved(), self._lineage.seal.key or None)

    def serving_copy(self) -> Self:
        """A copy for `rank_at`, quickly made: it ranks as this policy does, and knows no rounds."""
        with self._lock:
            twin = object.__new__(type(self))
            vars(twin).update(vars(self))
            twin.state = _copied(self.state)
        twin._lock = RLock()
        for name in ("_ranking", "_answered", "_clicks", "_memory"):
            setattr(twin, name, getattr(self, name).copy())
        twin._removed, twin._index = set(self._removed), dict(self._index)
        twin._kept = None
        twin.round = twin._recalled = 0
        twin._pending = UnansweredRounds(1, self.n_items, self.n_positions)
        twin._elsewhere = AnsweredElsewhere()
        twin._lineage = Lineage(self._lineage.seal.key)
        twin._learning = Learning()
        return twin

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            return self.from_saved, (self.to_saved(),)

    def __repr__(self) -> str:
        ids = ", ".join(map(repr, self.items[:MOST_IDS_SHOWN]))
        more = f", ... {self.n_items} in all" if self.n_items > MOST_IDS_SHOWN else ""
        order = {"position_order": list(self.position_order)} if self.position_order else {}
        fading = {"half_life": self.half_life} if self.half_life is not None else {}
        options = "".join(f", {k}={v!r}" for k, v in {**self.options, **order, **fading}.items())
        return (
            f"{type(self).__name__}(items=[{ids}{more}], n_positions={self.n_positions}, "
            f"seed={self.seed}{options}, round={self.round})"
        )

    @property
    def last_ranking(self) -> list[int]:
        """Item indices of the last ranking, as the kernel wrote them: most examined place first."""
        return self._ranking.tolist()

    def _ids(self, ranking: NDArray[np.int64]) -> tuple[ItemId, ...]:
        return tuple(self.items[index] for index in ranking.tolist())

    def _page(self, ranking: NDArray[np.int64]) -> tuple[ItemId, ...]:
        """Ids of a ranking in the order of the page."""
        if self.position_order is None:
            return self._ids(ranking)
        standing = dict(zip(self.position_order, self._ids(ranking), strict=True))
        return tuple(standing[place] for place in range(self.n_positions))

    def _set_answer(
        self,
        number: int,
        clicks: Iterable[ItemId] | None,
        rewards: Mapping[ItemId, float] | None,
    ) -> None:
        """Set `_clicks` of the ranking in `_answered` to an answer to its round."""
        shown = self._answered.tolist()
        if rewards is None:
            self._set_clicks(shown, clicks)
            for item in self._pending.clicked.get(number, ()):
                self._clicks[shown.index(item)] = True
            return
        if clicks is not None:
            raise ArgumentError("update must be given clicks or rewards, got both")
        graded = checked_rewards(rewards)
        self._set_clicks(shown, graded, "rewards")
        numbers = [n for n in map(self._index_of, graded) if n is not None]  # all are shown
        clicked = rounded(dict(zip(numbers, graded.values(), strict=True)), self.seed, number)
        self._clicks[:] = [item in clicked for item in shown]

    def _set_clicks(
        self, shown: list[int], clicks: Iterable[ItemId] | None, name: str = "clicks"
    ) -> None:
        if isinstance(clicks, Mapping) and name == "clicks":
            raise ArgumentError(
                f"clicks must be a list of item ids, got {clicks!r:.60}: give graded feedback as "
                "rewards="
            )
        if not arguments.is_list(clicks):
            raise ArgumentError(f"clicks must be a list of item ids, got {arguments.shown(clicks)}")
        self._clicks[:] = False
        for item in clicks:
            index = self._index_of(item)
            if index not in shown:
                ids = [self.items[i] for i in shown]
                raise ArgumentError(f"{name} must be among the shown {ids!r}, got {item!r}")
            self._clicks[shown.index(index)] = True

    def _index_of(self, item: object) -> int | None:
        """Index of an id, which may be of another type, as a numpy integer; None if it is none."""
        if type(item) in (int, str):
            return self._index.get(item)  # type: ignore[call-overload]
        try:
            (item,) = arguments.item_ids([item])
        except ArgumentError:
            return None
        return self._index.get(item)

    # Options and files.

    @classmethod
    def option_names(cls, *, needed: bool = False) -> list[str]:
        """Names of the options, those of every policy included; or of those without a default."""
        own = [name for name, option in cls.declared.items() if option.needed or not needed]
        able = [name for name, fact in NEEDED_FACTS.items() if getattr(cls.facts, fact)]
        return own if needed else [*own, *able, *SHARED_OPTIONS]

    @classmethod
    def check_options(cls, options: Mapping[str, Any]) -> None:
        """Raise ArgumentError for unknown or missing options."""
        for option in options:
            if option in NEEDED_FACTS:
                require_fact(cls, NEEDED_FACTS[option], f"use {option}")
            arguments.choice(f"option of {cls.name}:", option, cls.option_names())
        needed = [name for name in cls.option_names(needed=True) if name not in options]
        if needed:
            example = ", ".join(f'"{name}": ...' for name in needed)
            raise ArgumentError(
                f"policy {cls.name!r} needs {', '.join(needed)}: "
                f'pass ("{cls.name}", {{{example}}}), '
                f"or on the command line {cls.name}({'=..., '.join(needed)}=...)"
            )

    def to_saved(self, *, copy: bool = True) -> SavedPolicy:
        """Everything needed to continue, as plain data; without a copy, a view of the arrays."""
        identity, epochs = self._lineage.to_plain()
        return SavedPolicy(
            policy=self.name,
            items=list(self.items),
            n_positions=self.n_positions,
            seed=self.seed,
            max_pending=self._pending.most,
            options=self.options,
            round=self.round,
            let_go=self._pending.let_go,
            unanswered=to_saved_rounds(self._pending),
            clicked=[(number, sorted(items)) for number, items in self._pending.clicked.items()],
            position_order=list(self.position_order or ()),
            half_life=self.half_life,
            module="" if is_ours(type(self)) else type(self).__module__,
            removed=sorted(self._removed),
            identity=identity,
            epochs=epochs,
            answered_elsewhere=self._elsewhere.to_plain(),
            seed_was_drawn=self._seed_was_drawn,
            **self._saved_learning(copy=copy),
            **self._saved_statistics(copy=copy),
        )

    def _saved_learning(self, *, copy: bool) -> dict[str, Any]:
        if not self.facts.merge:
            return {}
        point, known = self._learning.to_save(self.round), self._learning.known(self.round)
        common = None
        if point is not None:
            packed = self._packed(point.statistics, copy=copy)
            common = SavedPoint(list(point.known.items()), **packed)
        return {"known": list(known.items()), "common": common}

    def _restore_learning(self, saved: SavedPolicy) -> None:
        if saved.common is not None:
            point = Point(dict(saved.common.known), self._unpacked(saved.common))
            self._learning.points = [point]
        point = Point(dict(saved.known), deepcopy(self.statistics()))
        self._learning.begin(point, self.round)

    def _saved_statistics(self, *, copy: bool) -> dict[str, Any]:
        return self._packed(self.statistics(), copy=copy)

    def _packed(self, statistics: dict[str, Any], *, copy: bool) -> dict[str, Any]:
        arrays = statistics.items()
        return {"statistics": {name: to_saved_array(array, copy=copy) for name, array in arrays}}

    @classmethod
    def from_saved(cls, saved: SavedPolicy, token_key: str | bytes | None = None) -> Self:
        """Inverse of `to_saved`; an ArgumentError says what does not fit."""
        policy = cls(
            saved.items,
            saved.n_positions,
            seed=saved.seed,
            max_pending=saved.max_pending,
            position_order=saved.position_order or None,
            token_key=token_key,
            half_life=saved.half_life,
            **saved.options,
        )
        policy._restore_saved(saved)
        policy._removed = set(saved.removed)
        n_left = policy.n_items - len(policy._removed)
        if not policy._removed <= set(range(policy.n_items)) or n_left < policy.n_positions:
            raise ArgumentError("removed must be numbers of items, and leave enough for a page")
        policy.round = arguments.integer("round", saved.round, 0, LARGEST_ROUND - 1)
        let_go = arguments.integer("let_go", saved.let_go, 0, saved.round)
        if saved.unanswered is not None:
            rounds = from_saved_rounds(policy, saved.unanswered)
        else:
            rounds = from_version_1(policy, saved.pending)
        policy._pending.restore(*rounds, let_go)
        policy._pending.restore_clicked(saved.clicked)
        policy._elsewhere.restore(saved.answered_elsewhere)
        if saved.identity is not None:
            policy._lineage.restore(saved.identity, saved.epochs, policy.round)
        policy._seed_was_drawn = saved.seed_was_drawn
        policy._made_in = -1
        if cls.facts.merge:
            policy._restore_learning(saved)
        return policy

    def _restore_saved(self, saved: SavedPolicy) -> None:
        self.restore(self._unpacked(saved))

    def _unpacked(self, saved: SavedPolicy | SavedPoint) -> dict[str, Any]:
        fresh = self.statistics()
        if fresh.keys() != saved.statistics.keys():
            raise ArgumentError(
                f"statistics must be {sorted(fresh)}, got {sorted(saved.statistics)}"
            )
        return {
            name: from_saved_array(name, saved.statistics[name], array.dtype)
            for name, array in fresh.items()
        }


def _copied(state: Any) -> Any:
    """A state with arrays of its own."""
    if isinstance(state, tuple):
        return type(state)(*map(_copied, state))
    return state.copy() if isinstance(state, np.ndarray) else state


def fresh_seed() -> int:
    """A seed from the operating system's entropy."""
    return randbits(63)


def memory_there() -> int:
    """Bytes of this machine's memory; more than any policy needs where that cannot be told."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63


def policy_classes(cls: type[Policy] = Policy) -> Iterator[type[Policy]]:
    """Every policy class that has been defined, registered or not."""
    for child in cls.__subclasses__():
        yield child
        yield from policy_classes(child)


def _position_order(order: Iterable[int] | None, n_positions: int) -> tuple[int, ...] | None:
    if order is None:
        return None
    return tuple(arguments.permutation("position_order", order, n_positions))


def _token_key(key: str | bytes | None) -> bytes:
    if key is None:
        return b""
    if not isinstance(key, str | bytes) or not key:
        raise ArgumentError("token_key must be a text or bytes, not empty")
    return key.encode() if isinstance(key, str) else key


def _signature(cls: type[Policy]) -> inspect.Signature:
    """The constructor's signature, with the declared options in place of **options."""
    shared = inspect.signature(Policy.__init__).parameters.values()
    first = [p for p in shared if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"]
    last = [p for p in shared if p.kind is p.KEYWORD_ONLY]
    own = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=option.annotation,
        )
        for name, option in cls.declared.items()
    ]
    return inspect.Signature([*first, *own, *last])
