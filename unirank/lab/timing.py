"""Time per round of an experiment's policies: compiled, as literal twins, and as published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unirank.lab.comparison import compare, twin_times
from unirank.lab.experiment import Experiment
from unirank.lab.speed import Speed, mean_over

PAPER_MILLISECONDS = {  # Table 2 of the paper: mean per recommendation, on Yandex with CM
    "unirank": 1.0,
    "toprank": 0.7,
    "pb-mhb": 13.9,
    "grab": 0.9,
    "cascade-kl-ucb": 0.9,
}

HEADER = ("policy", "ns a round", "rounds of random", "literal twin, us", "the paper, ms")


@dataclass(frozen=True)
class Timing:
    """Unskipped rounds on one core, all measured in turns in one run."""

    problem: str
    speeds: Sequence[Speed]
    twins: Mapping[str, float]  # nanoseconds, of those that were measured

    def rows(self) -> list[tuple[str, ...]]:
        """The table under `HEADER`, the fastest first."""
        return [
            (
                speed.policy,
                f"{speed.nanoseconds:,.0f}",
                f"{speed.units:.1f}",
                f"{self.twins[speed.policy] / 1000:,.0f}" if speed.policy in self.twins else "",
                f"{PAPER_MILLISECONDS[speed.policy]:.1f}"
                if speed.policy in PAPER_MILLISECONDS
                else "",
            )
            for speed in sorted(self.speeds, key=lambda speed: speed.nanoseconds)
        ]


def measured(experiment: Experiment, twins: Mapping[str, Any], n_rounds: int) -> Timing:
    """Time each policy of an experiment on its problems: the mean over them."""
    names = list(dict.fromkeys(entry.policy for entry in experiment.policies))
    problems = {
        name: (users, experiment.n_positions)
        for name, users in experiment.users_by_problem().items()
    }
    speeds = mean_over(experiment.name, compare(names, problems, n_rounds))
    first = next(iter(problems.values()))
    many = f"mean of {len(problems)} problems" if len(problems) > 1 else "one problem"
    title = f"{first[0].name}, {first[0].n_items} items, {first[1]} positions, {many}"
    return Timing(title, speeds, twin_times(names, twins, first, n_rounds))
