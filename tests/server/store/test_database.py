from unirank.errors import UnirankError
from unirank.server.store.database import StoreUnavailable


def test_an_unavailable_store_is_an_error_of_ours() -> None:
    assert issubclass(StoreUnavailable, UnirankError)
