"""What every policy is: a state, a few pure compiled functions, and a thin object around them.

A policy file defines a `State` NamedTuple of arrays and the functions of `policies/kernels.py`.
`Policy` turns them into an object that speaks in item ids and remembers unanswered rounds.
"""

import inspect
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.kernels.randomness import LARGEST_ROUND, POLICY, stream_key
from unirank.policies.base.kernels import Kernels, server_for
from unirank.policies.base.ranking import Ranking
from unirank.policies.base.state_file import (
    SavedPolicy,
    SavedRound,
    from_saved_array,
    to_saved_array,
    write_state_file,
)
from unirank.policies.base.unanswered import Pending
from unirank.registry import Registry

registry: Registry[type["Policy"]] = Registry("policy")


class Policy:
    """Ranks items, learns from clicks; see the subclasses. Not safe to share between threads."""

    name: ClassVar[str]
    kernels: ClassVar[Kernels]
    item_options: ClassVar[tuple[str, ...]] = ()  # options that are lists of items

    def __init__(
        self,
        items: int | Iterable[int | str],
        n_positions: int,
        *,
        seed: int = 0,
        max_pending: int = 100_000,
        **options: Any,
    ) -> None:
        """Validate what all policies share; `options` are the subclass's own, already valid.

        A policy without options needs no constructor of its own: this one refuses any.
        """
        self.check_options(options)
        self.items = arguments.item_ids(items)
        self.n_items = len(self.items)
        self.n_positions = arguments.integer(
            "n_positions", n_positions, 1, self.n_items, "n_items="
        )
        self.seed = arguments.seed(seed)
        self.options = options
        self.round = 0  # the last round given
        try:
            self.state: Any = self.initial_state()
        except MemoryError:
            raise ArgumentError(
                f"items must fit in memory, got {self.n_items} for {self.name}"
            ) from None
        self._pending = Pending(arguments.integer("max_pending", max_pending, 1))
        self._recalled = 0  # the round whose memory is in the state
        self._index = {item: index for index, item in enumerate(self.items)}
        self._key = np.uint64(stream_key(self.seed, 0, POLICY))
        self._ranking = np.empty(self.n_positions, np.int64)
        self._answered = np.empty(self.n_positions, np.int64)
        self._clicks = np.zeros(self.n_positions, np.bool_)
        self._serve = server_for(self.name, self.kernels)

    # What a subclass provides.

    def initial_state(self) -> Any:
        """The state before the first round."""
        raise NotImplementedError(f"{type(self).__name__} must define initial_state()")

    def grow(self) -> None:
        """Replace the state by an equal one with more room; called when `full` says so."""

    def remember(self) -> bytes:
        """What `update` will need, besides the ranking, to learn from the round just chosen."""
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
        """Continue from saved statistics, which have the names and types of our own."""
        for name, array in self.statistics().items():
            if array.shape != statistics[name].shape:
                raise ArgumentError(f"{name} must have shape {array.shape}")
            array[...] = statistics[name]

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
        return Ranking(self._ids(self._ranking), self.round, float(chance))

    def update(self, shown: Ranking | int, clicks: Iterable[int | str]) -> None:
        """Learn from the clicks on a ranking (or its round number), in any order of rounds.

        `clicks` are the ids that were clicked. Each round can be answered once.
        """
        number = shown.round if isinstance(shown, Ranking) else shown
        number = arguments.integer("round", number, 1, self.round, "last round=")
        stored, memory = self._pending[number]
        self._answered[:] = np.frombuffer(stored, np.int64)
        given = self._ids(self._answered)
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
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        return (
            f"{type(self).__name__}(n_items={self.n_items}, n_positions={self.n_positions}, "
            f"seed={self.seed}{options}, round={self.round})"
        )

    @property
    def last_ranking(self) -> list[int]:
        """Item indices of the last ranking, as the kernel wrote them."""
        return self._ranking.tolist()

    def _ids(self, ranking: NDArray[np.int64]) -> tuple[int | str, ...]:
        return tuple(self.items[index] for index in ranking.tolist())

    def _set_clicks(self, shown: list[int], clicks: Iterable[int | str]) -> None:
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

    # Names and files.

    @classmethod
    def check_options(cls, options: Mapping[str, Any]) -> None:
        """Refuse an option that the constructor does not have, and to do without one it needs."""
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

    @classmethod
    def example_options(cls, items: tuple[int | str, ...], n_positions: int) -> dict[str, Any]:
        """Options with which the contract is checked: at least those that are needed."""
        return {}

    @classmethod
    def option_names(cls, *, needed: bool = False) -> list[str]:
        """Keyword-only arguments of the constructor, but for the seed; or those without default."""
        options = [
            p
            for p in inspect.signature(cls).parameters.values()
            if p.kind is p.KEYWORD_ONLY and p.name != "seed"
        ]
        return [p.name for p in options if not needed or p.default is p.empty]

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
            statistics={name: to_saved_array(array) for name, array in self.statistics().items()},
        )

    @classmethod
    def from_saved(cls, saved: SavedPolicy) -> Self:
        """Inverse of `to_saved`; an ArgumentError says what does not fit."""
        cls.check_options(saved.options)
        policy = cls(saved.items, saved.n_positions, seed=saved.seed, **saved.options)
        policy._pending = Pending(arguments.integer("max_pending", saved.max_pending, 1))
        fresh = policy.statistics()
        if fresh.keys() != saved.statistics.keys():
            raise ArgumentError(
                f"statistics must be {sorted(fresh)}, got {sorted(saved.statistics)}"
            )
        policy.restore(
            {
                name: from_saved_array(name, saved.statistics[name], array.dtype)
                for name, array in fresh.items()
            }
        )
        policy.round = arguments.integer("round", saved.round, 0, LARGEST_ROUND - 1)
        for given in saved.pending:
            policy._check_given(given)
            policy._pending.add(given.round, given.ranking, given.memory)
        policy._pending.let_go = arguments.integer("let_go", saved.let_go, 0, saved.round)
        return policy

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
