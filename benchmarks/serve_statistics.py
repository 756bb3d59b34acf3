"""What `unirank serve` says of its own gain, and what several processes lose, in many simulations.

    .venv/bin/python -m benchmarks.serve_statistics

`make statistics` writes it to benchmarks/serve_statistics.txt; a test plays less of it.
"""

import sys

import numpy as np

from tests.server.faults.simulated import (
    ATTRACTION,
    EXAMINATION,
    covers,
    exported_log,
    lost_clicks,
    week,
)
from unirank.markdown import markdown_table

N_GAMES, N_ROUNDS = 20, 3_000
N_WEEKS, N_VIEWS = 200, 150  # views of a day
WEEKS = (  # clicks that the learner brings, whether reports of clicks are final
    (0.0, False, "without effect"),
    (0.0, True, "without effect, clicks final"),
    (0.3, True, "with 0.9 clicks more, clicks final"),
)
N_LOGS = 100


def main() -> None:
    rows = []
    for policy in ("unirank", "matchrank"):
        one, four = (
            np.mean([lost_clicks(policy, n, N_ROUNDS, seed) for seed in range(N_GAMES)])
            for n in (1, 4)
        )
        name = (
            f"clicks lost by 4 processes / by 1, {policy}, {N_GAMES} games of {N_ROUNDS:,} rounds"
        )
        rows.append([name, f"{four / one:.3f}", "<= 1.1"])
    for effect, final, words in WEEKS:
        weeks = [week(seed, N_VIEWS, effect, final) for seed in range(N_WEEKS)]
        n_excluded = sum(excluded for excluded, _ in weeks)
        name = f"weeks {words}, of {N_WEEKS}, in which the lift excluded the truth on some day"
        rows.append([name, f"{n_excluded}", f"<= {N_WEEKS // 20}"])
        n_broken = sum(ratio < 0.001 for _, ratio in weeks)
        name = f"of these {N_WEEKS}, p-value of the shares below 0.001"
        rows.append([name, f"{n_broken}", "0 or 1"])
    truth = sum(a * e for a, e in zip(ATTRACTION[2:0:-1], EXAMINATION, strict=False))
    n_covered = sum(
        covers(exported_log("epsilon-greedy", {"epsilon": 0.3}, 1000, seed), ["c", "b"], truth)
        for seed in range(N_LOGS)
    )
    name = f"inverse-propensity intervals of {N_LOGS} exported logs that hold the truth"
    rows.append([name, f"{n_covered}", "90 to 99"])
    table = markdown_table(("quantity", "found", "wanted"), rows, numbers_from=1)
    sys.stdout.write(f"{table}\n")


if __name__ == "__main__":
    main()
