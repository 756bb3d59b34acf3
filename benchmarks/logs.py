"""Time and memory from a click log to a click model, and how close the fit is to the truth.

    .venv/bin/python -m benchmarks.logs speed     10^6 sessions read and fitted by 50 steps of EM
    .venv/bin/python -m benchmarks.logs memory    `unirank fit` on about 2 and 10 million lines

`make bench` writes both to benchmarks/logs.txt. The logs are drawn into a temporary folder, in the
format of the Yandex relevance prediction challenge.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from unirank.cli.main import main
from unirank.logs.estimators import Fit, fit
from unirank.logs.reading import read_statistics

Floats = NDArray[np.floating]
SESSIONS, POSITIONS, STEPS = 1_000_000, 10, 50
TIMES = 3
LINES = (2_000_000, 10_000_000)
MEMORY = "300MB"
BLOCK = 100_000  # sessions drawn together


def say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def write_log(
    path: Path,
    attraction: Floats,  # (n_queries, n_items)
    examination: Floats,
    n_sessions: int,
    n_pages: int,
) -> int:
    """Draw sessions of PBM users: a query with weight 1 / rank, one of its pages, the clicks.

    Return the number of lines.
    """
    rng = np.random.default_rng(5)
    n_queries, n_items = attraction.shape
    pages = rng.permuted(np.tile(np.arange(n_items), (n_queries * n_pages, 1)), axis=1)
    pages = pages[:, : examination.size]
    weights = 1 / np.arange(1, n_queries + 1)
    n_lines = 0
    with open(path, "w") as file:
        for start in range(0, n_sessions, BLOCK):
            size = min(BLOCK, n_sessions - start)
            query = rng.choice(n_queries, size, p=weights / weights.sum())
            shown = pages[query * n_pages + rng.integers(n_pages, size=size)]
            clicks = rng.random(shown.shape) < attraction[query[:, None], shown] * examination
            lines = []
            for session, (of, items, clicked) in enumerate(
                zip(query.tolist(), shown.tolist(), clicks.tolist(), strict=True), start
            ):
                lines.append(f"{session}\t0\tQ\t{of}\t0\t" + "\t".join(map(str, items)))
                for position, item in enumerate(items):
                    if clicked[position]:
                        lines.append(f"{session}\t{position + 1}\tC\t{item}")
            n_lines += len(lines)
            file.write("\n".join(lines) + "\n")
    return n_lines


def speed(folder: Path) -> None:
    """Seconds to read and fit one query, and the largest error of a parameter."""
    attraction = 0.05 + 0.03 * np.arange(20)
    examination = 1 / (1 + 0.3 * np.arange(POSITIONS))
    path = folder / "log.tsv"
    write_log(path, attraction[None], examination, SESSIONS, 20)
    say(f"{SESSIONS:,} sessions of {POSITIONS} positions, read and fitted by {STEPS} steps of EM")
    for _ in range(TIMES):
        start, used = perf_counter(), process_time()
        found = read_and_fit(path)
        say(f"  {perf_counter() - start:.1f} s, of the processors {process_time() - used:.1f} s")
    order = [found.items.index(str(item)) for item in range(attraction.size)]
    errors = (
        np.abs(found.parameters["attraction"][order] - attraction).max(),
        np.abs(found.parameters["examination"] - examination).max(),
    )
    say(f"largest error of attraction {errors[0]:.4f}, of examination {errors[1]:.4f}")


def read_and_fit(path: Path) -> Fit:
    (query,) = read_statistics(path, format="yandex-relpred", models=["pbm"]).queries
    return fit(query, "pbm", way="em", n_starts=1, max_iterations=STEPS, tolerance=0.0)


def memory(folder: Path) -> None:
    """`unirank fit` on two sizes of a log, each in a process of its own."""
    attraction = 0.02 + 0.2 * np.random.default_rng(3).random((5000, 20))
    say(f"unirank fit --format yandex-relpred --preset yandex --memory {MEMORY}")
    for about in LINES:
        path = folder / "log.tsv"
        lines = write_log(path, attraction, np.array([1.0, 0.6, 0.4]), int(about * 0.8), 50)
        seconds, peak = measured(path)
        say(f"  {lines:,} lines: {seconds:.1f} s, {peak:,.0f} MB of memory at most")


def measured(path: Path) -> tuple[float, float]:
    """Seconds of a command, and its largest resident memory in megabytes."""
    start = perf_counter()
    command = [sys.executable, "-m", "benchmarks.logs", "child", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return perf_counter() - start, float(done.stdout.splitlines()[-1])


def child(path: str) -> None:
    words = ["--format", "yandex-relpred", "--preset", "yandex", "--memory", MEMORY]
    try:
        main(["fit", path, *words])
    except SystemExit as stop:
        if stop.code:
            raise
    # Not getrusage: its maximum starts with the memory of the process that forked this one.
    (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    say(str(int(peak) / 1024))


PARTS = {"speed": speed, "memory": memory}

if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        child(sys.argv[2])
    else:
        with TemporaryDirectory() as temporary:
            for part in sys.argv[1:] or list(PARTS):
                PARTS[part](Path(temporary))
                say()
