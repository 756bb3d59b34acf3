"""The database stops, or its disk is full: lists are given, no click is acknowledged falsely."""

import os
import resource
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep

from tests.server.cluster import cluster, needs_postgresql
from tests.server.faults.audit import audited
from tests.server.faults.fleet import fleet
from tests.server.faults.load import PAGES, Client, visitors
from tests.server.process import eventually
from tests.server.stores import opened


def ranked_for(seconds: float, ports: Sequence[int], key: str) -> Counter[int]:
    """How rank is answered, again and again, by every process for every page."""
    client, statuses, until = Client(ports, key), Counter[int](), monotonic() + seconds
    while monotonic() < until:
        for process in range(len(ports)):
            for page in PAGES:
                statuses[client.send(process, "POST", f"/v1/pages/{page}/rank").status] += 1
    client.close()
    return statuses


@needs_postgresql
def test_while_postgresql_is_stopped_views_are_given_and_clicks_are_not_acknowledged(
    tmp_path: Path,
) -> None:
    with cluster("-c fsync=off") as postgresql, fleet(postgresql.url(), tmp_path, 2) as started:
        with visitors(started.ports, started.key, 4) as record:
            sleep(0.5)
            postgresql.signal(signal.SIGSTOP)
            try:
                sleep(0.3)  # what was on its way has arrived
                with record.lock:
                    before = record.answers.copy()
                statuses = ranked_for(4.0, started.ports, started.key)
                with record.lock:
                    during = record.answers - before
            finally:
                postgresql.signal(signal.SIGCONT)
            sleep(0.5)
        assert set(statuses) == {200}
        assert set(during) <= {"rank 200", "clicks 503"}
        assert during["clicks 503"] > 0
        assert record.answers["rank 503"] == record.answers["rank no answer"] == 0
        with opened(postgresql.url()) as store:
            assert audited(store, record) == (0, 0, 0, 0, 0)


def test_a_full_disk_is_503_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "pages.sqlite"
    with fleet(path, tmp_path) as started:
        pid = started.pid()
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        with visitors(started.ports, started.key, 4) as record:
            sleep(0.3)
            wal = path.with_name("pages.sqlite-wal")
            full = max(os.stat(path).st_size, os.stat(wal).st_size) // 4096 * 4096
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (full, hard))
            eventually(lambda: record.answers["clicks 503"] > 3, 20.0)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
            with record.lock:
                before = record.answers["clicks 202"]
            eventually(lambda: record.answers["clicks 202"] > before, 20.0)
        assert record.faults == []
        assert "rank 503" not in record.answers
        with opened(path) as store:
            assert audited(store, record) == (0, 0, 0, 0, 0)


@needs_postgresql
def test_a_rolling_restart_fails_no_request_that_is_sent_once_more(tmp_path: Path) -> None:
    with cluster("-c fsync=off") as postgresql, fleet(postgresql.url(), tmp_path, 2) as started:
        with visitors(started.ports, started.key, 3, patience=1) as record:
            for index in range(2):
                sleep(0.5)
                began = monotonic()
                assert started.end(index, signal.SIGTERM) == 0
                assert monotonic() - began < 5.0
                started.begin(index)
                started.wait_until_ready()
        assert record.n_given_up == 0
        with opened(postgresql.url()) as store:
            assert audited(store, record) == (0, 0, 0, 0, 0)
