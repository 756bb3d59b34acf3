"""A policy in ordinary Python: `start`, `rank` and `update`, without compilation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.plain_data import from_plain, to_plain
from unirank.policies.base.policy import Policy
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.base.snapshot import SavedStatistics, from_saved_array
from unirank.policies.kernels.randomness import Rng


def _rank(policy: Any, rng: Rng, ranking: NDArray[np.int64]) -> None:
    chosen = policy.rank(policy._rng.at(rng))
    policy._check_ranking(chosen)
    ranking[:] = chosen


def _update(policy: Any, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    # A copy: what a policy keeps of it must not change with the next round.
    policy.update(ranking.copy(), clicks.copy())


def _meet(policy: Any, context: int) -> None:
    policy.context = policy._contexts[context]


def _propensity(policy: Any, ranking: NDArray[np.int64]) -> float:
    return float(policy.propensity(ranking.copy()))


class PlainPolicy(Policy):
    """A policy written in ordinary Python and numpy. Subclass it with up to five methods.

    start(self)
        Assign what the policy learns: numpy arrays and numbers (lists, dicts and sets of these
        work, too). `self.n_items`, `self.n_positions` and the options are known. What is assigned
        here is what `save` keeps; names that start with an underscore are scratch and not kept.
    rank(self, rng)
        Return n_positions different item indices, best position first. `rng` is a
        `numpy.random.Generator`, reproducible from seed, game and round.
    update(self, ranking, clicks)
        Learn from one ranking (an array of item indices) and its clicks (a boolean for each).
    propensity(self, ranking), optional
        Return the probability with which the last `rank` had to return this ranking.
    explanation(self), optional
        Return an `unirank.policies.base.explanation.Explanation`. `explain()`, the figures and the
        dashboard show it in its own words, and its order can be frozen on a page.

    Options are annotated attributes (`explore: int = 200`). If `update` needs something that `rank`
    chose besides the ranking, name that attribute in `remembers`: it is kept with each unanswered
    round, so that clicks may come late.

    `self.context` is what is known of the visitor of the present round, such as
    {"device": "mobile"}; {} where nothing is.

    On a page call `policy.rank()` and `policy.update(shown, clicks)` as of any policy.

    Examples
    --------
    >>> class Newest(PlainPolicy):
    ...     def start(self):
    ...         self.last_clicked = 0
    ...     def rank(self, rng):
    ...         return np.roll(np.arange(self.n_items), -self.last_clicked)[: self.n_positions]
    ...     def update(self, ranking, clicks):
    ...         self.last_clicked = max(ranking[clicks], default=self.last_clicked)
    >>> policy = Newest(items=["a", "b", "c"], n_positions=2)
    >>> policy.update(policy.rank(), clicks=["b"])
    >>> policy.rank().items
    ('b', 'c')
    """

    remembers: ClassVar[tuple[str, ...]] = ()
    kernels = PolicyKernels(_rank, _update, propensity=_propensity, meet=_meet, compiled=False)

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "kernels" in vars(cls) or "initial_state" in vars(cls):
            raise TypeError(
                f"{cls.__name__} must derive from unirank.Policy to have kernels and "
                "initial_state(); a PlainPolicy has start(), rank() and update()"
            )
        for name, on_page in (("rank", _rank_or_algorithm), ("update", _update_or_algorithm)):
            if name in vars(cls):
                setattr(cls, name, on_page(vars(cls)[name]))

    def start(self) -> None:
        """Assign what the policy learns; by default nothing."""

    def propensity(self, ranking: NDArray[np.int64]) -> float:
        """Return the probability of this ranking in the last `rank`; NaN if unknown."""
        return float("nan")

    def initial_state(self) -> Any:
        for method in ("rank", "update"):
            if getattr(type(self), method) is getattr(Policy, method):
                raise ArgumentError(
                    f"{type(self).__name__} must define {method}(): see unirank.PlainPolicy"
                )
        self._rng = RoundRng()
        self._available = None
        self._contexts: Sequence[Mapping[str, str]] = ()
        self.context: Mapping[str, str] = {}
        before = dict(vars(self))
        self.start()
        taken = [name for name in before if vars(self)[name] is not before[name]]
        if taken:
            raise ArgumentError(f"start() must not assign {taken[0]!r}: every policy has one")
        self._learnt = [n for n in vars(self) if n not in before and not n.startswith("_")]
        self._known = {*vars(self), "state", *self.remembers}
        return self

    def for_contexts(self, contexts: Sequence[Mapping[str, str]]) -> list[tuple[Policy, list[int]]]:
        self._contexts = contexts
        return super().for_contexts(contexts)

    def without_rounds(self) -> Self:
        """A copy for one thread that keeps the rounds itself; the state is the object itself."""
        with self._guard:
            return self.from_snapshot(self.to_snapshot())

    @property
    def available_items(self) -> list[int]:
        """Numbers of the items that `rank` may choose from, ascending.

        A policy that reads them in `rank` can declare the fact `availability`.
        """
        numbers: list[int] | None = self._available
        if numbers is not None:
            return numbers
        return [number for number in range(self.n_items) if number not in self._catalogue.removed]

    def _serve_restricted(self, number: int, numbers: NDArray[np.int64]) -> tuple[float, bytes]:
        self._available = numbers.tolist()
        serving = self.state, self._key, number, self._ranking, self._memory
        try:
            chance, _ = self._serve(*serving)
        finally:
            self._available = None
        return chance, self.remember()

    def remember(self) -> bytes:
        kept = {name: to_plain(name, getattr(self, name)) for name in self.remembers}
        return msgspec.msgpack.encode(kept) if kept else b""

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        if memory:
            for name, data in msgspec.msgpack.decode(memory).items():
                setattr(self, name, from_plain(name, data))

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        if not memory:
            return not self.remembers
        try:
            kept = msgspec.msgpack.decode(memory, type=dict[str, Any])
            found = {name: from_plain(name, data) for name, data in kept.items()}
            return found.keys() == set(self.remembers)
        except (msgspec.MsgspecError, ArgumentError, TypeError, ValueError, RecursionError):
            return False

    def statistics(self) -> dict[str, Any]:
        """What `start` assigned, as it is now."""
        return {name: getattr(self, name) for name in self._learnt}

    def _saved_statistics(self, *, copy: bool) -> dict[str, Any]:
        lost = [n for n in vars(self) if n not in self._known and not n.startswith("_")]
        if lost:
            raise ArgumentError(
                f"{lost[0]} of {type(self).__name__} would not be saved: assign it in start(), or "
                "name it in `remembers` if it belongs to one round"
            )
        return self._packed(self.statistics(), copy=copy)

    def _packed(self, statistics: dict[str, Any], *, copy: bool) -> dict[str, Any]:
        return {"plain": {name: to_plain(name, value) for name, value in statistics.items()}}

    def _restore_statistics(self, statistics: dict[str, Any]) -> None:
        for name, value in statistics.items():
            setattr(self, name, value)

    def from_compiled(self, statistics: dict[str, NDArray[Any]]) -> dict[str, Any]:
        """Return what `start` assigns, from the statistics of a compiled edition that is gone.

        Parameters
        ----------
        statistics
            What that edition saved, by name.
        """
        raise ArgumentError(
            f"{type(self).__name__} reads what start() assigns, not {sorted(statistics)} of a "
            "compiled edition: load it with the version that wrote it, or make a new policy"
        )

    def check_learnt(self, learnt: dict[str, Any]) -> None:
        """Raise if a file holds what `start` and `update` cannot assign; by default never.

        Parameters
        ----------
        learnt
            What `start` assigned, by name, as it stands in the file.
        """

    def _unpacked(self, saved: SavedStatistics) -> dict[str, Any]:
        try:
            learnt = self._learnt_in(saved)
            self.check_learnt(learnt)
        except (AttributeError, LookupError) as error:
            kind = type(error).__name__
            raise ArgumentError(f"statistics are not whole: {kind}: {error}") from None
        return learnt

    def _learnt_in(self, saved: SavedStatistics) -> dict[str, Any]:
        if saved.statistics:
            return self.from_compiled(
                {
                    name: from_saved_array(name, array, np.dtype(array.dtype))
                    for name, array in saved.statistics.items()
                }
            )
        if saved.plain.keys() != set(self._learnt):
            raise ArgumentError(f"statistics must be {self._learnt}, got {sorted(saved.plain)}")
        found = {}
        for name, data in saved.plain.items():
            value, fresh = from_plain(name, data), getattr(self, name)
            if isinstance(value, np.ndarray) != isinstance(fresh, np.ndarray):
                raise ArgumentError(f"{name} must be {type(fresh).__name__}, got {value!r:.40}")
            found[name] = value
        return found

    def _check_ranking(self, chosen: Any) -> None:
        try:
            items = np.asarray(chosen)
        except ValueError:
            items = np.empty(0)
        valid = (
            items.shape == (self.n_positions,)
            and items.dtype.kind in "iu"
            and items.min() >= 0
            and items.max() < self.n_items
            and len(set(items.tolist())) == self.n_positions
        )
        if not valid:
            raise ArgumentError(
                f"{type(self).__name__}.rank must return n_positions={self.n_positions} different "
                f"item indices in 0..{self.n_items - 1}, got {chosen!r}"
            )


def _rank_or_algorithm(algorithm: Callable[..., Any]) -> Callable[..., Any]:
    """The page calls `rank()`; the object itself calls the algorithm, `rank(rng)`."""

    def rank(self: PlainPolicy, rng: Any = None, *, available: Any = None) -> Any:
        if isinstance(rng, RoundRng):
            return algorithm(self, rng)
        return Policy.rank(self, available if rng is None else rng)

    rank.__doc__ = algorithm.__doc__
    return rank


def _update_or_algorithm(algorithm: Callable[..., Any]) -> Callable[..., Any]:
    """The page passes a Ranking or a round; the object itself passes an array of item indices."""

    def update(self: PlainPolicy, shown: Any, clicks: Any = None, **settings: Any) -> Any:
        if isinstance(shown, np.ndarray):
            return algorithm(self, shown, clicks)
        return Policy.update(self, shown, clicks, **settings)

    update.__doc__ = algorithm.__doc__
    return update
