"""Which policy for a page of this size, from games on problems of a stated prior.

Each problem is played once by every policy, so that the luck of a problem cancels out where two
policies are compared. What today's order loses is known exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.prior import SENTENCE, DrawnProblem, draw_problem
from unirank.lab.simulation.checkpoints import log_spaced
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.games import check_scale
from unirank.lab.simulation.known_values import check_values
from unirank.lab.simulation.plan import GamePlan, plan_games
from unirank.lab.simulation.scheduler import cpu_count, play_games, started
from unirank.policies.base.specs import PolicySpec, described, resolved
from unirank.policies.kernels.randomness import LARGEST_ROUND
from unirank.progress import ProgressBar

CANDIDATES: tuple[PolicySpec, ...] = (
    "matchrank",
    "unirank",
    ("toprank", {"horizon": "told"}),
    "pb-mhb",
)
PILOT = 2  # problems that tell how long one takes: one of each click model
LEAST, MOST = 10, 1000  # problems, unless the user gives their number
ERRORS = 2.0  # standard errors of every "±" and range


@dataclass(frozen=True)
class Outlook:
    """The expected loss and gain of one policy: means over problems, with two standard errors."""

    policy: str
    lost: float  # clicks, against the best order
    lost_error: float
    gained: float  # clicks, against today's order
    gained_error: float
    pays_back: int | None  # visits after which the mean gain stays above 0; None: later
    pays_back_from: int | None  # visits for the mean gain plus two standard errors
    pays_back_to: int | None  # visits for the mean gain minus two standard errors
    share_paid_back: float  # problems with a gain in the end


@dataclass(frozen=True)
class Advice:
    """The outlooks of the policies, the best first, and the games they come from."""

    n_items: int
    n_positions: int
    n_visits: int
    outlooks: tuple[Outlook, ...]
    as_good: tuple[str, ...]  # policies that two standard errors do not tell from the first
    today_lost: float  # clicks that today's order loses in `n_visits` visits
    today_lost_error: float
    n_problems: int
    n_games: int
    seconds: float
    seed: int
    prior: str = SENTENCE

    @property
    def sentence(self) -> str:
        """The advice in one line."""
        best = self.outlooks[0]
        if best.gained + best.gained_error < 0:
            return (
                f"Keep today's order: within {self.n_visits:,} visits no policy pays back, "
                f"{best.policy} comes nearest"
            )
        others = f", or {' or '.join(self.as_good)}, which is as good" if self.as_good else ""
        return f"Take {best.policy}{others}"


def advise(
    n_items: int,
    n_positions: int,
    n_visits: int,
    *,
    policies: Sequence[PolicySpec] = CANDIDATES,
    n_problems: int | None = None,
    seconds: float = 20.0,
    seed: int = 0,
    n_workers: int | None = None,
    progress: bool | None = None,
) -> Advice:
    """Play policies on problems of the prior, and say which to take for `n_visits` visits.

    Parameters
    ----------
    n_items
        How many items there are.
    n_positions
        How many of them a page shows.
    n_visits
        Page views after which the policies are compared.
    policies
        Names or Policy classes, or (either, options).
    n_problems
        Problems to play; by default about as many as `seconds` allow on this machine, not counting
        the time to compile. The same number gives the same results everywhere.
    seconds
        Time to play for, where n_problems is not given.
    n_workers
        Games that are played at a time; by default one for each core.
    progress
        Whether to show a bar; by default on a terminal only.
    """
    n_items = arguments.integer("n_items", n_items, 2)
    n_positions = arguments.integer("n_positions", n_positions, 1, n_items, "n_items=")
    n_workers = cpu_count() if n_workers is None else n_workers
    n_visits = arguments.integer("n_visits", n_visits, 1, LARGEST_ROUND)
    check_scale(seed=seed, n_workers=n_workers)
    seconds = arguments.positive("seconds", seconds)
    if n_problems is not None:
        n_problems = arguments.integer("n_problems", n_problems, 2)
    if not policies:
        raise ArgumentError("policies must not be empty, got []")
    start = perf_counter()
    table = _Table(policies, n_items, n_positions, n_visits, seed, n_workers)
    table.compile()
    with ProgressBar("advice", None, unit="rounds", shown=progress) as bar:
        pilot = perf_counter()
        table.play(range(PILOT), bar)
        if n_problems is None:
            allowed = seconds / (perf_counter() - pilot) * PILOT
            n_problems = int(min(max(allowed, LEAST), MOST)) // 2 * 2
        table.play(range(PILOT, n_problems), bar)
    return table.advice(n_problems, perf_counter() - start)


class _Table:
    """The regret of every policy on every problem played so far."""

    def __init__(
        self,
        policies: Sequence[PolicySpec],
        n_items: int,
        n_positions: int,
        n_visits: int,
        seed: int,
        n_workers: int,
    ) -> None:
        self.policies = [resolved(policy) for policy in policies]
        for cls, options in self.policies:
            check_values(cls, options)
        self.names = [described(cls.name, options) for cls, options in self.policies]
        self.n_items, self.n_positions, self.n_visits = n_items, n_positions, n_visits
        self.seed, self.n_workers = seed, n_workers
        self.rounds = log_spaced(n_visits)
        self.problems: dict[int, DrawnProblem] = {}
        self.regret: dict[tuple[int, int], NDArray[np.float64]] = {}  # by policy and problem
        self.n_played = 0  # rounds

    def problem(self, number: int) -> DrawnProblem:
        if number not in self.problems:
            size = self.n_items, self.n_positions
            self.problems[number] = draw_problem(self.seed, number, *size)
        return self.problems[number]

    def plan(self, policy: int, number: int) -> GamePlan:
        cls, options = self.policies[policy]
        return plan_games(
            cls,
            options,
            self.problem(number).users,
            n_positions=self.n_positions,
            n_rounds=self.n_visits,
            seed=self.seed,
            checkpoints=self.rounds,
        )

    def compile(self) -> None:
        for policy in range(len(self.policies)):
            for number in range(PILOT):
                started(self.plan(policy, number), number)

    def play(self, numbers: range, bar: ProgressBar) -> None:
        """Play every policy on these problems."""
        places = [(policy, number) for number in numbers for policy in range(len(self.policies))]
        before, total = self.n_played, self.n_played + len(places) * self.n_visits

        def done(place: int, game: Game) -> None:
            self.regret[places[place]] = game.regret

        def watch(rounds: int, games: int) -> None:
            bar.show(before + rounds, total=total, note=f"{games}/{len(places)} games")

        games = [(self.plan(policy, number), number) for policy, number in places]
        play_games(games, self.n_workers, done, watch)
        self.n_played = total

    def advice(self, n_problems: int, seconds: float) -> Advice:
        numbers = range(n_problems)
        loss = np.array([self.problem(number).loss for number in numbers], np.float64)
        gains = {
            name: loss[:, np.newaxis] * self.rounds
            - np.stack([self.regret[policy, number] for number in numbers])
            for policy, name in enumerate(self.names)
        }
        order = sorted(gains, key=lambda name: -gains[name][:, -1].mean())
        best = gains[order[0]][:, -1]
        behind = {name: _mean(best - gains[name][:, -1]) for name in order[1:]}
        today, today_error = _mean(loss * self.n_visits)
        return Advice(
            n_items=self.n_items,
            n_positions=self.n_positions,
            n_visits=self.n_visits,
            outlooks=tuple(outlook(n, self.rounds, gains[n], loss) for n in order),
            as_good=tuple(name for name, (gap, error) in behind.items() if gap <= error),
            today_lost=today,
            today_lost_error=today_error,
            n_problems=n_problems,
            n_games=n_problems * len(order),
            seconds=seconds,
            seed=self.seed,
        )


def outlook(
    name: str, rounds: NDArray[np.int64], gain: NDArray[np.float64], loss: NDArray[np.float64]
) -> Outlook:
    """Summarize gains by problem and checkpoint; `loss` is that of today's order by problem."""
    mean = gain.mean(axis=0)
    error = ERRORS * gain.std(axis=0, ddof=1) / np.sqrt(len(gain))
    lost, lost_error = _mean(loss * rounds[-1] - gain[:, -1])
    return Outlook(
        policy=name,
        lost=lost,
        lost_error=lost_error,
        gained=float(mean[-1]),
        gained_error=float(error[-1]),
        pays_back=pays_back(rounds, mean),
        pays_back_from=pays_back(rounds, mean + error),
        pays_back_to=pays_back(rounds, mean - error),
        share_paid_back=float((gain[:, -1] > 0).mean()),
    )


def pays_back(rounds: NDArray[np.int64], gain: NDArray[np.float64]) -> int | None:
    """The first checkpoint from which the gain stays above 0; None if it ends below."""
    below = np.flatnonzero(gain <= 0)
    first = below[-1] + 1 if len(below) else 0
    return int(rounds[first]) if first < len(rounds) else None


def _mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean, and two standard errors of it."""
    return float(values.mean()), float(ERRORS * values.std(ddof=1) / np.sqrt(len(values)))
