"""How much faster `rank_many(1000)` is than a thousand calls of `rank()`; lists of some items.

    .venv/bin/python -m benchmarks.batches

Each policy first learns from 3,000 visitors of a position-based page whose attraction falls like
1 / (1 + item). Then both are timed in turns, in seconds of the processor, because other work on the
machine interrupts the longer of the two; the fastest of forty repeats counts. Ids and tokens of a
batch are made when they are asked for: the last column asks for all of them, on both sides.

The second table has microseconds of `rank(available=...)` and, after one item was removed, of
`rank()`, each answered at once by `update()`, whose microseconds are in brackets.
"""

import sys
from time import perf_counter, process_time

import numpy as np

from unirank import PBM, Policy
from unirank.policies import registry

N, REPEATS, LEARNT = 1_000, 40, 3_000
SIZES = ((10, 5), (20, 5), (40, 8), (1_000, 10))
NAMES = ("unirank", "toprank", "matchrank", "random", "cascade-kl-ucb", "bubblerank", "rba")


def policies_of(name: str, n_items: int, n_positions: int) -> tuple[Policy, Policy]:
    """Two equal policies that have learnt."""
    users = PBM(0.5 / (1.0 + np.arange(n_items)), 1.0 / np.arange(1, n_positions + 1))
    cls = registry[name]
    options = cls.example_options(tuple(range(n_items)), n_positions)
    one, many = (cls(n_items, n_positions, seed=1, **options) for _ in range(2))
    for policy in (one, many):
        for _ in range(LEARNT):
            shown = policy.rank()
            clicks = users.draw_clicks([int(i) for i in shown], seed=1, round=shown.round)
            policy.update(shown, [i for i, c in zip(shown, clicks, strict=True) if c])
    return one, many


def measured(name: str, n_items: int, n_positions: int) -> str:
    """Return one line of the table."""
    one, many = policies_of(name, n_items, n_positions)
    one.rank()
    many.rank_many(1)
    times = []
    for _ in range(REPEATS):
        start = process_time()
        alone = [one.rank() for _ in range(N)]
        middle = process_time()
        together = many.rank_many(N)
        end = process_time()
        tokens = [shown.token for shown in together]
        asked = process_time()
        again = [shown.token for shown in alone]
        times.append((middle - start, end - middle, asked - end, process_time() - asked))
        same = all(a.items == b.items for a, b in zip(alone, together, strict=True))
        if not same or len(set(tokens)) + len(set(again)) != 2 * N:
            raise AssertionError("the lists differ")
    slow, fast, tokens_many, tokens_one = np.array(times).min(axis=0) * 1e6 / N
    return (
        f"{name:14}{n_items:6}{n_positions:6}{slow:10.2f}{fast:12.3f}{slow / fast:8.1f}"
        f"{(slow + tokens_one) / (fast + tokens_many):14.1f}"
    )


RESTRICTED = ("unirank", "toprank", "matchrank")


def restricted(name: str, n_items: int, n_positions: int) -> str:
    """Return one line of the second table."""
    policy, _ = policies_of(name, n_items, n_positions)
    some = list(range(0, n_items, n_items // 20))[:20]
    found = [fastest(policy, None), fastest(policy, some)]
    policy.remove(n_items - 1)
    found.append(fastest(policy, None))
    cells = [f"{rank:.1f} ({update:.1f})" for rank, update in found]
    return f"{name:14}{n_items:6}{n_positions:6}" + "".join(f"{cell:>16}" for cell in cells)


def fastest(policy: Policy, available: list[int] | None) -> tuple[float, float]:
    """Microseconds of a list and of its answer, medians of a hundred, the fastest of forty."""
    medians = []
    for _ in range(REPEATS):
        times = []
        for _ in range(100):
            start = perf_counter()
            shown = policy.rank(available)
            middle = perf_counter()
            policy.update(shown, shown.items[:1])
            times.append((middle - start, perf_counter() - middle))
        medians.append(np.median(times, axis=0) * 1e6)
    rank, update = np.min(medians, axis=0).tolist()
    return rank, update


def main() -> None:
    sys.stdout.write("policy         items  page   rank us  in batch us   ratio   with tokens\n")
    for name in NAMES:
        for n_items, n_positions in SIZES:
            sys.stdout.write(measured(name, n_items, n_positions) + "\n")
            sys.stdout.flush()
    sys.stdout.write(
        "\npolicy         items  page          all us   20 of them us    1 removed us\n"
    )
    for name in RESTRICTED:
        for n_items, n_positions in SIZES[2:]:
            sys.stdout.write(restricted(name, n_items, n_positions) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
