"""The compiled side of a policy: which functions it has, and defaults for those it may leave out.

rank(state, rng, ranking)             choose what to show; fills `ranking` with item indices
update(state, ranking, clicks)        learn from the clicks on what rank() just chose
hold(state, limit, ranking) -> n      the next n <= limit rounds show this one ranking whatever
                                      is clicked: play them all at once; 0 if it cannot be told
propensity(state, ranking) -> p       probability of the list rank() just chose
remember(state, memory) -> n          write what update needs later besides the ranking; its length
full(state) -> bool                   a table must grow before the next round
pass_round(state, rng, ranking)       what rank() changes for later rounds, without the choice of a
                                      list; `ranking` is scratch. By default rank() itself
meet(state, context)                  the next round is that of a visitor of this context, one of
                                      those that `Policy.for_contexts` was given, by its number
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import bind, compiled
from unirank.policies.kernels.randomness import DRAW_BITS, GOLDEN, Rng, at_round


@compiled
def never_hold(state: Any, limit: int, ranking: NDArray[np.int64]) -> int:
    return 0


@compiled
def meet_anybody(state: Any, context: int) -> None:
    return


@compiled
def unknown_propensity(state: Any, ranking: NDArray[np.int64]) -> float:
    return np.nan


@compiled
def remember_in_python(state: Any, memory: NDArray[np.uint8]) -> int:
    return -1


@compiled
def never_full(state: Any) -> bool:
    return False


class PolicyKernels(NamedTuple):
    """The functions of a policy; all but `rank` and `update` have defaults.

    `compiled=False` is for functions in ordinary Python, whose `state` may be any object.
    """

    rank: Callable[..., None]
    update: Callable[..., None]
    hold: Callable[..., int] = never_hold
    propensity: Callable[..., float] = unknown_propensity
    full: Callable[..., bool] = never_full
    remember: Callable[..., int] = remember_in_python
    pass_round: Callable[..., None] | None = None
    meet: Callable[..., None] = meet_anybody
    compiled: bool = True

    @property
    def reads_contexts(self) -> bool:
        """Whether what is shown may depend on the visitor."""
        return self.meet is not meet_anybody


def bound_later(*_: Any) -> Any:
    """Placeholder for the functions that `server_for` and the others put in."""
    raise AssertionError("serve must be bound to a policy")


rank = propensity = remember = full = pass_round = bound_later

SEEN_BITS = 8  # a new memory is compared with the last one of the same hash, of so many bits


def serve(
    state: Any, key: np.uint64, round_: int, ranking: NDArray[np.int64], memory: NDArray[np.uint8]
) -> tuple[float, int]:
    """Choose one ranking; return its propensity, -1 if the state must grow first.

    The second number is the length of its memory, -1 if the policy's `remember` makes it.
    """
    if full(state):
        return -1.0, 0
    rank(state, at_round(key, round_), ranking)
    return propensity(state, ranking), remember(state, memory)


def serve_many(
    state: Any,
    key: np.uint64,
    first: int,  # round of the first row
    rankings: NDArray[np.int64],  # out: a row each
    chances: NDArray[np.float64],  # out
    room: NDArray[np.uint8],
    words: NDArray[np.uint64],  # `room`, 8 bytes at a time
    which: NDArray[np.int32],  # out: number of the memory of each row
    sizes: NDArray[np.int64],  # out: bytes of each different memory
    starts: NDArray[np.int64],  # out: where each begins in `memories`
    memories: NDArray[np.uint64],  # out
    seen: NDArray[np.int64],  # (2**SEEN_BITS,) the last memory of each hash, -1: none
) -> tuple[int, int]:
    """Serve one round for each row; return how many, and the number of different memories.

    Fewer rounds than rows: the state must grow first. Most equal memories are found equal, not all.
    """
    n_memories = 0
    end = 0  # in `memories`
    for row in range(rankings.shape[0]):
        if full(state):
            return row, n_memories
        rank(state, at_round(key, first + row), rankings[row])
        chances[row] = propensity(state, rankings[row])
        size = max(0, remember(state, room))
        n_words = (size + 7) // 8
        room[size : 8 * n_words] = 0
        bits = np.uint64(size)
        for place in range(n_words):
            bits = (bits ^ words[place]) * GOLDEN
            bits ^= bits >> np.uint64(32)
        slot = np.int64(bits & np.uint64(2**SEEN_BITS - 1))
        found = seen[slot]
        same = found >= 0 and sizes[found] == size
        place = 0
        while same and place < n_words:
            same = memories[starts[found] + place] == words[place]
            place += 1
        if not same:
            found = n_memories
            n_memories += 1
            seen[slot], sizes[found], starts[found] = found, size, end
            for place in range(n_words):
                memories[end + place] = words[place]
            end += n_words
        which[row] = found
    return rankings.shape[0], n_memories


def let_pass(state: Any, key: np.uint64, round_: int, ranking: NDArray[np.int64]) -> bool:
    """Let one round pass; return False if the state must grow first."""
    if full(state):
        return False
    pass_round(state, at_round(key, round_), ranking)
    return True


def compile_label(cls: Any) -> str:
    """Return the name of a policy's compiled code; the module tells users' classes apart."""
    return cls.name if is_ours(cls) else f"{cls.name}@{cls.__module__.replace('.', '-')}"


def is_ours(cls: Any) -> bool:
    """Whether a class belongs to this library."""
    return bool(cls.__module__.startswith("unirank."))


def server_for(cls: Any) -> Any:
    """`serve` for this class of policies: one call from Python per round instead of four."""
    names = ("rank", "propensity", "remember", "full")
    return _bound(serve, cls, **{name: getattr(cls.kernels, name) for name in names})


def batch_server_for(cls: Any) -> Any:
    """`serve_many` for this class of compiled policies."""
    names = ("rank", "propensity", "remember", "full")
    return _bound(serve_many, cls, **{name: getattr(cls.kernels, name) for name in names})


def passer_for(cls: Any) -> Any:
    """`let_pass` for this class of policies."""
    kernels: PolicyKernels = cls.kernels
    return _bound(let_pass, cls, full=kernels.full, pass_round=kernels.pass_round or kernels.rank)


def _bound(template: Any, cls: Any, **functions: Any) -> Any:
    """`template` with its placeholders filled in, compiled unless the policy is plain Python."""
    if cls.kernels.compiled:
        return bind(template, compile_label(cls), **functions)
    return interpreted(template, **functions)


def interpreted(template: Any, **functions: Any) -> Any:
    """`template` with its placeholders filled in, as ordinary Python."""
    plain = {name: getattr(function, "py_func", function) for name, function in functions.items()}
    names = {**template.__globals__, **plain, "at_round": round_address}
    return FunctionType(template.__code__, names, template.__name__)


def round_address(key: np.uint64, round_: int) -> Rng:
    """Like `at_round`, in ordinary Python; numpy's integers tell numba the type of each number."""
    return Rng(key, np.uint64(round_ << DRAW_BITS))
