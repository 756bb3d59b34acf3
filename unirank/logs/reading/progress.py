"""Progress of a reading: a thread asks the backend ten times a second."""

from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType
from typing import Self

from unirank.logs.reading.backends import Backend

PAUSE = 0.1  # seconds


class ProgressThread:
    """Calls `progress` with the share done, which never decreases, and that share of the rows."""

    def __init__(
        self,
        backend: Backend,
        progress: Callable[[float | None, int | None], None] | None,
        n_rows: int | None,
    ) -> None:
        self._backend, self._progress, self._n_rows = backend, progress, n_rows
        self._start, self._end, self._share = 0.0, 1.0, 0.0
        self._ended = Event()
        self._thread = Thread(target=self._watch, daemon=True)

    def until(self, end: float) -> None:
        """Begin a stage that ends when this share of the whole work is done."""
        self._start, self._end = self._share, end

    def tell(self, done: float | None) -> None:
        """Report that this share of the current stage is done."""
        if self._progress is None:
            return
        if done is not None:
            reached = self._start + done * (self._end - self._start)
            self._share = max(self._share, min(reached, 1.0))
        rows = None if self._n_rows is None else round(self._share * self._n_rows)
        self._progress(self._share if done is not None else None, rows)

    def _watch(self) -> None:
        while not self._ended.wait(PAUSE):
            self.tell(self._backend.fraction())

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._progress is not None:
            self._thread.join()
            if kind is None:
                self.until(1.0)
                self.tell(1.0)
