"""A tenth of what `make faults` does: nothing that was acknowledged is lost or counted twice."""

import signal
from pathlib import Path
from random import Random
from time import sleep

from tests.server.cluster import cluster, needs_postgresql
from tests.server.faults.audit import audited, disagreeing
from tests.server.faults.fleet import Fleet, fleet
from tests.server.faults.load import Record, visitors
from tests.server.process import eventually
from tests.server.stores import opened

N_KILLS = 20


def kill_again_and_again(fleet: Fleet, record: Record, n_kills: int, chance: Random) -> None:
    """`kill -9` of a process at a random moment under load, and begin it again.

    Of five, four are killed when all processes have answered again and so many more clicks were
    acknowledged, in order that there is something to lose; one is killed whatever it is doing.
    """
    for _ in range(n_kills):
        if chance.random() < 0.8:
            fleet.wait_until_ready()
            wanted = len(record.acknowledged) + chance.randrange(1, 40)
            eventually(lambda wanted=wanted: len(record.acknowledged) >= wanted, 20.0)
        sleep(chance.random() * 0.1)
        victim = chance.randrange(len(fleet.ports))
        fleet.end(victim, signal.SIGKILL)
        fleet.begin(victim)
    fleet.wait_until_ready()


def test_kills_on_sqlite_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "pages.sqlite")
    with fleet(path, tmp_path) as started, opened(path) as store:
        with visitors(started.ports, started.key, 4) as record:
            kill_again_and_again(started, record, N_KILLS, Random(1))
        assert record.faults == []
        assert len(record.acknowledged) > 5 * N_KILLS
        assert audited(store, record) == (0, 0, 0, 0, 0)
        assert disagreeing(started, store) == 0


@needs_postgresql
def test_kills_of_three_processes_and_of_postgresql_lose_nothing(tmp_path: Path) -> None:
    with cluster() as postgresql, fleet(postgresql.url(), tmp_path, 3) as started:
        with visitors(started.ports, started.key, 4) as record:
            kill_again_and_again(started, record, N_KILLS, Random(2))
            for _ in range(2):
                seen = len(record.acknowledged)
                eventually(lambda seen=seen: len(record.acknowledged) > seen + 10, 20.0)
                postgresql.stop("immediate")
                postgresql.start()
        assert record.faults == []
        assert len(record.acknowledged) > 5 * N_KILLS
        with opened(postgresql.url()) as store:
            assert audited(store, record) == (0, 0, 0, 0, 0)
            assert disagreeing(started, store) == 0
