"""Run the attack and print a table of what every target came to."""

import argparse
import sys
from collections import Counter
from itertools import count
from time import monotonic

from tests.attack.supervisor import attacked
from tests.attack.target import Target, attempted, limit_memory
from tests.attack.targets import TARGETS
from unirank.markdown import markdown_table

HEADER = ["target", "tried", "refused", "equal", "accepted", "FAILED", "seconds"]
BATCH = 1000  # attempts of one process
SHARE = 0.1  # of the first attack's scale, unless told otherwise


def main() -> None:
    """Attack, print the table, and end with status 1 if anything failed."""
    asked = arguments()
    chosen = [TARGETS[name] for name in asked.only or TARGETS]
    if asked.seed is not None:
        limit_memory()
        for target in chosen:
            sys.stdout.write(f"{target.name} {asked.seed}: {attempted(target, asked.seed)}\n")
        return
    rows, failures = [], list[str]()
    left = asked.minutes * 60 if asked.minutes else None
    for n, target in enumerate(chosen):
        start = monotonic()
        seconds = None if left is None else left / (len(chosen) - n)
        counts = attack(target, asked.scale, asked.first, seconds, failures)
        taken = monotonic() - start
        left = None if left is None else max(left - taken, 0)
        rows.append([target.name, *counts, f"{taken:.0f}"])
        sys.stderr.write(f"{rows[-1]}\n")
    totals = [sum(row[k] for row in rows) for k in range(1, 6)]
    rows.append(["all", *totals, f"{sum(int(row[-1]) for row in rows)}"])
    table = markdown_table(HEADER, [[str(cell) for cell in row] for row in rows])
    sys.stdout.write(f"{table}\n" + "".join(f"{line}\n" for line in failures))
    sys.exit(1 if failures else 0)


def attack(
    target: Target, scale: float, first: int, seconds: float | None, failures: list[str]
) -> list[int]:
    """Attack one target; return the counts of the table and add to the failures."""
    found: Counter[str] = Counter()
    start = monotonic()
    n_attempts = max(round(target.n_attempts * scale), 1)
    for begin in count(first, BATCH):
        end = first + n_attempts if seconds is None else begin + BATCH
        for one in attacked(target, range(begin, min(begin + BATCH, end))):
            found[one.outcome] += 1
            if not one.outcome:
                failures.append(f"{target.name} --seed {one.seed}: {one.failure}")
                sys.stderr.write(f"{failures[-1]}\n")
            if seconds is not None and monotonic() - start > seconds:
                break
        over = seconds is not None and monotonic() - start > seconds
        if over or (seconds is None and begin + BATCH >= end):
            break
    tried = [found[name] for name in ("refused", "equal", "accepted", "")]
    return [sum(tried), *tried]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--scale", type=float, default=SHARE, help="1 is the whole first attack")
    parser.add_argument("--minutes", type=float, help="attack for so long instead")
    parser.add_argument("--only", action="append", choices=list(TARGETS), help="this target")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seed", type=int, help="one attempt again, here, with its traceback")
    return parser.parse_args()


if __name__ == "__main__":
    main()
