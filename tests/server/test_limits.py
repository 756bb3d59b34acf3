import pytest

from unirank.server.limits import Limits, TooManyRequests


def test_a_bucket_holds_two_seconds_and_fills_again() -> None:
    limits = Limits(requests_per_s=10.0)
    for _ in range(20):
        limits.count("key", now=0.0)
    with pytest.raises(TooManyRequests, match="10 requests a second"):
        limits.count("key", now=0.05)
    limits.count("other", now=0.05)
    limits.count("key", now=0.2)
