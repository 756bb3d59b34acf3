"""Ten thousand pages of 20 items: making them, their memory, and lists per second.

    .venv/bin/python -m benchmarks.pages

`make bench` writes it to benchmarks/pages.txt. The unit of times is one rank() plus update() of a
single policy of the same kind, measured in the same run. What happens in memory is counted in
seconds of the processor, so that other work on the machine does not matter; what waits for the
disk, in seconds that pass.
"""

import sys
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import unirank as ur
from unirank.markdown import markdown_table

N_PAGES, N_ITEMS, N_POSITIONS = 10_000, 20, 5
N_VISITS = 20_000
FEW = 1_000  # pages in memory where not all fit
NAMES = [f"page {n}" for n in range(N_PAGES)]


def seconds(work: Callable[[], object], clock: Callable[[], float] = process_time) -> float:
    start = clock()
    work()
    return clock() - start


def visit(page: ur.Page | ur.Policy) -> None:
    shown = page.rank()
    page.update(shown, clicks=[shown.items[0]])


def single(policy: str) -> float:
    """Seconds of a visit of one policy, the fastest of five series."""
    one = ur.policies.registry[policy](N_ITEMS, N_POSITIONS)
    n_visits = N_VISITS // 5

    def series() -> None:
        for _ in range(n_visits):
            visit(one)

    return min(seconds(series) for _ in range(5)) / n_visits


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def visit_all(pages: ur.Pages, names: list[str]) -> Callable[[], None]:
    def visits() -> None:
        for name in names:
            visit(pages[name])

    return visits


def opened(folder: str, policy: str, most: int) -> ur.Pages:
    return ur.Pages(
        folder,
        policy=policy,
        n_positions=N_POSITIONS,
        items=lambda name: N_ITEMS,
        most_in_memory=most,
        save_every=10**6,
    )


def row(policy: str) -> list[str]:
    unit = single(policy)
    anywhere = Random(1).choices(NAMES, k=N_VISITS)
    with TemporaryDirectory() as folder:
        before = resident()
        with opened(folder, policy, N_PAGES) as pages:
            first = seconds(visit_all(pages, NAMES)) / N_PAGES
            memory = (resident() - before) / N_PAGES
            again = seconds(visit_all(pages, anywhere)) / N_VISITS
            saved = seconds(pages.save_all, perf_counter) / N_PAGES
        files = [path.stat().st_size for path in Path(folder).iterdir()]
        with opened(folder, policy, FEW) as pages:
            few = anywhere[: N_VISITS // 4]
            aside = seconds(visit_all(pages, few), perf_counter) / len(few)
    return [
        policy,
        f"{unit * 1e6:.0f}",
        f"{first / unit:.1f}",
        f"{again / unit:.2f}",
        f"{1 / again:,.0f}",
        f"{saved / unit:.0f}",
        f"{aside / unit:.0f}",
        f"{memory / 1e3:.1f}",
        f"{sum(files) / N_PAGES / 1e3:.1f}",
    ]


if __name__ == "__main__":
    header = [
        "policy",
        "one policy's rank() + update(), microseconds = 1",
        "first visit of a page",
        "a visit, all pages in memory",
        "... per second",
        "writing a page",
        f"a visit, {FEW:,} of {N_PAGES:,} in memory",
        "memory of a page, kB",
        "its file, kB",
    ]
    # A process each, so that none lives in memory that the other has left.
    with get_context("spawn").Pool(1, maxtasksperchild=1) as processes:
        rows = processes.map(row, ("unirank", "matchrank"), chunksize=1)
    cells = zip(header, *rows, strict=True)
    name, *rest = [list(line) for line in cells]
    title = f"{N_PAGES:,} pages of {N_ITEMS} items and {N_POSITIONS} positions"
    sys.stdout.write(f"{title}\n\n{markdown_table(name, rest, numbers_from=1)}\n")
