"""Tokens that nobody gave: a genuine one, changed in one of many ways."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from random import Random
from string import ascii_letters, digits

LETTERS = ascii_letters + digits + "-_"
Change = Callable[[str, str, Random], str]


def _bytes(token: str) -> bytearray:
    return bytearray(urlsafe_b64decode(token + "=="))


def _text(content: bytes | bytearray) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def one_letter(token: str, other: str, chance: Random) -> str:
    place = chance.randrange(len(token))
    return token[:place] + chance.choice(LETTERS) + token[place + 1 :]


def one_letter_more(token: str, other: str, chance: Random) -> str:
    place = chance.randrange(len(token) + 1)
    return token[:place] + chance.choice(LETTERS + "= \n+/.%") + token[place:]


def some_letters_less(token: str, other: str, chance: Random) -> str:
    start = chance.randrange(len(token))
    return token[:start] + token[start + chance.randint(1, 8) :]


def cut(token: str, other: str, chance: Random) -> str:
    return token[: chance.randrange(len(token))]


def two_letters_swapped(token: str, other: str, chance: Random) -> str:
    letters = list(token)
    i, j = chance.randrange(len(letters)), chance.randrange(len(letters))
    letters[i], letters[j] = letters[j], letters[i]
    return "".join(letters)


def some_bits(token: str, other: str, chance: Random) -> str:
    content = _bytes(token)
    for _ in range(chance.randint(1, 3)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return _text(content)


def head_and_tail(token: str, other: str, chance: Random) -> str:
    """The body of one, the seal of another."""
    place = chance.randrange(1, min(len(token), len(other)))
    return token[:place] + other[place:]


def another_page(token: str, other: str, chance: Random) -> str:
    """The page's number is the byte after the id; the seal stays."""
    content = _bytes(token)
    content[chance.randrange(2, 12)] = chance.randrange(256)
    return _text(content)


def other_letters(token: str, other: str, chance: Random) -> str:
    return chance.choice([token.upper(), token.lower(), token[::-1], token + "=", token + token])


def any_text(token: str, other: str, chance: Random) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randrange(1, 300)))


CHANGES: Sequence[Change] = (
    one_letter,
    one_letter_more,
    some_letters_less,
    cut,
    two_letters_swapped,
    some_bits,
    head_and_tail,
    another_page,
    other_letters,
    any_text,
)


def mutated(tokens: Sequence[str], chance: Random) -> str:
    """A text that is none of the tokens."""
    while True:
        token, other = chance.choice(tokens), chance.choice(tokens)
        text = chance.choice(CHANGES)(token, other, chance)
        if text not in tokens:
            return text
