"""How many outcomes a second `unirank serve` folds into a page, by policy and size of the page.

    .venv/bin/python -m benchmarks.folds

A page meets 2,000 visitors of a position-based model; every fourth list is among 80 % of the items.
Its log is then folded from the start again and again, in seconds of the processor, because other
work on the machine interrupts; the fastest of ten counts. The second column is with all items.
"""

import sys
from collections.abc import Sequence
from time import process_time

import msgspec
import numpy as np

from unirank import PBM
from unirank.server.api import PageSettings, RankRequest
from unirank.server.learner import Learner
from unirank.server.serving import Serving
from unirank.server.store.store import Entry, PageRow

N, REPEATS = 2_000, 10
SIZES = (("matchrank", 10, 5), ("unirank", 10, 5), ("unirank", 40, 8), ("matchrank", 40, 8))
ROW = PageRow(1, "page", 7, b"")


def log_of(policy: str, n_items: int, n_positions: int, share_of_some: float) -> list[Entry]:
    """The log of a page that met N visitors."""
    users = PBM(0.5 / (1.0 + np.arange(n_items)), 1.0 / np.arange(1, n_positions + 1))
    settings = PageSettings(list(range(n_items)), n_positions, policy=policy)
    change = {"settings": msgspec.to_builtins(settings)}
    entries = [Entry(1, 1, 0.0, None, (), change, False)]
    learner, draw = Learner(ROW), np.random.default_rng(1)
    learner.fold(entries[0])
    for number in range(N):
        if number % 20 == 0:
            serving = Serving(learner, b"key")
        some = sorted(draw.choice(n_items, n_items * 4 // 5, replace=False).tolist())
        request = RankRequest(some if draw.random() < share_of_some else None)
        shown = serving.view(number + 1, request, b"", float(number))
        clicked = users.draw_clicks(shown.items, seed=1, round=number + 1)
        positions = tuple(np.flatnonzero(clicked).tolist())
        entries.append(Entry(number + 2, 1, float(number), shown, positions, None, False))
        learner.fold(entries[-1])
    return entries


def folds_a_second(entries: Sequence[Entry]) -> float:
    fastest = np.inf
    for _ in range(REPEATS):
        learner, start = Learner(ROW), process_time()
        for entry in entries:
            learner.fold(entry)
        fastest = min(fastest, process_time() - start)
    return len(entries) / fastest


def main() -> None:
    sys.stdout.write("policy       items  page   folds a second   with all items\n")
    for policy, n_items, n_positions in SIZES:
        mixed, whole = (
            folds_a_second(log_of(policy, n_items, n_positions, share)) for share in (0.25, 0.0)
        )
        line = f"{policy:12} {n_items:5} {n_positions:5} {mixed:16,.0f} {whole:16,.0f}\n"
        sys.stdout.write(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
