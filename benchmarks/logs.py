"""From click logs to click models: how much it takes, and how exact it is.

    .venv/bin/python -m benchmarks.logs recovery    do fits come back to the truth as 1/sqrt(n)?
    .venv/bin/python -m benchmarks.logs literal     against EM session by session, in plain Python
    .venv/bin/python -m benchmarks.logs memory      time and memory at 2, 10 and 20 million lines

`make bench` writes all three to benchmarks/logs.txt. Logs are drawn anew, in a temporary folder.
"""

import re
import subprocess
import sys
from collections.abc import Callable
from math import log, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from unirank import CCM, CM, DBN, DCM, PBM, UBM, ClickModel
from unirank.cli.main import main
from unirank.kernels.randomness import GAME, address, uniform
from unirank.logs.estimators import fit
from unirank.logs.reading import read_statistics
from unirank.logs.synthetic.drawing import SyntheticLog
from unirank.logs.synthetic.writing import write_log

ATTRACTION = [0.5, 0.42, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1]
LOOKS = [1.0, 0.8, 0.6, 0.5, 0.4]
USERS: dict[str, ClickModel] = {
    "pbm": PBM(ATTRACTION, LOOKS),
    "cm": CM(ATTRACTION),
    "dcm": DCM(ATTRACTION, [0.6, 0.5, 0.4, 0.3, 0.2]),
    "sdbn": DBN(ATTRACTION, ATTRACTION[::-1], 0.0),
    "dbn": DBN(ATTRACTION, ATTRACTION[::-1], 0.2),
    "ccm": CCM(ATTRACTION, 0.9, 0.7, 0.3),
    "ubm": UBM(
        ATTRACTION,
        [[0.8 ** abs(k - r) if r < k else LOOKS[k] for r in range(5)] for k in range(5)],
    ),
}
SIZES = (10_000, 100_000, 1_000_000)
SESSIONS, POSITIONS, STEPS = 1_000_000, 10, 50  # of the comparison with the literal EM
SAMPLE = 20_000  # sessions on which the log-likelihood is compared: sums of more lose digits
TIMES = 5  # ours is timed
LINES = (2_000_000, 10_000_000, 20_000_000)


def say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def recovery(folder: Path) -> None:
    """Largest error of any parameter of a fit to a synthetic log, at three sizes.

    The smallest log is written in every format that holds what a model needs; equal fits are
    required.
    """
    say("largest error of a parameter that can be observed; times sqrt(sessions)")
    say(f"{'model':6}" + "".join(f"{size:>20,}" for size in SIZES))
    for name, users in USERS.items():
        cells = []
        for size in SIZES:
            log = SyntheticLog({"1": users}, n_positions=5, n_pages=20, seed=size)
            formats = kinds(name) if size == SIZES[0] else ["sessions"]
            errors = {largest_error(users, name, log, size, kind, folder) for kind in formats}
            (error,) = errors  # the same, to the last bit, from every format
            cells.append(f"{error:.5f} ({error * sqrt(size):4.1f})")
        say(f"{name:6}" + "".join(f"{cell:>20}" for cell in cells))


def kinds(model: str) -> list[str]:
    """The formats that hold what a model is estimated from."""
    return ["yandex-search", "yandex-relpred", "sessions", *(["kdd", "counts"] * (model == "pbm"))]


def largest_error(
    users: ClickModel, model: str, log: SyntheticLog, size: int, kind: str, folder: Path
) -> float:
    path = folder / ("log.parquet" if kind in ("sessions", "counts") else "log.tsv")
    write_log(log, path, format=kind, n_sessions=size)
    (query,) = read_statistics(path, format=kind, models=[model]).queries
    found = fit(query, model)
    numbers = {int(item): place for place, item in enumerate(found.items)}
    order = [numbers[item + 1] for item in range(users.n_items)]
    errors = []
    for name, value in found.parameters.items():
        truth, fitted = np.asarray(users.settings[name]), np.asarray(value)
        fitted = fitted[order] if name in users.per_item else fitted
        errors.append(np.abs(truth - fitted)[observed(name, truth)].max())
    return float(max(errors))


def observed(name: str, truth: Any) -> Any:
    """Where a parameter leaves a trace: not after the last position, not above oneself."""
    seen = np.ones(truth.shape, bool)
    if name == "stop_after_click":
        seen[-1] = False
    if name == "examination_by_rank_and_last_click":
        last = truth.shape[1] - 1
        seen = np.array([[r < k or r == last for r in range(last + 1)] for k in range(last + 1)])
    return seen


