"""Tokens: what is sealed is read back; anything else is refused in one line."""

import base64

import numpy as np
import pytest

from unirank import ArgumentError
from unirank.page.token import Seal, sealed, unsealed

SEAL = Seal(policy=2**64 - 1, epoch=7)
SIGNED = Seal(policy=5, epoch=7, key=b"secret")
RANKING = np.array([3, 0, 999])


def told(text: str, key: bytes = b"", n_positions: int = 3) -> str:
    with pytest.raises(ArgumentError) as caught:
        unsealed(text, key, n_positions)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("seal", [SEAL, SIGNED])
@pytest.mark.parametrize("number", [1, 2**32, 2**40 - 1])
@pytest.mark.parametrize("ranking", [[3, 0, 999], [65_535, 1, 2], [65_536, 1, 2]])
@pytest.mark.parametrize("memory", [b"", b"why", bytes(100)])
def test_what_is_sealed_is_read_back(
    seal: Seal, number: int, ranking: list[int], memory: bytes
) -> None:
    token = unsealed(sealed(seal, number, np.array(ranking), memory), seal.key, 3)
    assert (token.policy, token.epoch, token.round) == (seal.policy, seal.epoch, number)
    assert (token.ranking.tolist(), token.memory) == (ranking, memory)


def test_a_token_is_a_text_for_addresses() -> None:
    text = sealed(SIGNED, 9, RANKING, bytes(range(256)))
    assert text.replace("-", "a").replace("_", "a").isalnum()


@pytest.mark.parametrize("seal", [SEAL, SIGNED])
def test_a_token_that_was_changed_anywhere_is_refused(seal: Seal) -> None:
    text = sealed(seal, 9, RANKING, b"why")
    content = base64.urlsafe_b64decode(text + "==")
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 4
        text = base64.urlsafe_b64encode(changed).decode()
        assert told(text, seal.key).startswith(("token must be", "token is signed"))


@pytest.mark.parametrize("text", ["", "A", "1", "!!", "käse", "A" * 50, "\0", "a b", "=" * 9])
def test_another_text_is_refused(text: str) -> None:
    assert told(text).startswith("token must be a text that shown.token gave, got ")


def test_a_token_cut_short_is_refused() -> None:
    text = sealed(SEAL, 9, RANKING, b"")
    for length in range(len(text) - 1):
        assert told(text[:length]).startswith("token must be")


def test_a_token_of_another_key_is_refused() -> None:
    text = sealed(SIGNED, 9, RANKING, b"")
    assert told(text, b"other").startswith("token must be signed with this policy's token_key")


def test_a_signed_token_needs_the_key() -> None:
    text = sealed(SIGNED, 9, RANKING, b"")
    assert told(text) == "token is signed: give the policy the token_key= it was signed with"


def test_a_policy_with_a_key_wants_signed_tokens() -> None:
    text = sealed(SEAL, 9, RANKING, b"")
    assert told(text, b"secret").endswith("got one without a signature")
