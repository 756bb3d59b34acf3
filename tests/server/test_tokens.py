import base64
import hmac

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.stores import view
from unirank.errors import ArgumentError
from unirank.server.tokens import sealed, unsealed

KEY = b"k" * 32


def test_a_token_carries_the_whole_view() -> None:
    shown = view(2**40 - 1, items=["tea", 7], available=["tea", 7, "pot"], deferred=True)
    assert unsealed(sealed(shown, KEY), KEY) == shown


def test_a_token_of_another_key_is_refused() -> None:
    with pytest.raises(ArgumentError, match="token must be one that this service gave"):
        unsealed(sealed(view(), KEY), b"other" * 8)


@given(st.data())
def test_no_changed_letter_is_accepted(data: st.DataObject) -> None:
    token = sealed(view(), KEY)
    place = data.draw(st.integers(0, len(token) - 1))
    letter = data.draw(st.characters(codec="ascii"))
    changed = token[:place] + letter + token[place + 1 :]
    if changed != token:
        with pytest.raises(ArgumentError):
            unsealed(changed, KEY)


@given(st.text())
def test_no_other_text_is_accepted(text: str) -> None:
    with pytest.raises(ArgumentError):
        unsealed(text, KEY)


@pytest.mark.parametrize("body", [b"\x02", b"\x01\xff", b"\x01" + msgspec.msgpack.encode([1])])
def test_a_signed_body_that_is_no_view_is_refused(body: bytes) -> None:
    text = base64.urlsafe_b64encode(body + hmac.digest(KEY, body, "sha256")[:16])
    with pytest.raises(ArgumentError):
        unsealed(text.rstrip(b"=").decode(), KEY)
