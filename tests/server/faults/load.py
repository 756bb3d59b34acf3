"""Visitors who see lists and click, and write down what the service told them.

Clicks are reported one to several times, to any process, early or after the window, and again
when there was no answer. What was answered is compared with the database by `audit.py`.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from random import Random
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

PAGES = ("one", "two")
SHOP = {
    "items": ["tea", "mug", "pot", "tray", "cup"],
    "n_positions": 3,
    "policy": "unirank",
    "window_s": 1.0,
}
Click = tuple[int, int]  # ranking, position


class Answer(NamedTuple):
    status: int  # 0: none
    headers: dict[str, str]
    body: Any


class Client:
    """Connections to the processes of a fleet that are kept open."""

    def __init__(self, ports: Sequence[int], key: str, timeout: float = 10.0) -> None:
        self._ports, self._timeout = ports, timeout
        self._headers = {"Authorization": f"Bearer {key}"}
        self._open: dict[int, HTTPConnection] = {}

    def send(self, process: int, method: str, path: str, body: Any = None) -> Answer:
        """One request to one process; status 0 if it gave no answer."""
        port = self._ports[process]
        connection = self._open.get(port)
        if connection is None:
            connection = HTTPConnection("127.0.0.1", port, timeout=self._timeout)
            self._open[port] = connection
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, path, content, self._headers)
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, HTTPException):
            connection.close()
            del self._open[port]
            return Answer(0, {}, None)
        headers = {name.lower(): value for name, value in answer.getheaders()}
        is_json = "json" in headers.get("content-type", "")
        return Answer(answer.status, headers, json.loads(text) if is_json else text)

    def close(self) -> None:
        for connection in self._open.values():
            connection.close()


class Record:
    """What all visitors were told."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.pages: dict[int, str] = {}  # of rankings
        self.sent: set[Click] = set()
        self.acknowledged: set[Click] = set()  # 202, and neither late nor rejected
        self.n_accepted = 0  # clicks that were answered as new
        self.answers: Counter[str] = Counter()  # by kind of request and status
        self.n_given_up = 0  # requests without success, after as many retries as there may be
        self.slowest: dict[str, float] = {}
        self.faults: list[str] = []  # answers that should never be

    def note(self, kind: str, answer: Answer, seconds: float) -> None:
        with self.lock:
            self.answers[f"{kind} {answer.status or 'no answer'}"] += 1
            self.slowest[kind] = max(self.slowest.get(kind, 0.0), seconds)
            if answer.status not in (0, 200, 202, 503):
                self.faults.append(f"{kind}: {answer}")
            if answer.status == 503 and "retry-after" not in answer.headers:
                self.faults.append(f"{kind}: 503 without Retry-After")


class Visitor:
    """One thread that ranks and clicks until it is told to stop."""

    def __init__(
        self, client: Client, n_processes: int, record: Record, seed: int, patience: int
    ) -> None:
        self._client, self._n, self._record = client, n_processes, record
        self._patience = patience
        self._chance = Random(seed)
        self._due: list[tuple[float, dict[str, Any], set[Click]]] = []

    def run(self, stop: Event) -> None:
        while not stop.is_set():
            now = monotonic()
            due = [each for each in self._due if each[0] <= now]
            if due and self._chance.random() < 0.7:
                self._report(self._chance.choice(due))
            elif len(self._due) < 40:
                self._rank()
        for each in self._due:
            self._report(each)
        self._client.close()

    def _timed(self, kind: str, path: str, body: Any) -> Answer:
        process = self._chance.randrange(self._n)
        for again in range(1 + self._patience):
            start = monotonic()
            answer = self._client.send((process + again) % self._n, "POST", path, body)
            self._record.note(kind, answer, monotonic() - start)
            if answer.status not in (0, 503):
                return answer
        sleep(0.01)
        with self._record.lock:
            self._record.n_given_up += 1
        return answer

    def _rank(self) -> None:
        chance = self._chance
        page = chance.choice(PAGES)
        answer = self._timed("rank", f"/v1/pages/{page}/rank", {"session": f"s{chance.random()}"})
        if answer.status != 200:
            return
        shown, ranking = answer.body, int(answer.body["id"], 16)
        with self._record.lock:
            if ranking in self._record.pages:
                self._record.faults.append(f"ranking {ranking} was given twice")
            self._record.pages[ranking] = page
        for position, item in enumerate(shown["items"]):
            if chance.random() < 0.5:
                report = {"token": shown["token"], "clicks": [item]}
                if chance.random() < 0.05:
                    report["final"] = True
                for _ in range(chance.choice((1, 1, 1, 2, 3))):
                    at = monotonic() + chance.random() * 1.2  # the window has 1 s
                    self._due.append((at, report, {(ranking, position)}))

    def _report(self, due: tuple[float, dict[str, Any], set[Click]]) -> None:
        _, report, clicks = due
        with self._record.lock:
            self._record.sent |= clicks
        answer = self._timed("clicks", "/v1/clicks", report)
        if answer.status != 202:
            return  # it is due again
        if due in self._due:
            self._due.remove(due)
        with self._record.lock:
            self._record.n_accepted += answer.body["accepted"]
            if answer.body["rejected"]:
                self._record.faults.append(f"rejected: {answer.body}")
            if not answer.body["late"] and not answer.body["rejected"]:
                self._record.acknowledged |= clicks


@contextmanager
def visitors(
    ports: Sequence[int], key: str, n: int, seed: int = 1, patience: int = 0
) -> Iterator[Record]:
    """Load for the duration of the block; the pages are made first.

    A request without success is sent `patience` times more at once, to the next process.
    """
    first = Client(ports, key)
    for page in PAGES:
        answer = first.send(0, "PUT", f"/v1/pages/{page}", SHOP)
        assert answer.status in (200, 201), answer
        for process in range(len(ports)):
            assert first.send(process, "POST", f"/v1/pages/{page}/rank").status == 200
    first.close()
    record, stop = Record(), Event()
    threads = [
        Thread(
            target=Visitor(Client(ports, key), len(ports), record, seed + k, patience).run,
            args=(stop,),
        )
        for k in range(n)
    ]
    for thread in threads:
        thread.start()
    try:
        yield record
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
