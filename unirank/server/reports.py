"""What is reported of a view by its token: that it was shown, and what was clicked.

A token carries the whole view, so a report writes the view again if the process that gave it died
before it could write.
"""

from operator import attrgetter
from time import time

import msgspec

from unirank.arguments import shown
from unirank.errors import ArgumentError
from unirank.server.api import MOST_DEFERRED, ClickAnswer, ClickReport, Rejected
from unirank.server.errors import NotFound
from unirank.server.group_commit import GroupCommit
from unirank.server.store.store import Click
from unirank.server.tokens import unsealed
from unirank.server.view import View

DAY = 86400.0
DELETED = "the page of this view was deleted"
OTHER = "the number of this view is another view's now: the database is an older copy"


class Reports:
    """Takes reports; what it took is on disk when it answers."""

    def __init__(self, writer: GroupCommit, token_key: bytes) -> None:
        self._writer, self._token_key = writer, token_key

    async def shown(self, token: str) -> None:
        """Count a deferred view from now on."""
        view, now = unsealed(token, self._token_key), time()
        if not view.deferred:
            raise ArgumentError(
                "token must be of a view that was asked for with `defer`, got another: it counts "
                "without this report"
            )
        if now > view.shown_at + MOST_DEFERRED:
            raise ArgumentError(
                f"token must be of a view that was asked for at most {MOST_DEFERRED / DAY:g} days "
                f"ago, got one of {(now - view.shown_at) / DAY:.1f} days ago: ask for a new view"
            )
        await self.write(_begun(view, now))

    async def write(self, view: View) -> None:
        """Write a view; return when it is on disk."""
        if view.id in (await self._writer.commit([view])).gone:
            raise NotFound(DELETED)

    async def clicks(self, reports: list[ClickReport]) -> ClickAnswer:
        """Write clicks; return when they are on disk."""
        views: list[View] = []
        clicks: list[Click] = []
        final: list[int] = []
        reported: list[tuple[int, int]] = []  # index of a report, and its view
        rejected: list[Rejected] = []
        n_late, now = 0, time()
        for index, report in enumerate(reports):
            try:
                view = unsealed(report.token, self._token_key)
                positions = _positions(view, report)
            except ArgumentError as error:
                rejected.append(Rejected(index, str(error)))
                continue
            if now > _last_click(view):
                n_late += len(positions)
                continue
            reported.append((index, view.id))
            views.append(_begun(view, now))
            clicks.extend(Click(view.id, position) for position in positions)
            if report.final:
                final.append(view.id)
        if not views:
            return ClickAnswer(0, 0, n_late, rejected)
        done = await self._writer.commit(views, clicks, final)
        if refused := dict.fromkeys(done.other, OTHER) | dict.fromkeys(done.gone, DELETED):
            rejected += [Rejected(index, refused[id_]) for index, id_ in reported if id_ in refused]
            rejected.sort(key=attrgetter("index"))
            clicks = [click for click in clicks if click.view not in refused]
        n_open = sum(click.view in done.open for click in clicks)
        n_new = len(done.new.intersection(clicks))
        return ClickAnswer(n_new, n_open - n_new, n_late + len(clicks) - n_open, rejected)


def _last_click(view: View) -> float:
    """Return the time after which no click counts.

    It is a day after the window, as the clocks of processes differ; before it, the row in the store
    decides. A deferred view may have been shown later than its token says.
    """
    return view.expires_at + DAY + (MOST_DEFERRED if view.deferred else 0.0)


def _begun(view: View, now: float) -> View:
    """Return a deferred view with its window from now on; any other view as it is."""
    if not view.deferred:
        return view
    window = view.expires_at - view.shown_at
    return msgspec.structs.replace(view, shown_at=now, expires_at=now + window)


def _positions(view: View, report: ClickReport) -> set[int]:
    """Return the positions of the clicked items; an ArgumentError names an item not shown."""
    for item in report.clicks:
        if item not in view.items:
            raise ArgumentError(
                f"clicks must be among the shown {shown(view.items)}, got {shown(item, 60)}"
            )
    return {view.items.index(item) for item in report.clicks}
