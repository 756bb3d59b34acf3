"""Time per round of an experiment's policies: compiled, in plain Python, and as published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unirank.lab.bounds import Problem
from unirank.lab.experiment import Experiment
from unirank.lab.speed import RoundTime, compare, mean_over, plain_times

PAPER_MILLISECONDS = {  # Table 2 of the paper: mean per recommendation, on Yandex with CM
    "unirank": 1.0,
    "toprank": 0.7,
    "pb-mhb": 13.9,
    "grab": 0.9,
    "cascade-kl-ucb": 0.9,
}

HEADER = ("policy", "ns a round", "rounds of random", "plain Python, us", "the paper, ms")


@dataclass(frozen=True)
class Timing:
    """Unskipped rounds on one core, all measured in turns in one run."""

    problem: str
    compiled: Sequence[RoundTime]
    plain: Mapping[str, float]  # nanoseconds, of the policies that have a plain edition

    def rows(self) -> list[tuple[str, ...]]:
        """The table under `HEADER`, the fastest first."""
        return [
            (
                time.policy,
                f"{time.nanoseconds:,.0f}",
                f"{time.units:.1f}",
                f"{self.plain[time.policy] / 1000:,.0f}" if time.policy in self.plain else "",
                f"{PAPER_MILLISECONDS[time.policy]:.1f}"
                if time.policy in PAPER_MILLISECONDS
                else "",
            )
            for time in sorted(self.compiled, key=lambda time: time.nanoseconds)
        ]


def time_policies(experiment: Experiment, n_rounds: int) -> Timing:
    """Time each policy of an experiment on its problems: the mean over them."""
    names = list(dict.fromkeys(entry.policy for entry in experiment.policies))
    problems = {
        name: Problem(users, experiment.n_positions)
        for name, users in experiment.users_by_problem().items()
    }
    times = mean_over(experiment.name, compare(names, problems, n_rounds))
    first = next(iter(problems.values()))
    many = f"mean of {len(problems)} problems" if len(problems) > 1 else "one problem"
    title = (
        f"{first.users.name}, {first.users.n_items} items, {first.n_positions} positions, {many}"
    )
    return Timing(title, times, plain_times(names, first, n_rounds))
