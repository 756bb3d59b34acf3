"""The comparison of the learner with the holdout: views and clicks of both, under equal terms.

*Terms* are what makes two lifts comparable: the share of the holdout, what it sees, and whether the
page learns or shows one frozen order. Each view carries the number of the log's entry that set its
terms. Clicks per view are added up under equal terms only: if the share were raised in a busy week,
the two arms would have different visitors, and differ even if the orders were equally good.

`page/split/sample_ratio.py` judges the shares of the arms under all terms. It counts a place once,
with the share in force when the place was first seen. Sessions have 1,024 places, so that a stored
place names no visitor; views without a session have 65,536.

The comparison counts a view when its window is over, even if the outcome came before. A shop may
send `final` along with clicks, and never for a view without any. If such an outcome were counted at
once, views with a click would be counted before views without, and the first session of a place
would be one that clicked. So an early outcome is *held* until the log has reached the end of its
window. That moment follows from the entries of the log alone, and is the same in every process. A
page without visitors gets no later entry: so `compared` is told up to when windows are closed.
"""

import zlib
from copy import deepcopy
from hashlib import blake2b
from heapq import heappop, heappush
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from unirank.page.split.assignment import N_PLACES, Assigned
from unirank.page.split.counts import ArmCounts, Counts
from unirank.server.api import PageSettings
from unirank.server.view import HOLDOUT, LEARNER, OBSERVED, View

ARMS = (HOLDOUT, LEARNER)  # the arms compared; views of a frozen page count as the learner's
MOST_KEPT = 8  # terms whose counts are kept; a page that changes more often forgets the oldest


class Terms(Struct, frozen=True, array_like=True):
    """Share and order of the holdout, and the freeze: under equal terms, lifts can be compared."""

    share: float  # of the holdout
    baseline: bytes  # digest of what the holdout sees
    frozen: int  # the entry that froze the page; 0 while it learns


class SavedCounts(Struct, array_like=True):
    """Views and clicks under some terms, as compressed arrays."""

    terms: Terms
    views: bytes
    clicks: bytes


class Held(Struct, array_like=True, frozen=True, order=True):
    """An outcome that came before its window was over."""

    over_at: float
    number: int  # of the view
    arm: int
    place: int
    settings_entry: int
    n_clicks: int


class SavedComparison(Struct, array_like=True):
    """A comparison as plain data; the meaning of its fields is that of `Comparison`."""

    terms: dict[int, Terms]
    settings_entry: int
    counts: list[SavedCounts]
    first: bytes | None
    shares: dict[float, tuple[int, int]]
    held: list[Held]


class Compared(NamedTuple):
    """Counts of one moment, to be read by any thread."""

    arms: tuple[ArmCounts, ...] | None  # by ARMS, under the present terms; None before a view
    shares: dict[float, tuple[int, int]]  # by share of the holdout: sessions by ARMS
    n_held: int  # outcomes that wait for the end of their windows


class Comparison:
    """The comparison of one page."""

    def __init__(self) -> None:
        self._terms: dict[int, Terms] = {}  # by the entry that set them
        self.settings_entry = 0  # the number of the entry that set the present terms
        self._counts: dict[Terms, Counts] = {}
        self._first: np.ndarray | None = None  # by place: 0, or 1 + the arm of the first session
        self._shares: dict[float, tuple[int, int]] = {}
        self._held: list[Held] = []  # a heap

    def set_terms(self, number: int, settings: PageSettings) -> None:
        """Make the terms of these settings, set by entry `number` of the log, the present ones."""
        before = self._terms.get(self.settings_entry)
        frozen = 0
        if settings.mode == "frozen":
            frozen = before.frozen if before is not None and before.frozen else number
        seen = [settings.holdout.order, settings.start]
        baseline = blake2b(msgspec.msgpack.encode(seen), digest_size=8).digest()
        self._terms[number] = Terms(settings.holdout.share, baseline, frozen)
        self.settings_entry = number

    def count(self, shown: View, n_clicks: int, due_at: float | None = None) -> None:
        """Count the outcome of a view; hold it if it was due before the view's window was over."""
        due_at = shown.expires_at if due_at is None else due_at
        self.reach(due_at, shown.id)
        if shown.arm == OBSERVED:
            return
        arm = ARMS.index(HOLDOUT if shown.arm == HOLDOUT else LEARNER)
        found = Held(shown.expires_at, shown.id, arm, shown.place, shown.settings_entry, n_clicks)
        if due_at < shown.expires_at:
            heappush(self._held, found)
        else:
            self._count(found)

    def reach(self, due_at: float, number: int) -> None:
        """Count the held outcomes whose (end of window, number of view) is before (due_at, number).

        The log has outcomes in the order of (due_at, number).
        """
        while self._held and (self._held[0].over_at, self._held[0].number) < (due_at, number):
            self._count(heappop(self._held))

    def _count(self, found: Held) -> None:
        terms = self._terms.get(found.settings_entry) or self._terms[self.settings_entry]
        if self._first is None:
            self._first = np.zeros(N_PLACES, np.uint8)
        if terms.share and not self._first[found.place]:
            holdout, learner = self._shares.get(terms.share, (0, 0))
            self._shares[terms.share] = (holdout + (not found.arm), learner + found.arm)
        self._counts_of(terms).answer(Assigned(found.arm, found.place), found.n_clicks)

    def _counts_of(self, terms: Terms) -> Counts:
        counts = self._counts.get(terms)
        if counts is None:
            if len(self._counts) >= MOST_KEPT:
                kept = self._terms[self.settings_entry]
                del self._counts[next(each for each in self._counts if each != kept)]
            counts = self._counts[terms] = Counts(len(ARMS), self._first)
        return counts

    def compared(self, closed_until: float = 0.0) -> Compared:
        """Return the counts under the present terms, and the sessions under all terms.

        Windows that were over by `closed_until` are closed, and their outcomes folded. Outcomes
        held for these windows are counted in a copy: the comparison itself changes by folding only.
        """
        if self._held and self._held[0].over_at < closed_until:
            reached = deepcopy(self)
            reached.reach(closed_until, 0)
            return reached.compared()
        counts = self._counts.get(self._terms[self.settings_entry])
        arms = None if counts is None else tuple(counts.of_arm(n) for n in range(len(ARMS)))
        return Compared(arms, dict(self._shares), len(self._held))

    def to_saved(self) -> SavedComparison:
        counts = [
            SavedCounts(terms, *(_packed(array) for array in (each.views, each.clicks)))
            for terms, each in self._counts.items()
        ]
        first = None if self._first is None else _packed(self._first)
        shares = dict(sorted(self._shares.items()))
        held = sorted(self._held)
        return SavedComparison(self._terms, self.settings_entry, counts, first, shares, held)

    @classmethod
    def from_saved(cls, saved: SavedComparison) -> "Comparison":
        """Inverse of `to_saved`."""
        found = cls()
        found._terms, found.settings_entry, found._shares = (
            saved.terms,
            saved.settings_entry,
            saved.shares,
        )
        found._held = list(saved.held)  # sorted: a heap
        if saved.first is not None:
            found._first = np.frombuffer(zlib.decompress(saved.first), np.uint8).copy()
        for each in saved.counts:
            counts = found._counts[each.terms] = Counts(len(ARMS), found._first)
            for name in ("views", "clicks"):
                array = getattr(counts, name)
                content = np.frombuffer(zlib.decompress(getattr(each, name)), array.dtype)
                array[...] = content.reshape(array.shape)
            counts.n_views = int(counts.views.sum())
        return found


def _packed(array: np.ndarray) -> bytes:
    return zlib.compress(array.tobytes(), 1)
