"""The policy: it ranks items and learns from clicks, one call at a time.

A policy is a state and a few functions of it (`base/kernels.py`). A subclass declares its options
as annotated attributes (`base/options.py`), names its functions in `kernels`, and says how the
state starts. The functions are compiled; `PlainPolicy` is for functions in ordinary Python.

A caller that numbers rounds and keeps memories itself, as the service does, needs only `rank_at`,
`pass_round` and `learn`; a simulation calls the kernels. For a program, `unirank/page/rounds.py`
numbers and keeps, behind the methods of `OnPage`: `rank`, `update` and the others.

Names with an underscore are for this room and for `page`: a name without one could clash with an
attribute of somebody's plain policy.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from secrets import randbits
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.catalogue import Catalogue
from unirank.policies.base.declared import NEEDED_FACTS, Declared
from unirank.policies.base.explanation import Explanation, explained_by_leader
from unirank.policies.base.facts import require_fact
from unirank.policies.base.half_life import checked_half_life
from unirank.policies.base.hooks import PolicyHooks
from unirank.policies.base.kept_state import KeptState
from unirank.policies.base.kernels import is_ours, passer_for, remember_in_python, server_for
from unirank.policies.base.on_page import MAX_PENDING, OnPage
from unirank.policies.base.options import ItemId
from unirank.policies.base.ranking import Ranking, Seal, given_ranking
from unirank.policies.base.snapshot import (
    PolicySnapshot,
    SavedStatistics,
    from_saved_array,
    to_saved_array,
)
from unirank.policies.base.start_order import checked_start
from unirank.policies.kernels.randomness import POLICY, stream_key

MOST_IDS_SHOWN = 4  # in a repr


class Policy(OnPage, PolicyHooks, Declared):
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
        Only for policies that `unirank list policies` marks `start`; so is `trust`.
    trust
        How many comparisons of each pair of items `start` is worth, 20 by default. More makes the
        first lists more like `start`, and a wrong one longer to overcome.
    half_life
        Rounds after which what was learnt counts half, for tastes that change. By default nothing
        is forgotten. Only for policies that are marked `half-life`.
    options
        Options that this policy declares.

    Attributes
    ----------
    items : tuple of item ids
        All items, those that were removed included.
    n_items : int
        The number of items, removed ones included.
    round : int
        The number of the last round given.
    options : dict of str to any value
        The options of its own, with their values.
    """

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        cls._declare(Policy)

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
        n_items = items if isinstance(items, int) else arguments.size_of(items)
        if 0 < n_items <= arguments.LARGEST:  # before the ids take memory
            self._check_memory_needed(n_items, n_positions)
        self.items = arguments.item_ids(items)
        self.n_items = len(self.items)
        self.n_positions = arguments.integer(
            "n_positions", n_positions, 1, self.n_items, "n_items="
        )
        self._check_memory_needed(self.n_items, self.n_positions)
        self._catalogue = Catalogue(self.items)
        self._seed_was_drawn = seed is None
        self._use_seed(fresh_seed() if seed is None else arguments.seed(seed))
        self.position_order = _position_order(position_order, self.n_positions)
        given = {name: options.get(name, option.default) for name, option in self.declared.items()}
        checked = {name: self.declared[name].checked(value) for name, value in given.items()}
        self.options: dict[str, Any] = self.settled_options(checked)
        self._guard: AbstractContextManager[Any] = nullcontext()  # its rounds put their lock here
        self._rounds = None
        self._recalled = 0  # the round of its page whose memory is in the state; 0: of none
        self._kept: KeptState | None = None  # the last state among many, not all, items
        self._ranking = np.empty(self.n_positions, np.int64)
        self._answered = np.empty(self.n_positions, np.int64)
        self._clicks = np.zeros(self.n_positions, np.bool_)
        self._memory = self._room_for_memory()
        self._serve = server_for(type(self))
        self._let_pass: Any = None  # once it is asked for, as the next one
        self._serve_many: Any = None
        self._begin_rounds(max_pending, token_key)
        for option, value in {"start": start, "trust": trust, "half_life": half_life}.items():
            if value is not None:
                require_fact(type(self), NEEDED_FACTS[option], f"use {option}")
        self.half_life = checked_half_life(half_life)
        order, worth = checked_start(start, trust, self._catalogue.numbers)
        try:
            self.state = self.initial_state()
        except MemoryError:
            raise ArgumentError(
                f"items must fit in memory, got {self.n_items} for {self.name}"
            ) from None
        if len(order):
            self.begin_with(order, worth)

    @classmethod
    def _check_memory_needed(cls, n_items: int, n_positions: int) -> None:
        n_shown = min(n_positions, n_items) if isinstance(n_positions, int) else 1
        needed = cls.memory_needed(n_items, n_shown)
        if needed > (there := memory_there()):
            raise ArgumentError(
                f"items must fit in memory: {n_items} items of {cls.name} need about "
                f"{needed / 1e9:.0f} GB, this machine has {there / 1e9:.0f} GB"
            )

    def _room_for_memory(self) -> NDArray[np.uint8]:
        """Room for the kernel `remember`, in whole numbers of 8 bytes."""
        return np.zeros((self.memory_room() + 7) // 8, np.uint64).view(np.uint8)

    def _use_seed(self, seed: int) -> None:
        self.seed = seed
        self._key = stream_key(seed, 0, POLICY)

    def _draw_seed(self) -> None:
        """Draw another seed: two copies of the policy must not show the same lists."""
        self._use_seed(fresh_seed())

    # Choosing a list.

    def rank_at(self, number: int, available: Iterable[ItemId] | None = None) -> Ranking:
        """Choose a ranking with the random numbers of a round that the caller numbers.

        For callers that keep the rounds themselves: it is not remembered as unanswered, and `learn`
        takes the answer. Use a number once over all processes: rounds of one number draw the
        same random numbers.
        """
        with self._guard:
            numbers = self._choice(available)
            self._recalled = 0
            return self._chosen(number, numbers)

    def pass_round(self, number: int, available: Iterable[ItemId] | None = None) -> None:
        """Count a round as `rank_at` does, and choose no ranking.

        For a copy that learns from rankings which another copy chose: policies count rounds, so it
        lets one pass for each ranking, then learns from it.
        """
        with self._guard:
            numbers = self._choice(available)
            self._recalled = 0
            if numbers is None:
                self._pass_one(number)
            else:
                self._pass_restricted(number, numbers)

    def _choice(self, available: Iterable[ItemId] | None) -> NDArray[np.int64] | None:
        """Numbers of the items to choose from, ascending; None means all items."""
        if available is None:
            return self._catalogue.left()
        require_fact(type(self), "availability", "choose among available items")
        return self._catalogue.choice(available, self.n_positions)

    def items_among(self, available: Iterable[ItemId]) -> list[ItemId]:
        """Return the items that a round may choose from, if only some are available now.

        An ArgumentError says why the round cannot be played: an item is not known, or too few are
        left. Removed items are left out.

        Parameters
        ----------
        available
            Ids of the items that can be shown now.
        """
        numbers = self._choice(available)
        return list(self.items) if numbers is None else [self.items[n] for n in numbers]

    def _chosen(
        self, number: int, numbers: NDArray[np.int64] | None, seal: Seal | None = None
    ) -> Ranking:
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
        return given_ranking(self._page(ranking), number, chance, (seal, ranking.tobytes(), memory))

    def _pass_one(self, number: int) -> None:
        """Let a round among all items pass."""
        if self._let_pass is None:
            self._let_pass = passer_for(type(self))
        if not self._let_pass(self.state, self._key, number, self._ranking):
            self.grow()
            self._let_pass(self.state, self._key, number, self._ranking)

    def _pass_restricted(self, number: int, numbers: NDArray[np.int64]) -> None:
        """Let a round among some items pass."""
        self._serve_restricted(number, numbers)

    def _serve_restricted(self, number: int, numbers: NDArray[np.int64]) -> tuple[float, bytes]:
        """Write a ranking of some items; return its propensity and memory."""
        restricted = self._restricted(numbers)
        serving = restricted, self._key, number, self._ranking, self._memory
        chance, _ = self._serve(*serving)
        self._ranking[:] = numbers[self._ranking]
        return chance, self.leave_restricted(restricted, numbers)

    def _restricted(self, numbers: NDArray[np.int64]) -> Any:
        """The state among these items: the kept one if it is of the same items, else a new one."""
        kept = self._kept
        if kept is not None and kept.has(numbers):
            if kept.pairs is getattr(self.state, self.kept_pairs) and self.renew_kept(kept):
                return kept.state
            self._kept = None  # before another one takes memory
        restricted = self.restricted_state(numbers)
        if self.kept_pairs:
            pairs = getattr(self.state, self.kept_pairs)
            lasting = numbers is self._catalogue.left()
            kept = KeptState.of(restricted, numbers, self.n_items, pairs, lasting=lasting)
            self._kept = kept or self._kept
        return restricted

    def _is_compiled_whole(self) -> bool:
        """Whether compiled code does all of a round, its memory included."""
        in_python = self.kernels.remember is remember_in_python
        return self.kernels.compiled and not (
            in_python and type(self).remember is not PolicyHooks.remember
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

    # Learning.

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
        number_of = self._catalogue.number_of
        found = [number_of(page[p]) for p in places] if len(page) == len(places) else []
        numbers = [number for number in found if number is not None]
        if len(set(numbers)) != self.n_positions:
            raise ArgumentError(
                f"items must be n_positions={self.n_positions} different items of this policy, "
                f"got {page!r:.80}"
            )
        with self._guard:
            self._answered[:] = numbers
            self._set_clicks(numbers, clicks)
            self._learn_recalled(memory)

    def _set_clicks(
        self, shown: list[int], clicks: Iterable[ItemId] | None, name: str = "clicks"
    ) -> None:
        """Set `_clicks` to those on the items of these numbers."""
        if isinstance(clicks, Mapping) and name == "clicks":
            raise ArgumentError(
                f"clicks must be a list of item ids, got {clicks!r:.60}: give graded feedback as "
                "rewards="
            )
        if not arguments.is_list(clicks):
            raise ArgumentError(f"clicks must be a list of item ids, got {arguments.shown(clicks)}")
        self._clicks[:] = False
        for item in clicks:
            index = self._catalogue.number_of(item)
            if index not in shown:
                ids = [self.items[i] for i in shown]
                raise ArgumentError(f"{name} must be among the shown {ids!r}, got {item!r}")
            self._clicks[shown.index(index)] = True

    def _learn_recalled(self, memory: bytes) -> None:
        """Learn from `_answered` and `_clicks`, with the memory of that round, from outside."""
        if not isinstance(memory, bytes) or not self.check_memory(self._answered, memory):
            raise ArgumentError("memory must be the one that came with these items")
        self.recall(self._answered, memory)
        self._recalled = 0
        self._learn_held()

    def _learn_held(self) -> None:
        """Learn from `_answered` and `_clicks`, where the state holds the memory of that round."""
        if self._rounds is not None:
            self._rounds.before_change()
        self.kernels.update(self.state, self._answered, self._clicks)
        if self._kept is not None:
            if self._kept.pairs is getattr(self.state, self.kept_pairs):
                self.teach_kept(self._kept)
            else:
                self._kept = None

    # What it says of itself.

    def explanation(self) -> Explanation:
        """Describe what the policy believes; by default its leader, without evidence.

        The author of a policy writes this method. Users call `explain()`; figures and dashboard
        draw what it returns.
        """
        return explained_by_leader(self)

    def explain(self) -> Explanation:
        """Say why the policy shows what it shows: its order, the evidence, what it tries next.

        `print` the answer to read all of it. It names the parts that the policy does not give.
        """
        return self.explanation()

    # The catalogue.

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
        with self._guard:
            if new not in self._catalogue.numbers:
                self._check_memory_needed(self.n_items + 1, self.n_positions)
                if self._rounds is not None:
                    self._rounds.before_change(n_items=self.n_items + 1)
            is_new = self._catalogue.add(new)
            self._kept = None
            if is_new:
                self.items = (*self.items, new)
                self.n_items += 1
                self.extend_state()
                self._recalled = 0
                self._memory = self._room_for_memory()

    def remove(self, item: ItemId) -> None:
        """Show an item no more, until it is added again; answers of earlier rounds still count.

        Parameters
        ----------
        item
            The id of an item that is there.
        """
        require_fact(type(self), "catalogue", "remove items")
        with self._guard:
            self._catalogue.remove(item, self.n_positions)

    @property
    def removed(self) -> tuple[ItemId, ...]:
        """Ids of the items that were removed; `items` still has them, by number."""
        return tuple(self.items[number] for number in sorted(self._catalogue.removed))

    # Copies and plain data.

    def without_rounds(self) -> Self:
        """A copy with a state of its own, for one thread that keeps the rounds itself.

        Quickly made: what this policy and its copy only read is shared.
        """
        with self._guard:
            twin = object.__new__(type(self))
            vars(twin).update(vars(self))
            twin.state = _copied(self.state)
        for name in ("_ranking", "_answered", "_clicks", "_memory"):
            setattr(twin, name, getattr(self, name).copy())
        twin._catalogue = self._catalogue.copy()
        twin._kept = None
        twin._leave_rounds()
        return twin

    def _leave_rounds(self) -> None:
        self._rounds, self._guard, self._recalled = None, nullcontext(), 0

    def to_snapshot(self, *, copy: bool = True) -> PolicySnapshot:
        """All but the rounds, as plain data; without a copy, a view of the arrays."""
        return PolicySnapshot(**self._settings(), **self._saved_statistics(copy=copy))

    def _settings(self) -> dict[str, Any]:
        """The fields of a snapshot besides what was learnt."""
        return {
            "policy": self.name,
            "items": list(self.items),
            "n_positions": self.n_positions,
            "seed": self.seed,
            "options": self.options,
            "position_order": list(self.position_order or ()),
            "half_life": self.half_life,
            "module": "" if is_ours(type(self)) else type(self).__module__,
            "removed": sorted(self._catalogue.removed),
            "seed_was_drawn": self._seed_was_drawn,
        }

    @classmethod
    def from_snapshot(cls, saved: PolicySnapshot) -> Self:
        """A policy without rounds, as `to_snapshot` described it; an error says what does not fit.

        An option given as 30 may come back from a snapshot as 30.0.
        """
        policy = cls(
            saved.items,
            saved.n_positions,
            seed=saved.seed,
            position_order=saved.position_order or None,
            half_life=saved.half_life,
            **saved.options,
        )
        policy._leave_rounds()
        policy._restore_statistics(policy._unpacked(saved))
        policy._catalogue.restore_removed(saved.removed, policy.n_positions)
        policy._seed_was_drawn = saved.seed_was_drawn
        return policy

    def _restore_statistics(self, statistics: dict[str, Any]) -> None:
        self.restore(statistics)

    def _saved_statistics(self, *, copy: bool) -> dict[str, Any]:
        return self._packed(self.statistics(), copy=copy)

    def _packed(self, statistics: dict[str, Any], *, copy: bool) -> dict[str, Any]:
        """Statistics as a field of `SavedStatistics`."""
        arrays = statistics.items()
        return {"statistics": {name: to_saved_array(array, copy=copy) for name, array in arrays}}

    def _unpacked(self, saved: SavedStatistics) -> dict[str, Any]:
        fresh = self.statistics()
        if fresh.keys() != saved.statistics.keys():
            raise ArgumentError(
                f"statistics must be {sorted(fresh)}, got {sorted(saved.statistics)}"
            )
        return {
            name: from_saved_array(name, saved.statistics[name], array.dtype)
            for name, array in fresh.items()
        }

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
