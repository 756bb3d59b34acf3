"""Random numbers with addresses: the number at (seed, game, stream, round, draw) never changes.

The generator is Widynski's Squares (five rounds, 64-bit output), on Python integers.
"""

from collections.abc import Iterator

POLICY, USERS, GAME = 0, 1, 2
DRAWS_PER_ROUND = 2**24


def modulo_64_bits(number: int) -> int:
    return number % 2**64


def stream_key(seed: int, game: int, stream: int) -> int:
    key = 0
    for part in (seed, game, stream):
        key = modulo_64_bits((key ^ part) + 0x9E3779B97F4A7C15)
        key = modulo_64_bits((key ^ (key >> 30)) * 0xBF58476D1CE4E5B9)
        key = modulo_64_bits((key ^ (key >> 27)) * 0x94D049BB133111EB)
        key ^= key >> 31
    return key | 1


def swap_halves(number: int) -> int:
    return (number >> 32) | modulo_64_bits(number << 32)


def squares64(counter: int, key: int) -> int:
    x = y = modulo_64_bits(counter * key)
    z = modulo_64_bits(y + key)
    x = swap_halves(modulo_64_bits(x * x + y))
    x = swap_halves(modulo_64_bits(x * x + z))
    x = swap_halves(modulo_64_bits(x * x + y))
    t = modulo_64_bits(x * x + z)
    x = swap_halves(t)
    return t ^ (modulo_64_bits(x * x + y) >> 32)


class Rng:
    """The numbers of one round of one stream, each read at its own draw."""

    def __init__(self, seed: int, game: int, stream: int, round: int) -> None:
        self.key = stream_key(seed, game, stream)
        self.first_counter = round * DRAWS_PER_ROUND

    def bits(self, draw: int) -> int:
        return squares64(self.first_counter + draw, self.key)

    def uniform(self, draw: int) -> float:
        """Return a number of [0, 1)."""
        return (self.bits(draw) >> 11) * 2.0**-53

    def chain(self, draw: int) -> Iterator[float]:
        """Yield numbers inside (0, 1): the bits of each are the counter of the next."""
        bits = self.bits(draw)
        while True:
            yield ((bits >> 12) + 0.5) / 2**52
            bits = squares64(bits, self.key)

    def below(self, draw: int, n: int) -> int:
        """Return an integer of 0..n-1, each exactly as likely (Lemire's rejection)."""
        bits = self.bits(draw)
        product = (bits >> 32) * n
        while product % 2**32 < (2**32 - n) % n:
            bits = squares64(bits, self.key)
            product = (bits >> 32) * n
        return product >> 32


def shuffled_prefix(items: list[int], first_place: int, n_places: int, rng: Rng) -> list[int]:
    """Shuffle a list that starts at first_place of a page, as far as place n_places.

    Draw p fills place p of the page, whichever subset of items stands there.
    """
    order = list(items)
    end = first_place + len(order)
    for place in range(first_place, min(n_places, end - 1)):
        filled = place - first_place
        chosen = filled + rng.below(place, end - place)
        order[filled], order[chosen] = order[chosen], order[filled]
    return order


def game_shuffle(seed: int, game: int, n_items: int) -> list[int]:
    """Return the order of the items at the start of a game."""
    return shuffled_prefix(list(range(n_items)), 0, n_items, Rng(seed, game, GAME, 0))
