"""A tenth of what `make faults` does: nothing that was acknowledged is lost or counted twice."""

import signal
from pathlib import Path
from random import Random
from time import sleep

from tests.server.cluster import cluster, needs_postgresql
from tests.server.faults.audit import audited, disagreeing
from tests.server.faults.fleet import Fleet, fleet
from tests.server.faults.load import visitors
from tests.server.stores import opened


def kill_again_and_again(fleet: Fleet, n_kills: int, chance: Random) -> None:
    """`kill -9` of a process at a random moment, and begin it again."""
    for _ in range(n_kills):
        sleep(chance.random() * 0.4)
        victim = chance.randrange(len(fleet.ports))
        fleet.end(victim, signal.SIGKILL)
        fleet.begin(victim)
        if len(fleet.ports) == 1:
            fleet.wait_until_ready()
    fleet.wait_until_ready()


def test_kills_on_sqlite_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "pages.sqlite")
    with fleet(path, tmp_path) as started, opened(path) as store:
        with visitors(started.ports, started.key, 4) as record:
            kill_again_and_again(started, 10, Random(1))
        assert record.faults == []
        assert len(record.acknowledged) > 20
        assert audited(store, record) == (0, 0, 0, 0, 0)
        assert disagreeing(started, store) == 0


@needs_postgresql
def test_kills_of_three_processes_and_of_postgresql_lose_nothing(tmp_path: Path) -> None:
    with cluster() as postgresql, fleet(postgresql.url(), tmp_path, 3) as started:
        with visitors(started.ports, started.key, 4) as record:
            kill_again_and_again(started, 10, Random(2))
            for _ in range(2):
                sleep(0.3)
                postgresql.stop("immediate")
                postgresql.start()
        assert record.faults == []
        assert len(record.acknowledged) > 20
        with opened(postgresql.url()) as store:
            assert audited(store, record) == (0, 0, 0, 0, 0)
            assert disagreeing(started, store) == 0
