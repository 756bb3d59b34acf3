"""The generator of a plain policy: numpy's, the same in every replay of a round."""

import numpy as np

from tests.reference.randomness import Rng as LiteralRng
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.kernels.randomness import POLICY, address


def numbers(rng: RoundRng) -> list[float]:
    return [*rng.random(3), *rng.permutation(5), rng.integers(10), rng.beta(2, 3)]


def test_a_round_has_the_same_numbers_whatever_was_drawn_before() -> None:
    rng = RoundRng()
    first = numbers(rng.at(address(1, 0, POLICY, 7)))
    rng.at(address(1, 0, POLICY, 8)).integers(100, dtype=np.int32)  # half a number stays buffered
    assert numbers(rng.at(address(1, 0, POLICY, 7))) == first
    assert numbers(RoundRng().at(address(1, 0, POLICY, 7))) == first


def test_seeds_games_and_rounds_have_numbers_of_their_own() -> None:
    rng = RoundRng()
    places = [(1, 0, 1), (2, 0, 1), (1, 1, 1), (1, 0, 2)]
    found = {tuple(numbers(rng.at(address(s, g, POLICY, r)))) for s, g, r in places}
    assert len(found) == len(places)


def test_uniform_numbers_are_uniform_over_rounds() -> None:
    rng = RoundRng()
    first = [rng.at(address(3, 0, POLICY, r)).random() for r in range(1, 20_001)]
    counts = np.histogram(first, bins=20, range=(0, 1))[0]
    assert abs(counts - 1000).max() < 5 * 31  # five standard deviations


def test_draws_are_the_addressed_numbers_of_the_kernels() -> None:
    draws, literal = RoundRng().at(address(5, 2, POLICY, 9)).draws, LiteralRng(5, 2, POLICY, 9)
    for draw in range(50):
        assert draws.uniform(draw) == literal.uniform(draw)
        assert draws.below(draw, 7) == literal.below(draw, 7)
        assert int(draws.bits(draw)) == literal.bits(draw)
        assert draws.of_game().bits(draw) == LiteralRng(5, 2, POLICY, 0).bits(draw)
