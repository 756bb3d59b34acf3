"""From click logs to click models: how much it takes, and how exact it is.

    .venv/bin/python -m benchmarks.logs recovery    do fits come back to the truth as 1/sqrt(n)?
    .venv/bin/python -m benchmarks.logs literal     against EM session by session, in plain Python
    .venv/bin/python -m benchmarks.logs memory      time and memory at 2, 10 and 20 million lines

`make bench` writes all three to benchmarks/logs.txt. Logs are drawn anew, in a temporary folder.
"""

import re
import subprocess
import sys
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
SAMPLE, SAMPLE_STEPS = 20_000, 5  # what the literal EM is timed on
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
    """PBM by EM, session by session, against statistics; the first on a sample, scaled up."""
    attraction = [0.05 + 0.03 * item for item in range(20)]
    looks = [1 / (1 + 0.3 * position) for position in range(POSITIONS)]
    log = SyntheticLog({"1": PBM(attraction, looks)}, n_positions=POSITIONS, seed=5)
    sample, whole = folder / "sample.tsv", folder / "whole.tsv"
    write_log(log, sample, format="yandex-relpred", n_sessions=SAMPLE)
    write_log(log, whole, format="yandex-relpred", n_sessions=SESSIONS)
    compiled(sample, 2)  # compile, import
    sessions = read_sessions(sample)
    start = perf_counter()
    plain = literal_em(sessions, SAMPLE_STEPS)
    slow = (perf_counter() - start) / (SAMPLE * SAMPLE_STEPS)
    ours = compiled(sample, SAMPLE_STEPS)
    start = perf_counter()
    compiled(whole, STEPS)
    fast = perf_counter() - start
    gap = max(abs(a - b) for a, b in zip(plain, ours, strict=True))
    say(f"largest difference of the log-likelihood in {SAMPLE_STEPS} steps: {gap:.1e}")
    say(f"literal EM: {slow * 1e6:.1f} us per session and step, on {SAMPLE:,} sessions,")
    say(f"  so {slow * SESSIONS * STEPS:,.0f} s for {SESSIONS:,} sessions and {STEPS} steps")
    say(
        f"ours, log read and fitted: {fast:.2f} s, {slow * SESSIONS * STEPS / fast:,.0f} times less"
    )


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
    """`unirank fit` on KDD logs of growing length, each in a process of its own."""
    rng = address(3, 0, GAME, 0)
    users = {
        str(query): PBM(
            [0.02 + 0.2 * uniform(rng, 20 * query + n) for n in range(20)], [1, 0.6, 0.4]
        )
        for query in range(5000)
    }
    log = SyntheticLog(users, n_positions=3, n_pages=50, zipf=1.0, seed=4)
    say("unirank fit --format kdd --preset kdd --memory 2GB")
    say(f"{'lines':>12}{'file, MB':>12}{'seconds':>12}{'lines/s':>12}{'peak memory, MB':>20}")
    for lines in LINES:
        path = folder / "training.txt"
        write_log(log, path, format="kdd", n_sessions=lines // 3)
        words = ["fit", str(path), "--format", "kdd", "--preset", "kdd", "--memory", "2GB"]
        seconds, peak = measured(words)
        size = path.stat().st_size / 1e6
        say(f"{lines:>12,}{size:>12,.0f}{seconds:>12.1f}{lines / seconds:>12,.0f}{peak:>20,.0f}")


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
