"""Fields are found, compared and hashed as Python does it with strings."""

import numpy as np

from unirank.logs.reading.yandex.text import (
    FNV_PRIME,
    FNV_START,
    comes_before,
    hashed,
    is_letter,
    same_field,
    span,
    text_of,
    word,
)

LINES = ["a\tbb\t\tlong enough for two words", "", "\t", "é\tA\tlong enough for two words", "bb\tB"]
BLOCK = "".join(f"{line}\n" for line in LINES).encode()
FIELDS = [field.encode() for line in LINES for field in line.split("\t")]


def test_fields_stand_between_stops() -> None:
    text = text_of(BLOCK)
    spans = [span(text, field) for field in range(text.stops.size - 1)]
    assert [BLOCK[start:end] for start, end in spans] == FIELDS


def test_fields_are_compared_by_their_bytes() -> None:
    text = text_of(BLOCK)
    for one, a in enumerate(FIELDS):
        assert is_letter(text, one, ord("A")) == (a == b"A")
        for other, b in enumerate(FIELDS):
            assert same_field(text, one, other) == (a == b)
            assert comes_before(text, one, other) == (a < b)


def test_a_difference_anywhere_makes_texts_different() -> None:
    content = bytes(range(60, 90))  # three words and a rest
    for size in range(1, len(content)):
        for place in range(size):
            other = bytearray(content[:size])
            other[place] ^= 1
            text = text_of(b"%s\t%s\n" % (content[:size], bytes(other)))
            assert not same_field(text, 0, 1)
            codes = {int(hashed(text.text, *span(text, field), FNV_START)) for field in (0, 1)}
            assert len(codes) == 2


def test_short_texts_have_the_published_hash() -> None:
    text = np.frombuffer(b"foobar\n", np.uint8)
    assert int(hashed(text, 0, 6, FNV_START)) == 0x85944171F73967E8  # of FNV-1a, 64 bits
    assert int(FNV_START) == 14695981039346656037
    assert int(FNV_PRIME) == 1099511628211


def test_a_word_is_eight_bytes() -> None:
    text = np.frombuffer(bytes(range(1, 12)), np.uint8)
    assert int(word(text, 2)) == int.from_bytes(bytes(range(3, 11)), "little")
