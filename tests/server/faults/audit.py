"""Whether the database agrees with what visitors were told, and every process with the log."""

import signal
from collections import Counter
from typing import NamedTuple

from tests.server.faults.fleet import Fleet
from tests.server.faults.load import PAGES, Client, Record
from tests.server.process import eventually
from unirank.server.learner import Learner
from unirank.server.loaded_pages import unpacked
from unirank.server.store.store import Store


class Verdict(NamedTuple):
    """All of these are 0 in a service that is right."""

    n_lost: int  # clicks that were acknowledged, and are in no outcome
    n_twice: int  # clicks that are in two outcomes, or were answered as new more than once
    n_invented: int  # clicks in an outcome that nobody sent
    n_gaps: int  # numbers that the log lacks
    n_faults: int  # answers that should never be


def audited(store: Store, record: Record) -> Verdict:
    """Compare the log with a record; every window must be over."""
    eventually(lambda: all_closed(store), 30.0)
    entries, number = [], 0
    while found := store.log_after(number):
        entries += found
        number = found[-1].number
    counted = Counter(
        (entry.view.id, position)
        for entry in entries
        if entry.view is not None
        for position in entry.clicks
    )
    outcomes = Counter(entry.view.id for entry in entries if entry.view is not None)
    twice = sum(n - 1 for n in counted.values()) + sum(n - 1 for n in outcomes.values())
    return Verdict(
        n_lost=len(record.acknowledged - set(counted)),
        n_twice=twice + max(0, record.n_accepted - len(counted)),
        n_invented=len(set(counted) - record.sent),
        n_gaps=number - len(entries),
        n_faults=len(record.faults),
    )


def all_closed(store: Store) -> bool:
    """Whether no ranking is open. Those that a closer has in hand are skipped, so wait for it."""
    with store.database.transaction() as session:
        session.run("lock_log")
        return not session.run("due_views", now=1e18, most=1)


def disagreeing(fleet: Fleet, store: Store) -> int:
    """End every process in order, and count those whose last state is not the replayed log."""
    cursors = dict.fromkeys(PAGES, 0)
    n_wrong = 0
    for index in range(len(fleet.ports)):
        client = Client(fleet.ports, fleet.key)
        for page in PAGES:
            _one_more(client, index, page)
        client.close()
        assert fleet.end(index, signal.SIGTERM) == 0
        for page in PAGES:
            row = store.page(page)
            assert row is not None
            snapshot = store.snapshot(row.number)
            assert snapshot is not None
            cursor, state = snapshot
            assert cursor > cursors[page], "the process wrote no snapshot of its own"
            cursors[page] = cursor
            learner = Learner(row)
            for entry in store.page_log_after(row.number, 0):
                if entry.number <= cursor:
                    learner.fold(entry)
            n_wrong += learner.to_bytes() != unpacked(state)
    return n_wrong


def _one_more(client: Client, index: int, page: str) -> None:
    """One more outcome of a page, folded by a process."""

    def views() -> int:
        return int(client.send(index, "GET", f"/v1/pages/{page}").body["views"])

    before = views()
    shown = client.send(index, "POST", f"/v1/pages/{page}/rank").body
    report = {"token": shown["token"], "clicks": [], "final": True}
    assert client.send(index, "POST", "/v1/clicks", report).status == 202
    eventually(lambda: views() > before, 20.0)