def literal(folder: Path) -> None:
    """PBM by EM, session by session, against statistics: both read the log, both end to end."""
    attraction = [0.05 + 0.03 * item for item in range(20)]
    looks = [1 / (1 + 0.3 * position) for position in range(POSITIONS)]
    log = SyntheticLog({"1": PBM(attraction, looks)}, n_positions=POSITIONS, seed=5)
    sample, whole = folder / "sample.tsv", folder / "whole.tsv"
    write_log(log, sample, format="yandex-relpred", n_sessions=SAMPLE)
    write_log(log, whole, format="yandex-relpred", n_sessions=SESSIONS)
    plain, ours = literal_em(read_sessions(sample), STEPS), compiled(sample, STEPS)
    gap = max(abs(a - b) for a, b in zip(plain, ours, strict=True))
    say(
        f"largest difference of the log-likelihood in {STEPS} steps, {SAMPLE:,} sessions: {gap:.1e}"
    )
    seconds = sorted(timed(compiled, whole, STEPS) for _ in range(TIMES))
    by_joins = timed(compiled, scattered(whole), STEPS)
    slow = timed(lambda: literal_em(read_sessions(whole), STEPS))
    say(f"{SESSIONS:,} sessions read and fitted in {STEPS} steps:")
    say(f"  literal EM {slow:.0f} s, {slow / SESSIONS / STEPS * 1e6:.1f} us per session and step")
    for name, fast in (
        ("fastest", seconds[0]),
        ("median", seconds[TIMES // 2]),
        ("slowest", seconds[-1]),
    ):
        say(f"  ours, {name} of {TIMES}: {fast:.2f} s, {slow / fast:,.0f} times less")
    say(f"  ours, the lines of a session not together: {by_joins:.2f} s")


def scattered(path: Path) -> Path:
    """The same lines, the first one last: sessions do not stand together any more."""
    first, rest = path.read_bytes().split(b"\n", 1)
    other = path.with_name("scattered.tsv")
    other.write_bytes(rest + first + b"\n")
    return other


def timed(run: Callable[..., object], *arguments: object) -> float:
    start = perf_counter()
    run(*arguments)
    return perf_counter() - start


def compiled(path: Path, steps: int) -> list[float]:
    (query,) = read_statistics(path, format="yandex-relpred", models=["pbm"]).queries
    found = fit(query, "pbm", way="em", n_starts=1, max_iterations=steps, tolerance=0.0)
    return list(found.log_likelihood)


def read_sessions(path: Path) -> list[list[tuple[str, int, bool]]]:
    """Item, position and click of every session."""
    pages: dict[str, list[str]] = {}
    clicks: dict[str, set[str]] = {}
    for line in path.read_text().splitlines():
        session, _, kind, *rest = line.split("\t")
        if kind == "Q":
            pages[session] = rest[2:]
        else:
            clicks.setdefault(session, set()).add(rest[0])
    return [
        [(item, k, item in clicks.get(session, ())) for k, item in enumerate(items)]
        for session, items in pages.items()
    ]


def literal_em(sessions: list[list[tuple[str, int, bool]]], n_steps: int) -> list[float]:
    """Textbook EM: the posterior of both causes of every click and non-click, then averages."""
    attraction = {item: 0.5 for session in sessions for item, _, _ in session}
    looks = {position: 0.5 for session in sessions for _, position, _ in session}
    values = [likelihood(sessions, attraction, looks)]
    for _ in range(n_steps):
        attracted = dict.fromkeys(attraction, 0.0)
        examined = dict.fromkeys(looks, 0.0)
        n_item, n_position = dict.fromkeys(attraction, 0), dict.fromkeys(looks, 0)
        for session in sessions:
            for item, position, click in session:
                a, e = attraction[item], looks[position]
                attracted[item] += 1.0 if click else a * (1 - e) / (1 - a * e)
                examined[position] += 1.0 if click else e * (1 - a) / (1 - a * e)
                n_item[item] += 1
                n_position[position] += 1
        attraction = {item: attracted[item] / n_item[item] for item in attraction}
        looks = {position: examined[position] / n_position[position] for position in looks}
        values.append(likelihood(sessions, attraction, looks))
    return values


def likelihood(
    sessions: list[list[tuple[str, int, bool]]],
    attraction: dict[str, float],
    looks: dict[int, float],
) -> float:
    total = 0.0
    for session in sessions:
        for item, position, click in session:
            chance = attraction[item] * looks[position]
            total += log(chance if click else 1 - chance)
    return total


def memory(folder: Path) -> None:
    """`unirank fit` on logs of growing length, each in a process of its own."""
    rng = address(3, 0, GAME, 0)
    users = {
        str(query): PBM(
            [0.02 + 0.2 * uniform(rng, 20 * query + n) for n in range(20)], [1, 0.6, 0.4]
        )
        for query in range(5000)
    }
    log = SyntheticLog(users, n_positions=3, n_pages=50, zipf=1.0, seed=4)
    head = ("format", "lines", "file, MB", "seconds", "lines/s", "peak memory, MB")
    say("unirank fit --memory 2GB, with the preset of the format")
    say(f"{head[0]:16}" + "".join(f"{name:>{len(name) + 6}}" for name in head[1:]))
    for kind, preset, per_session in (("kdd", "kdd", 3), ("yandex-relpred", "yandex", 4 / 3)):
        for about in LINES:
            path = folder / "training.txt"
            write_log(log, path, format=kind, n_sessions=int(about / per_session))
            lines = n_lines(path)
            words = ["fit", str(path), "--format", kind, "--preset", preset, "--memory", "2GB"]
            seconds, peak = measured(words)
            size = path.stat().st_size / 1e6
            say(
                f"{kind:16}{lines:>11,}{size:>14,.0f}{seconds:>13.1f}"
                f"{lines / seconds:>13,.0f}{peak:>21,.0f}"
            )


def n_lines(path: Path) -> int:
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 24), b""))


def measured(words: list[str]) -> tuple[float, float]:
    """Seconds of a command, and its largest resident memory in megabytes."""
    start = perf_counter()
    command = [sys.executable, "-m", "benchmarks.logs", "child", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return perf_counter() - start, float(done.stdout.splitlines()[-1])


def child(words: list[str]) -> None:
    try:
        main(words)
    except SystemExit as stop:
        if stop.code:
            raise
    # Not getrusage: its maximum starts with the memory of the process that forked this one.
    (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    say(str(int(peak) / 1024))


PARTS = {"recovery": recovery, "literal": literal, "memory": memory}

if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        child(sys.argv[2:])
    else:
        with TemporaryDirectory() as temporary:
            for part in sys.argv[1:] or list(PARTS):
                PARTS[part](Path(temporary))
                say()
