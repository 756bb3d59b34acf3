import msgspec

from tests.server.stores import impression
from unirank.server.impression import Impression


def test_an_impression_is_a_short_list_in_msgpack() -> None:
    packed = msgspec.msgpack.encode(impression())
    assert isinstance(msgspec.msgpack.decode(packed), list)
    assert msgspec.msgpack.decode(packed, type=Impression) == impression()
    assert len(packed) < 80
