from pathlib import Path

import pytest

from tests.server.stores import opened
from unirank.server.leases import Leases
from unirank.server.store.database import StoreUnavailable


def test_no_two_processes_take_the_same_number(tmp_path: Path) -> None:
    with opened(tmp_path / "l.sqlite") as one, opened(tmp_path / "l.sqlite") as two:
        leases = Leases(one, block=3), Leases(two, block=3)
        taken = []
        for _ in range(10):
            for each in leases:
                taken.append(each.take())
                each.refill()
    assert len(set(taken)) == 20
    assert min(taken) == 1


def test_without_a_refill_the_numbers_end(tmp_path: Path) -> None:
    with opened(tmp_path / "l.sqlite") as store:
        leases = Leases(store, block=2)
        assert [leases.take(), leases.take()] == [1, 2]
        with pytest.raises(StoreUnavailable, match="no numbers are left"):
            leases.take()
