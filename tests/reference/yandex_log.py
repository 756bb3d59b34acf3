"""A Yandex click log read line by line, in plain Python: the twin of both readings."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.reference.log_counting import Session
from unirank.logs.reading import bad_kinds


class Page(NamedTuple):
    session: str
    time: int  # search: 0
    name: str  # relpred: the query
    shown: Session
    defect: str | None = None


class Log(NamedTuple):
    pages: list[Page]
    orphans: list[tuple[str, str]]  # session and url of clicks without a page
    bad: Counter[str]  # lines by kind
    n_rows: int
    n_tests: int

    def queries(self) -> list[str]:
        """The most frequent first, defective pages included."""
        seen = Counter(page.shown.query for page in self.pages)
        return sorted(seen, key=lambda query: (-seen[query], query))

    def bad_of(self, queries: Sequence[str] | None) -> dict[str, int]:
        """Bad lines, defective pages, clicks without one; of some queries and their sessions."""
        pages = [page for page in self.pages if queries is None or page.shown.query in queries]
        sessions = {page.session for page in pages}
        bad = Counter(self.bad)
        bad.update(page.defect for page in pages if page.defect)
        for session, _ in self.orphans:
            bad[bad_kinds.ORPHAN] += queries is None or session in sessions
        return dict(+bad)


def is_held_out(session: str, share: float) -> bool:
    return int(hashlib.md5(session.encode()).hexdigest()[:8], 16) / 2**32 < share


def kind_of(fields: list[str], search: bool) -> str:
    """What is wrong with a line, or its letter."""
    if search and fields[1:2] == ["M"]:
        return "M" if len(fields) >= 4 else bad_kinds.TOO_FEW
    if len(fields) < 3:
        return bad_kinds.TOO_FEW
    if fields[2] not in ("Q", "C", "T"):
        return bad_kinds.UNKNOWN
    ahead = (4 if search else 3) if fields[2] == "C" else (6 if search else 5)
    if len(fields) <= ahead:
        return bad_kinds.TOO_FEW
    if fields[2] != "C" and len(fields) - ahead > 63:
        return bad_kinds.BEYOND
    if not (fields[1].isascii() and fields[1].isdigit() and len(fields[1]) <= 16):
        return bad_kinds.NOT_A_NUMBER
    return fields[2]


def read_log(lines: Sequence[str], format: str) -> Log:
    search = format == "yandex-search"
    rows = [line.split("\t") for line in lines if line]
    kinds = [kind_of(fields, search) for fields in rows]
    pages: list[Page] = []
    for fields, kind in zip(rows, kinds, strict=True):
        if kind == "Q":
            items = [field.split(",")[0] for field in fields[6:]] if search else fields[5:]
            shown = Session(fields[4] if search else fields[3], tuple(items), ())
            pages.append(Page(fields[0], 0 if search else int(fields[1]), fields[3], shown))
    clicked: list[set[int]] = [set() for _ in pages]
    orphans: set[tuple[str, str, str | int]] = set()
    for fields, kind in zip(rows, kinds, strict=True):
        if kind == "C":
            url, when = (fields[4], fields[3]) if search else (fields[3], int(fields[1]))
            owners = [
                (page.time, page.name, number)
                for number, page in enumerate(pages)
                if page.session == fields[0] and url and url in page.shown.items
                if (page.name == when if isinstance(when, str) else page.time <= when)
            ]
            if owners:
                number = max(owners)[-1]
                clicked[number].add(pages[number].shown.items.index(url))
            else:
                orphans.add((fields[0], url, when))
    copies = Counter(page[:3] for page in pages)
    for number, page in enumerate(pages):
        shown = page.shown._replace(clicks=tuple(sorted(clicked[number])))
        gap = bad_kinds.GAP if "" in shown.items else None
        defect = bad_kinds.AGAIN if copies[page[:3]] > 1 else gap
        pages[number] = page._replace(shown=shown, defect=defect)
    bad = Counter(kind for kind in kinds if len(kind) > 1)
    return Log(pages, [orphan[:2] for orphan in orphans], bad, len(rows), kinds.count("T"))
