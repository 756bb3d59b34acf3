import msgspec

from tests.server.stores import view
from unirank.server.view import View


def test_a_view_is_a_short_list_in_msgpack() -> None:
    packed = msgspec.msgpack.encode(view())
    assert isinstance(msgspec.msgpack.decode(packed), list)
    assert msgspec.msgpack.decode(packed, type=View) == view()
    assert len(packed) < 80
