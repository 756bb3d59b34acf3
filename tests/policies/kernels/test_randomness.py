"""Bits equal to the twin's, and chi-square tests of what the bits are for.

Each statistical test has fixed addresses and asks for a p-value between SIGNIFICANCE and
1 - SIGNIFICANCE: numbers that are too regular fail as well.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from tests.reference import randomness as twin
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import (
    DRAW_BITS,
    GAME,
    LARGEST_ROUND,
    POLICY,
    USERS,
    address,
    at_round,
    below,
    inner_uniform,
    random_bits,
    stream_key,
    uniform,
)

SIGNIFICANCE = 1e-4
N_NUMBERS = 2**17
ADDRESS = ["seed", "game", "stream", "round", "draw"]

seeds = st.integers(0, 2**63 - 1)
games = st.integers(0, 2**40)
streams = st.sampled_from([POLICY, USERS, GAME])
rounds = st.integers(0, LARGEST_ROUND)
draws = st.integers(0, 2**DRAW_BITS - 1)
sizes = st.one_of(st.integers(1, 100), st.integers(2**31 - 100, 2**31 + 100), st.just(2**32 - 1))


@compiled
def read_uniforms(
    keys: NDArray[np.uint64], places: NDArray[np.int64], numbers: NDArray[np.float64]
) -> None:
    for n in range(numbers.size):
        round_, draw = places[n]
        numbers[n] = uniform(at_round(keys[n], round_), draw)


@compiled
def read_below(key: np.uint64, size: int, numbers: NDArray[np.int64]) -> None:
    for n in range(numbers.size):
        numbers[n] = below(at_round(key, n), 5, size)


def uniforms_along(part: str, **fixed: int) -> NDArray[np.float64]:
    """Numbers at N_NUMBERS addresses that differ in one part only, which counts from 0."""
    addresses = np.zeros((N_NUMBERS, len(ADDRESS)), np.int64)
    for name, value in fixed.items():
        addresses[:, ADDRESS.index(name)] = value
    addresses[:, ADDRESS.index(part)] = np.arange(N_NUMBERS)
    numbers = np.empty(N_NUMBERS)
    rows = [tuple(row) for row in addresses[:, :3].tolist()]
    key_of = {row: stream_key(*row) for row in set(rows)}
    keys = np.array([key_of[row] for row in rows], np.uint64)
    read_uniforms(keys, addresses[:, 3:].copy(), numbers)
    return numbers


def is_fair(cells: NDArray[np.int64], n_cells: int) -> bool:
    p_value = stats.chisquare(np.bincount(cells, minlength=n_cells)).pvalue
    return bool(SIGNIFICANCE < p_value < 1 - SIGNIFICANCE)


def top_digit(numbers: NDArray[np.float64], base: int) -> NDArray[np.int64]:
    return (numbers * base).astype(np.int64)


@given(seeds, games, streams, rounds, draws)
def test_bits_are_those_of_the_twin(
    seed: int, game: int, stream: int, round: int, draw: int
) -> None:
    expected = twin.Rng(seed, game, stream, round).bits(draw)
    assert int(random_bits(address(seed, game, stream, round), draw)) == expected


@given(seeds, games, streams, rounds, draws)
def test_uniforms_are_those_of_the_twin(
    seed: int, game: int, stream: int, round: int, draw: int
) -> None:
    expected = twin.Rng(seed, game, stream, round).uniform(draw)
    assert uniform(address(seed, game, stream, round), draw) == expected


@given(seeds, games, streams, rounds, draws, sizes)
def test_bounded_integers_are_those_of_the_twin(
    seed: int, game: int, stream: int, round: int, draw: int, size: int
) -> None:
    expected = twin.Rng(seed, game, stream, round).below(draw, size)
    assert below(address(seed, game, stream, round), draw, size) == expected


@pytest.mark.parametrize("size", [3 * 2**29, 2**31 - 1, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_bounded_integers_often_rejected_are_those_of_the_twin(size: int) -> None:
    numbers = np.empty(2000, np.int64)
    read_below(np.uint64(stream_key(11, 3, USERS)), size, numbers)
    assert numbers.tolist() == [twin.Rng(11, 3, USERS, n).below(5, size) for n in range(2000)]


@given(seeds, games, streams, rounds)
def test_an_address_in_plain_python_is_the_round_that_compiled_code_reads(
    seed: int, game: int, stream: int, round: int
) -> None:
    compiled_address = at_round(np.uint64(stream_key(seed, game, stream)), round)
    assert address(seed, game, stream, round) == compiled_address


def test_every_stream_of_every_game_of_every_seed_has_an_odd_key_of_its_own() -> None:
    large = [2**31, 2**62, 2**63 - 1]
    keys = [
        int(stream_key(seed, game, stream))
        for seed in [*range(20), *large]
        for game in [*range(20), *large]
        for stream in (POLICY, USERS, GAME)
    ]
    assert len(set(keys)) == len(keys) == 23 * 23 * 3
    assert all(key % 2 == 1 for key in keys)


def test_the_last_draw_of_a_round_is_not_the_first_of_the_next() -> None:
    key = np.uint64(stream_key(0, 0, POLICY))
    last_counter = int(at_round(key, 6).base) + 2**DRAW_BITS - 1
    assert last_counter + 1 == int(at_round(key, 7).base)


@pytest.mark.parametrize("part", ADDRESS)
def test_top_digits_are_uniform_along_each_part_of_the_address(part: str) -> None:
    assert is_fair(top_digit(uniforms_along(part), 256), 256)


@pytest.mark.parametrize("part", ADDRESS)
def test_last_digits_are_uniform_along_each_part_of_the_address(part: str) -> None:
    last_byte = (uniforms_along(part) * 2**53).astype(np.int64) % 256
    assert is_fair(last_byte, 256)


@pytest.mark.parametrize("part", ADDRESS)
def test_each_of_the_53_bits_is_set_half_the_time(part: str) -> None:
    bits = (uniforms_along(part) * 2**53).astype(np.uint64)
    ones = np.array([np.sum(bits >> np.uint64(place) & np.uint64(1)) for place in range(53)])
    z_scores = (ones - N_NUMBERS / 2) / np.sqrt(N_NUMBERS / 4)
    assert SIGNIFICANCE < stats.chi2.sf(np.sum(z_scores**2), 53) < 1 - SIGNIFICANCE


@pytest.mark.parametrize("lag", [1, 2, 3])
@pytest.mark.parametrize("part", ADDRESS)
def test_a_number_says_nothing_of_those_soon_after_it(part: str, lag: int) -> None:
    digits = top_digit(uniforms_along(part), 16)
    pairs = (16 * digits[:-lag] + digits[lag:])[:: lag + 1]
    assert is_fair(pairs, 256)


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ({"stream": POLICY}, {"stream": USERS}),
        ({"stream": USERS}, {"stream": GAME}),
        ({"game": 0}, {"game": 1}),
        ({"seed": 0}, {"seed": 1}),
        ({"seed": 1, "game": 2}, {"seed": 2, "game": 1}),
        ({"draw": 0}, {"draw": 1}),
    ],
)
def test_the_same_rounds_elsewhere_are_independent(
    here: dict[str, int], there: dict[str, int]
) -> None:
    first, second = uniforms_along("round", **here), uniforms_along("round", **there)
    assert is_fair(16 * top_digit(first, 16) + top_digit(second, 16), 256)


def test_neighbouring_draws_of_neighbouring_rounds_are_jointly_uniform() -> None:
    digits = [
        top_digit(uniforms_along("round", draw=draw), 8)[start::2]
        for draw in (0, 1)
        for start in (0, 1)
    ]
    assert is_fair(np.ravel_multi_index(tuple(digits), (8, 8, 8, 8)), 8**4)


@pytest.mark.parametrize("size", [2, 3, 5, 6, 7, 10, 100, 1000])
def test_bounded_integers_are_uniform(size: int) -> None:
    numbers = np.empty(N_NUMBERS, np.int64)
    read_below(np.uint64(stream_key(5, 0, POLICY)), size, numbers)
    assert is_fair(numbers, size)


@pytest.mark.parametrize(
    ("size", "period"), [(3 * 2**29, 3), (5 * 2**29, 5), (3 * 2**30, 3), (7 * 2**29, 7)]
)
def test_large_bounded_integers_are_not_biased(size: int, period: int) -> None:
    # Without rejection 2**32 numbers fall on these sizes with this period: by 4/3 or more.
    numbers = np.empty(N_NUMBERS, np.int64)
    read_below(np.uint64(stream_key(6, 0, POLICY)), size, numbers)
    assert is_fair(numbers % period, period)


@pytest.mark.parametrize("size", [1, 3, 2**31 + 1, 2**32 - 1])
def test_bounded_integers_stay_below_their_bound(size: int) -> None:
    numbers = np.empty(N_NUMBERS, np.int64)
    read_below(np.uint64(stream_key(8, 0, POLICY)), size, numbers)
    assert numbers.min() >= 0
    assert size - 1 - size // 1000 <= numbers.max() < size


@given(seeds, games, streams, rounds, draws)
def test_inner_uniforms_are_those_of_the_twin(
    seed: int, game: int, stream: int, round: int, draw: int
) -> None:
    expected = next(twin.Rng(seed, game, stream, round).chain(draw))
    bits = np.uint64(random_bits(address(seed, game, stream, round), draw))
    assert inner_uniform(bits) == expected


def test_inner_uniforms_never_reach_either_end() -> None:
    ends = [inner_uniform(np.uint64(bits)) for bits in (0, 2**64 - 1)]
    assert ends == [2.0**-53, 1 - 2.0**-53]
