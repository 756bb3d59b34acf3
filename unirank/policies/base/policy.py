"""The policy object: it speaks in item ids, remembers unanswered rounds, and saves its state.

A policy is a state and a few functions of it (`base/kernels.py`). A subclass declares its options
as annotated attributes (`base/options.py`), names its functions in `kernels`, and says how the
state starts. The functions are compiled; `PlainPolicy` is for functions in ordinary Python.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from secrets import randbits
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.randomness import LARGEST_ROUND, POLICY, stream_key
from unirank.policies.base.facts import Facts
from unirank.policies.base.kernels import PolicyKernels, is_ours, server_for
from unirank.policies.base.options import ItemId, Option, declared_options
from unirank.policies.base.ranking import Ranking
from unirank.policies.base.state_file import (
    SavedPolicy,
    SavedRound,
    from_saved_array,
    to_saved_array,
    write_state_file,
)
from unirank.policies.base.unanswered import UnansweredRounds

MAX_PENDING = 100_000
SHARED_OPTIONS = ("max_pending", "position_order")  # options of every policy, besides the seed
TAKEN = {"items", "n_items", "n_positions", "seed", "options", "round", "state", *SHARED_OPTIONS}
MOST_IDS_SHOWN = 4  # in a repr


class Policy:
    """Ranks items and learns from clicks. Not safe to share between threads.

    Parameters of every policy, besides the options of its own:

    items
        How many, or a list of ids (texts or integers).
    n_positions
        How many of them a page shows.
    seed
        Makes the rankings reproducible; by default a fresh one, so that two pages differ.
    max_pending
        Unanswered rounds to remember; the oldest are forgotten.
    position_order
        Places of the page from the most to the least examined, where the first place is not the
        most examined one; [1, 0] if the second is.
    """

    name: ClassVar[str]
    facts: ClassVar[Facts] = Facts()
    kernels: ClassVar[PolicyKernels]
    declared: ClassVar[dict[str, Option]] = {}  # the options, by name
    item_options: ClassVar[tuple[str, ...]] = ()  # those that are lists of items
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
        **options: Any,
    ) -> None:
        self.check_options(options)
        self.items = arguments.item_ids(items)
        self.n_items = len(self.items)
        self.n_positions = arguments.integer(
            "n_positions", n_positions, 1, self.n_items, "n_items="
        )
        self.seed = fresh_seed() if seed is None else arguments.seed(seed)
        self.position_order = _position_order(position_order, self.n_positions)
        given = {name: options.get(name, option.default) for name, option in self.declared.items()}
        checked = {name: self.declared[name].checked(value) for name, value in given.items()}
        self.options: dict[str, Any] = self.settled_options(checked)
        self.round = 0  # the last round given
        self._pending = UnansweredRounds(arguments.integer("max_pending", max_pending, 1))
        self._recalled = 0  # the round whose memory is in the state
        self._index = {item: index for index, item in enumerate(self.items)}
        self._key = stream_key(self.seed, 0, POLICY)
        self._ranking = np.empty(self.n_positions, np.int64)
        self._answered = np.empty(self.n_positions, np.int64)
        self._clicks = np.zeros(self.n_positions, np.bool_)
        self._serve = server_for(type(self))
        try:
            self.state: Any = self.initial_state()
        except MemoryError:
            raise ArgumentError(
                f"items must fit in memory, got {self.n_items} for {self.name}"
            ) from None

    # What a subclass provides.

    def settled_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Check options against each other and the page; return those to keep."""
        return options

    def initial_state(self) -> Any:
        """The state before the first round."""
        raise NotImplementedError(f"{type(self).__name__} must define initial_state()")

    def grow(self) -> None:
        """Replace the state by an equal one with more room; called when `full` says so."""

    def remember(self) -> bytes:
        """Return what `update` needs, besides the ranking, to learn from the last round."""
        return b""

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        """Put back into the state what `remember` took from it."""

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        """Whether `remember` could have made this memory; asked of files, which can be hostile."""
        return memory == b""

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

    # What a user calls.

    def rank(self) -> Ranking:
        """Choose the ranking of the next round."""
        chance = self._serve(self.state, self._key, self.round + 1, self._ranking)
        if chance < 0:
            self.grow()
            return self.rank()
        self.round += 1
        self._recalled = self.round
        self._pending.add(self.round, self._ranking.tobytes(), self.remember())
        return Ranking(self._page(self._ranking), self.round, float(chance))

    def update(self, shown: Ranking | int, clicks: Iterable[ItemId]) -> None:
        """Learn from the clicks on a ranking (or its round number), in any order of rounds.

        `clicks` are the ids that were clicked. Each round can be answered once.
        """
        number = shown.round if isinstance(shown, Ranking) else shown
        number = arguments.integer("round", number, 1, self.round, "last round=")
        stored, memory = self._pending[number]
        self._answered[:] = np.frombuffer(stored, np.int64)
        given = self._page(self._answered)
        if isinstance(shown, Ranking) and tuple(shown.items) != given:
            raise ArgumentError(
                f"shown must be a ranking this policy gave: round {number} was {given!r}, "
                f"got {shown.items!r}"
            )
        self._set_clicks(self._answered.tolist(), clicks)
        if number != self._recalled:
            self.recall(self._answered, memory)
            self._recalled = number
        self.kernels.update(self.state, self._answered, self._clicks)
        del self._pending[number]

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything needed to continue, atomically; read it back with `unirank.load`."""
        write_state_file(self.to_saved(), path)

    def __repr__(self) -> str:
        ids = ", ".join(map(repr, self.items[:MOST_IDS_SHOWN]))
        more = f", ... {self.n_items} in all" if self.n_items > MOST_IDS_SHOWN else ""
        order = {"position_order": list(self.position_order)} if self.position_order else {}
        options = "".join(f", {k}={v!r}" for k, v in {**self.options, **order}.items())
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

    def _set_clicks(self, shown: list[int], clicks: Iterable[ItemId]) -> None:
        if isinstance(clicks, str | bytes) or not isinstance(clicks, Iterable):
            raise ArgumentError(f"clicks must be a list of item ids, got {clicks!r}")
        self._clicks[:] = False
        for item in clicks:
            index = self._index.get(item) if type(item) in (int, str) else self._index_of(item)
            if index not in shown:
                ids = [self.items[i] for i in shown]
                raise ArgumentError(f"clicks must be among the shown {ids!r}, got {item!r}")
            self._clicks[shown.index(index)] = True

    def _index_of(self, item: object) -> int | None:
        """Index of an id given as some other type, such as a numpy integer; None if it is none."""
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
        return own if needed else [*own, *SHARED_OPTIONS]

    @classmethod
    def check_options(cls, options: Mapping[str, Any]) -> None:
        """Raise ArgumentError for unknown or missing options."""
        for option in options:
            arguments.choice(f"option of {cls.name}:", option, cls.option_names())
        needed = [name for name in cls.option_names(needed=True) if name not in options]
        if needed:
            example = ", ".join(f'"{name}": ...' for name in needed)
            raise ArgumentError(
                f"policy {cls.name!r} needs {', '.join(needed)}: "
                f'pass ("{cls.name}", {{{example}}}), '
                f"or on the command line {cls.name}({'=..., '.join(needed)}=...)"
            )

    def to_saved(self) -> SavedPolicy:
        """Everything needed to continue, as plain data."""
        return SavedPolicy(
            policy=self.name,
            items=list(self.items),
            n_positions=self.n_positions,
            seed=self.seed,
            max_pending=self._pending.most,
            options=self.options,
            round=self.round,
            let_go=self._pending.let_go,
            pending=[SavedRound(number, *given) for number, given in self._pending],
            position_order=list(self.position_order or ()),
            module="" if is_ours(type(self)) else type(self).__module__,
            **self._saved_statistics(),
        )

    def _saved_statistics(self) -> dict[str, Any]:
        arrays = self.statistics().items()
        return {"statistics": {name: to_saved_array(array) for name, array in arrays}}

    @classmethod
    def from_saved(cls, saved: SavedPolicy) -> Self:
        """Inverse of `to_saved`; an ArgumentError says what does not fit."""
        policy = cls(
            saved.items,
            saved.n_positions,
            seed=saved.seed,
            max_pending=saved.max_pending,
            position_order=saved.position_order or None,
            **saved.options,
        )
        policy._restore_saved(saved)
        policy.round = arguments.integer("round", saved.round, 0, LARGEST_ROUND - 1)
        for given in saved.pending:
            policy._check_given(given)
            policy._pending.add(given.round, given.ranking, given.memory)
        policy._pending.let_go = arguments.integer("let_go", saved.let_go, 0, saved.round)
        return policy

    def _restore_saved(self, saved: SavedPolicy) -> None:
        fresh = self.statistics()
        if fresh.keys() != saved.statistics.keys():
            raise ArgumentError(
                f"statistics must be {sorted(fresh)}, got {sorted(saved.statistics)}"
            )
        self.restore(
            {
                name: from_saved_array(name, saved.statistics[name], array.dtype)
                for name, array in fresh.items()
            }
        )

    def _check_given(self, given: SavedRound) -> None:
        ranking = np.frombuffer(given.ranking, np.int64)
        if not (
            1 <= given.round <= self.round
            and len(set(ranking.tolist())) == len(ranking) == self.n_positions
            and ranking.min() >= 0
            and ranking.max() < self.n_items
            and self.check_memory(ranking, given.memory)
        ):
            raise ArgumentError(f"unanswered round {given.round} is not one this policy gave")


def fresh_seed() -> int:
    """A seed from the operating system's entropy."""
    return randbits(63)


def policy_classes(cls: type[Policy] = Policy) -> Iterator[type[Policy]]:
    """Every policy class that has been defined, registered or not."""
    for child in cls.__subclasses__():
        yield child
        yield from policy_classes(child)


def _position_order(order: Iterable[int] | None, n_positions: int) -> tuple[int, ...] | None:
    if order is None:
        return None
    return tuple(arguments.permutation("position_order", order, n_positions))


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
