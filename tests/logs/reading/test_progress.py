"""Progress is passed on from a thread and never falls."""

from pathlib import Path
from time import sleep
from typing import cast

from unirank.logs.reading.backends import Backend
from unirank.logs.reading.progress import PAUSE, ProgressThread


class Known:
    """A backend that knows how far it is: first far, then near."""

    def __init__(self, *shares: float | None) -> None:
        self._shares = list(shares)

    def fraction(self) -> float | None:
        return self._shares.pop(0) if len(self._shares) > 1 else self._shares[0]


def watched(backend: Known) -> list[tuple[float | None, int | None]]:
    told: list[tuple[float | None, int | None]] = []
    with ProgressThread(cast(Backend, backend), lambda *now: told.append(now), 600) as watch:
        watch.until(0.4)
        sleep(3.5 * PAUSE)
        watch.until(0.8)
        sleep(1.5 * PAUSE)
    return told


def test_shares_of_stages(tmp_path: Path) -> None:
    told = watched(Known(0.9, 0.5))
    rows = [n for _, n in told]
    assert rows[:2] == [216, 216]  # 0.9 of 0.4 of all, and it does not fall
    assert 348 in rows  # half of the way from there to 0.8
    assert told[-1] == (1.0, 600)


def test_a_backend_that_does_not_know() -> None:
    told = watched(Known(None))
    assert told[0] == (None, 0)
    assert told[-1] == (1.0, 600)


def test_nobody_listens() -> None:
    with ProgressThread(cast(Backend, Known(0.5)), None, None) as watch:
        watch.tell(0.5)
