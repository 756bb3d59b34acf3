"""The compiled side, on a toy that shows the first items and grows every third round."""

from math import isnan
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from unirank.policies import RandomOrder
from unirank.policies.base.kernels import (
    SEEN_BITS,
    PolicyKernels,
    batch_server_for,
    bound_later,
    compile_label,
    serve,
    server_for,
)
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import POLICY, Rng, below, stream_key

KEY = np.uint64(stream_key(5, 0, POLICY))


class Toy(NamedTuple):
    rounds: NDArray[np.int64]  # (1,)


@compiled
def rank_toy(state: Toy, rng: Rng, ranking: NDArray[np.int64]) -> None:
    state.rounds[0] += 1
    for position in range(ranking.size):
        ranking[position] = 10 * position + below(rng, position, 10)


@compiled
def update_toy(state: Toy, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    return


@compiled
def propensity_toy(state: Toy, ranking: NDArray[np.int64]) -> float:
    return 1.0 / (1.0 + float(state.rounds[0]))


@compiled
def full_toy(state: Toy) -> bool:
    return bool(state.rounds[0] >= 3)


PLAIN = PolicyKernels(rank_toy, update_toy)
RICH = PolicyKernels(rank_toy, update_toy, propensity=propensity_toy, full=full_toy)


def toy(kernels: PolicyKernels) -> Any:
    """A class with these kernels."""
    return SimpleNamespace(name="toy", kernels=kernels, __module__=__name__)


def served(kernels: PolicyKernels, rounds_before: int, round_: int) -> tuple[float, list[int], int]:
    """Propensity, ranking and rounds counted after serving once."""
    state, ranking = Toy(np.array([rounds_before])), np.full(2, -1)
    memory = np.zeros(4, np.uint8)
    chance, _ = server_for(toy(kernels))(state, KEY, round_, ranking, memory)
    return chance, ranking.tolist(), int(state.rounds[0])


def test_by_default_no_round_is_held() -> None:
    assert PLAIN.hold(Toy(np.zeros(1, np.int64)), 100, np.zeros(2, np.int64)) == 0


def test_by_default_the_propensity_is_unknown() -> None:
    assert isnan(PLAIN.propensity(Toy(np.zeros(1, np.int64)), np.zeros(2, np.int64)))


def test_by_default_the_object_remembers() -> None:
    assert PLAIN.remember(Toy(np.zeros(1, np.int64)), np.zeros(2, np.uint8)) == -1


def test_by_default_a_state_is_never_full() -> None:
    assert not PLAIN.full(Toy(np.zeros(1, np.int64)))


def test_serving_ranks_with_the_numbers_of_the_round() -> None:
    rng = Rng(KEY, np.uint64(7 << 24))
    assert served(PLAIN, 0, 7)[1] == [below(rng, 0, 10), 10 + below(rng, 1, 10)]


def test_serving_another_round_reads_other_numbers() -> None:
    assert len({tuple(served(PLAIN, 0, round_)[1]) for round_ in range(1, 9)}) > 4


def test_serving_returns_the_propensity_after_ranking() -> None:
    assert served(RICH, 1, 1)[0] == 1 / 3


def test_serving_a_policy_that_cannot_tell_returns_nan() -> None:
    assert isnan(served(PLAIN, 0, 1)[0])


def test_serving_a_full_state_asks_for_growth_and_does_nothing() -> None:
    assert served(RICH, 3, 1) == (-1.0, [-1, -1], 3)


def test_serving_many_stops_at_a_full_state() -> None:
    rankings, numbers = np.full((5, 2), -1), np.zeros(5, np.int64)
    room, words, seen = np.zeros(0, np.uint8), np.zeros(0, np.uint64), np.full(2**SEEN_BITS, -1)
    memories = np.zeros(5, np.int32), numbers, numbers.copy(), words, seen
    out = rankings, np.zeros(5), room, words, *memories
    state = Toy(np.array([1]))
    assert batch_server_for(toy(RICH))(state, KEY, 7, *out) == (2, 1)
    assert rankings[:2].tolist() == [served(RICH, n, 7 + n)[1] for n in range(2)]
    assert rankings[2:].tolist() == [[-1, -1]] * 3


def test_a_server_is_compiled_once_per_policy() -> None:
    assert server_for(toy(RICH)) is server_for(toy(RICH))


def test_two_policies_have_their_own_servers() -> None:
    assert server_for(toy(RICH)) is not server_for(toy(PLAIN))


@pytest.mark.parametrize("unbound", [bound_later, serve])
def test_an_unbound_server_says_so(unbound: Any) -> None:
    with pytest.raises(AssertionError, match="serve must be bound to a policy"):
        unbound(Toy(np.zeros(1, np.int64)), KEY, 1, np.zeros(2, np.int64), np.zeros(1, np.uint8))


def test_compiled_code_of_a_users_class_is_named_after_its_module() -> None:
    own = type("Own", (RandomOrder,), {"__module__": "shop.pages"})
    assert (compile_label(own), compile_label(RandomOrder)) == ("Own@shop-pages", "random")
