"""What MatchRank does where its model is wrong, with few views, with other constants; its speed.

    python -m benchmarks.match_rank                        all parts, some minutes of two cores
    python -m benchmarks.match_rank robustness few-views   some of them
    python -m benchmarks.match_rank sensitivity --scale 4  four times as many games

Every game has a seed of its own, and random problems are drawn anew for each game. All policies
meet the same problems and the same users. For the real problems set UNIRANK_DATA or fetch them
(`unirank data fetch kdd-pbm yandex-pbm yandex-cm`).
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.lab import load_experiment
from unirank.lab.bounds import Problem
from unirank.lab.evidence import estimated
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.known_values import with_known_values
from unirank.lab.simulation.plan import GamePlan
from unirank.lab.simulation.scheduler import cpu_count, play_games
from unirank.lab.speed import growth_problem, state_megabytes, timed
from unirank.markdown import markdown_table
from unirank.policies.base.specs import PolicySpec, resolved
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng, uniform
from unirank.policies.match_rank import guard, model, policy
from unirank.users import CM, PBM, ClickModel
from unirank.users.base import ClickKernels

Floats = NDArray[np.float64]


def say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


# Games, each with its own problem and seed.


REVERSED_ROUNDS = 1000


@dataclass(frozen=True)
class ReversedStart(GamePlan):
    """Games after a thousand rounds of users to whom the best item is the worst, and so on.

    Items must be given best first. What the policy has learnt from these rounds is all it keeps.
    """

    def new_game(self, number: int) -> Game:
        game = super().new_game(number)
        seed = self.seed + 10**6  # other random numbers than the game's, hence another order
        attraction = np.empty(self.users.n_items)
        attraction[self.users.item_order(seed, number)] = self.users.attraction[::-1][
            self.users.item_order(self.seed, number)
        ]
        before = Game(
            game.policy,
            type(self.users)(**{**self.users.settings, "attraction": attraction}),
            seed=seed,
            game=number,
            best_value=0.0,
            checkpoints=np.array([REVERSED_ROUNDS]),
        )
        before.advance(REVERSED_ROUNDS)
        return game


def regrets(
    spec: PolicySpec,
    problems: Sequence[Problem],
    rounds: Sequence[int],
    *,
    first_seed: int = 0,
    plan: type[GamePlan] = GamePlan,
    n_workers: int | None = None,
) -> Floats:
    """Regret of one game on each problem (rows) in these rounds; game n has seed first_seed + n."""
    cls, options = resolved(spec)
    plans = [
        plan(
            policy=cls,
            options=with_known_values(cls, options, *problem, rounds[-1]),
            users=problem.users,
            n_positions=problem.n_positions,
            n_rounds=rounds[-1],
            seed=first_seed + number,
            checkpoints=np.array(rounds),
        )
        for number, problem in enumerate(problems)
    ]
    found = np.empty((len(plans), len(rounds)))

    def done(place: int, game: Game) -> None:
        found[place] = game.regret

    workers = cpu_count() if n_workers is None else n_workers
    play_games([(one, 0) for one in plans], workers, done, lambda *_: None)
    return found


def mean_and_error(games: Floats) -> str:
    """The mean over games, and its standard error."""
    mean, error = games.mean(), games.std(ddof=1) / np.sqrt(len(games))
    digits = 1 if mean < 1000 else 0
    return f"{mean:,.{digits}f} ± {error:,.{digits}f}"


# Clicks at any rates that increase with the item and decrease with the position.


class Rates(NamedTuple):
    attraction: Floats  # (n_items,) mean rate over the positions
    rate: Floats  # (n_items, n_positions) probability of a click


@compiled
def click(model: Rates, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]) -> None:
    for position, item in enumerate(ranking):
        clicks[position] = uniform(rng, item) < model.rate[item, position]


@compiled
def expected_clicks(model: Rates, ranking: NDArray[np.int64], expected: Floats) -> float:
    total = 0.0
    for position, item in enumerate(ranking):
        expected[position] = model.rate[item, position]
        total += expected[position]
    return total


class RateTable(ClickModel):
    """Independent clicks with a probability for each item and position."""

    name = "rate-table"
    kernels = ClickKernels(click, expected_clicks)
    per_item = ("attraction", "rate")

    def __init__(self, rate: Floats) -> None:
        super().__init__(Rates(rate.mean(axis=1), rate), rate.shape[1], rate=rate)
        self.attraction = rate.mean(axis=1)

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        return np.argsort(-self.attraction, kind="stable")[:n_positions]


def random_table(n_items: int, n_positions: int, largest: float, seed: int) -> RateTable:
    """Sums of random steps >= 0 over all worse items and all lower positions.

    The rate of a better item is larger, and exceeds the other's by more in a higher position
    (supermodular), so that the sorted list has the most clicks; otherwise rates are arbitrary.
    """
    steps = np.random.default_rng(seed).gamma(0.3, size=(n_items, n_positions))
    rate = np.cumsum(np.cumsum(steps[::-1, ::-1], axis=0), axis=1)[::-1, ::-1]
    return RateTable(np.ascontiguousarray(rate * largest / rate[0, 0]))


# Constants of the compiled code are set before it is compiled, each time in a new process.


def with_constants(
    constants: Mapping[str, float],
    problems: Sequence[Problem],
    rounds: Sequence[int],
    first_seed: int,
) -> Floats:
    """Regret of MatchRank with other constants; to be called in a process of its own."""
    for name, value in constants.items():
        for module in (model, guard, policy):
            if hasattr(module, name):
                setattr(module, name, value)
    return regrets("matchrank", problems, rounds, first_seed=first_seed, n_workers=1)


def regrets_by_constants(
    variants: Sequence[Mapping[str, float]],
    problems: Sequence[Problem],
    rounds: Sequence[int],
    first_seed: int = 0,
) -> list[Floats]:
    """Regret of MatchRank with each set of constants, as many processes at once as cores."""
    with ProcessPoolExecutor(
        cpu_count(), mp_context=get_context("spawn"), max_tasks_per_child=1
    ) as pool:
        waiting = [
            pool.submit(with_constants, constants, problems, rounds, first_seed)
            for constants in variants
        ]
        return [one.result() for one in waiting]


BLINDFOLDED = {"SLOPE": 0.0, "SLOPE_PRECISION": 1e12}  # examination is 1 everywhere, for certain
UNGUARDED = {"PATIENCE": 1e300}  # no doubt: no pair is tested, nothing is overruled


# The parts.

LINEAR = [0.4, 0.36, 0.32, 0.28, 0.24, 0.2, 0.16, 0.12, 0.08, 0.04]
STEEP = [1.0, 0.7, 0.5, 0.35, 0.25]


@dataclass(frozen=True)
class Situation:
    """A kind of users for the robustness part: the problem of each game."""

    title: str
    problem: Callable[[int], Problem]  # of a game's number
    n_games: int = 20
    plan: type[GamePlan] = GamePlan


def always(users: ClickModel, n_positions: int) -> Callable[[int], Problem]:
    return lambda _: Problem(users, n_positions)


def situations() -> list[Situation]:
    simul = load_experiment("simul-pbm").users
    ties = PBM([0.3, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1, 0.05, 0.05, 0.05], STEEP)
    many = PBM(0.4 * 0.93 ** np.arange(50), 1 / (1 + 0.1 * np.arange(10)))
    common = PBM(**{**simul.settings, "coupling": "common"})
    return [
        Situation("exact ties in the top: PBM, 0.3 three times, 0.2 twice", always(ties, 5)),
        Situation(
            "random rates by item and position, 10 x 5, a new table each game",
            lambda game: Problem(random_table(10, 5, 0.4, seed=1000 + game), 5),
        ),
        Situation("comonotone clicks: Simul PBM, common", always(common, 5)),
        Situation("cascade: Simul CM", always(load_experiment("simul-cm").users, 5)),
        Situation(
            "after 1,000 rounds with the order reversed: PBM, attraction 0.4 to 0.04",
            always(PBM(LINEAR, STEEP), 5),
            plan=ReversedStart,
        ),
        Situation("one position: attraction 0.4 to 0.04", always(PBM(LINEAR, [1.0]), 1)),
        Situation("50 x 10: PBM, attraction 0.4 * 0.93^i", always(many, 10), n_games=6),
    ]


ROBUSTNESS_ROUNDS = (10**4, 10**5, 10**6)
FLAT = (
    "growth: regret from 10^5 to 10^6 over that from 10^4 to 10^5; 1 is a logarithm, 3.2 a square "
    "root, 10 linear."
)
ROBUSTNESS_HEAD = ("policy", "10^5", "worst", "10^6", "worst", "growth")


def robustness_row(label: str, regret: Floats) -> tuple[str, ...]:
    first, middle, last = regret.T
    growth = (last - middle).mean() / max((middle - first).mean(), 1e-9)
    return (
        label,
        mean_and_error(middle),
        f"{middle.max():,.0f}",
        mean_and_error(last),
        f"{last.max():,.0f}",
        f"{growth:.2f}",
    )


def say_table(
    title: str, rows: Sequence[Sequence[str]], header: Sequence[str] = ROBUSTNESS_HEAD
) -> None:
    say(f"\n{title}\n\n{markdown_table(header, rows, numbers_from=1)}")


def scaled(n_games: int, scale: float) -> int:
    return max(2, round(n_games * scale))


def robustness(scale: float) -> None:
    """Users that the position model is wrong about, and other hard starts."""
    say(f"Robustness: regret, mean ± standard error and worst game. {FLAT}")
    for situation in situations():
        n_games = scaled(situation.n_games, scale)
        problems = [situation.problem(game) for game in range(n_games)]
        rows = [
            robustness_row(name, regrets(name, problems, ROBUSTNESS_ROUNDS, plan=situation.plan))
            for name in ("matchrank", "pb-mhb", "unirank")
        ]
        say_table(f"{situation.title}; {n_games} games, seeds 0 to {n_games - 1}", rows)
    n_games = scaled(20, scale)
    problems = [Problem(PBM(LINEAR, STEEP), 5)] * n_games
    variants = {
        "matchrank": {},
        "blindfolded, guarded": BLINDFOLDED,
        "blindfolded, unguarded": {**BLINDFOLDED, **UNGUARDED},
    }
    found = regrets_by_constants(list(variants.values()), problems, ROBUSTNESS_ROUNDS)
    rows = [robustness_row(name, regret) for name, regret in zip(variants, found, strict=True)]
    rows.append(robustness_row("unirank", regrets("unirank", problems, ROBUSTNESS_ROUNDS)))
    say_table(
        "a model that believes examination 1 everywhere (it is 1 to 0.25): PBM, attraction 0.4 to "
        f"0.04; {n_games} games, seeds 0 to {n_games - 1}",
        rows,
    )


VIEWS = (500, 5_000, 100_000)
FEW_VIEWS_POLICIES: tuple[PolicySpec, ...] = (
    "matchrank",
    "pb-mhb",
    "unirank",
    ("toprank", {"horizon": "told"}),
    "cascade-kl-ucb",
    "random",
)


def few_views_problem(click_model: str, n_items: int, n_positions: int, seed: int) -> Problem:
    """A page whose items have attractions from Beta(1, 9): 0.1 on average, most of them less."""
    attraction = np.random.default_rng(seed).beta(1, 9, n_items)
    if click_model == "cm":
        return Problem(CM(attraction), n_positions)
    return Problem(PBM(attraction, 1 / (1 + 0.3 * np.arange(n_positions))), n_positions)


def few_views(scale: float) -> None:
    """Clicks lost after a few views, and as a share of those of the best order."""
    n_games = scaled(30, scale)
    say(
        "Few views: clicks lost, mean ± standard error, and as a share of the clicks on the best "
        "order. Attractions from Beta(1, 9), new ones each game; PBM with examination 1, 1/1.3, "
        f"1/1.6, ... {n_games} games, seeds of problems and games 0 to {n_games - 1}. TopRank is "
        "told the number of views."
    )
    for click_model in ("pbm", "cm"):
        for n_items, n_positions in ((10, 5), (40, 5), (40, 8)):
            problems = [
                few_views_problem(click_model, n_items, n_positions, game)
                for game in range(n_games)
            ]
            best = np.mean([users.best_value(n_positions) for users, _ in problems])
            rows = []
            for spec in FEW_VIEWS_POLICIES:
                name = spec if isinstance(spec, str) else str(spec[0])
                if name == "toprank":  # another game for each horizon
                    by_views = [regrets(spec, problems, [views])[:, 0] for views in VIEWS]
                else:
                    by_views = list(regrets(spec, problems, VIEWS).T)
                cells = [
                    f"{mean_and_error(lost)} ({lost.mean() / best / views:.1%})"
                    for lost, views in zip(by_views, VIEWS, strict=True)
                ]
                rows.append((name, *cells))
            header = ("policy", *(f"{views:,} views" for views in VIEWS))
            title = (
                f"{click_model.upper()}, {n_items} items, {n_positions} positions; "
                f"{best:.3f} clicks a view on the best order"
            )
            say_table(title, rows, header)


CONSTANTS: tuple[dict[str, float], ...] = (
    {},
    {"TEMPER": 0.25},
    {"TEMPER": 0.5},
    {"TEMPER": 2.0},
    {"LEAST_EXCESS": -2.99},
    {"PATIENCE": 500.0},
    {"PATIENCE": 2000.0},
    {"LAZINESS": 0.01},
    {"LAZINESS": 0.04},
    {"SLOPE_PRECISION": 2.0},
    {"SLOPE_PRECISION": 8.0},
    {"OTHER_ITEMS": 0.5},
    {"OTHER_ITEMS": 2.0},
    {"LEAST_PRIOR": 0.1},
    {"LEAST_PRIOR": 2.0},
    {"OVERRULING": 0.1},
    {"OVERRULING": 10.0},
    {"SLOPE": 0.1},
    {"SLOPE": 0.4},
    {"MOST_SWAPS": 0.25},
    {"PRIOR_SPREAD": 0.25},
    {"PRIOR_SPREAD": 1.0},
    {"EARLY": 0},
    {"EARLY": 10_000},
    {"LARGEST_STEP": 0.5},
    {"LARGEST_STEP": 2.0},
)
SENSITIVITY_GAMES = {  # a query
    "simul-pbm": 30,
    "simul-cm": 30,
    "kdd-pbm": 8,
    "yandex-pbm": 8,
    "yandex-cm": 4,
}


TEMPERS: tuple[dict[str, float], ...] = ({"TEMPER": 0.25}, {"TEMPER": 0.5}, {})
TEMPER_GAMES = {"kdd-pbm": 16, "yandex-pbm": 16, "yandex-cm": 8}  # a query


def sensitivity(scale: float) -> None:
    """Regret with other values of each constant, most of them halved and doubled."""
    say(
        "Sensitivity: regret at 10^5 rounds, mean ± standard error within queries, and the worst "
        f"game. As it is: temper {model.TEMPER:g}, least excess {model.LEAST_EXCESS:g} (-2.99: "
        f"Thompson sampling without optimism), patience {guard.PATIENCE:g}, laziness "
        f"{policy.LAZINESS}, slope precision {model.SLOPE_PRECISION:g}, other items "
        f"{model.OTHER_ITEMS:g}, least prior {model.LEAST_PRIOR:g}, overruling "
        f"{guard.OVERRULING:g}, slope {model.SLOPE:g}, most swaps {guard.MOST_SWAPS:g}, prior "
        f"spread {guard.PRIOR_SPREAD:g}, early {model.EARLY}, largest step {model.LARGEST_STEP:g}."
    )
    say_by_constants(CONSTANTS, SENSITIVITY_GAMES, (10**5,), scale)


def temper(scale: float) -> None:
    """Regret in longer games if lists are drawn from a part of the posterior's variance."""
    say(
        "Temper: drawn from a part of the variance only, lists lose less at first, and rare games "
        "lose much more later. Regret, mean ± standard error within queries, and the worst game."
    )
    say_by_constants(TEMPERS, TEMPER_GAMES, (10**5, 10**6), scale)


def say_by_constants(
    variants: Sequence[Mapping[str, float]],
    games: Mapping[str, int],
    rounds: Sequence[int],
    scale: float,
) -> None:
    """Print a table: a row for each set of constants and number of rounds."""
    problems: list[Problem] = []  # of each game
    queries: dict[str, int] = {}  # of each experiment
    for name, n_games in games.items():
        experiment = load_experiment(name)
        every = experiment.users_by_problem().values()
        queries[name] = len(every)
        for users in every:
            problems += [Problem(users, experiment.n_positions)] * scaled(n_games, scale)
    counts = ", ".join(f"{name} {queries[name] * scaled(n, scale)}" for name, n in games.items())
    say(f"Games: {counts}; seeds from 0, the same in every row.")
    rows = []
    for constants, regret in zip(
        variants, regrets_by_constants(variants, problems, rounds), strict=True
    ):
        label = ", ".join(f"{name} {value:g}" for name, value in constants.items())
        for place, n_rounds in enumerate(rounds):
            lost, cells = iter(regret[:, place]), []
            for name, n_games in games.items():
                by_query = [
                    np.array([next(lost) for _ in range(scaled(n_games, scale))])
                    for _ in range(queries[name])
                ]
                cells.append(f"{estimated(by_query)}, {np.max(by_query):,.0f}")
            constant = label.lower().replace("_", " ") or "as it is"
            rows.append((constant, f"{n_rounds:,}", *cells))
    say_table("mean ± standard error, worst", rows, ("constant", "rounds", *queries))


def speed(_: float) -> None:
    """Time per round in rounds of `random`, and memory; the same at every scale."""
    names = ("matchrank", "pb-mhb", "unirank")
    simul = load_experiment("simul-pbm")
    sizes = {  # the problem, and rounds of a game
        "Simul PBM": (Problem(simul.users, 5), 10**6),
        "Yandex PBM, first query": (first_problem("yandex-pbm"), 10**6),
        "KDD, first query": (first_problem("kdd-pbm"), 10**6),
        "50 x 10": (Problem(growth_problem(50, 10), 10), 10**5),
        "1,000 x 10": (Problem(growth_problem(1000, 10), 10), 10**4),
    }
    say(
        "Speed: time of an unskipped round in rounds of `random` on the same problem, and in "
        "nanoseconds; one core, all in turns in one run, the fastest of five."
    )
    rows = []
    for title, (problem, n_rounds) in sizes.items():
        found = timed([(name, {}) for name in names], title, problem, n_rounds, repeats=5)
        cells = [f"{one.units:.1f} ({one.nanoseconds:,.0f})" for one in found]
        rows.append((f"{title}, {n_rounds:,} rounds", *cells, f"{found[0].unit:,.0f}"))
    say_table("units (nanoseconds)", rows, ("problem", *names, "random, ns"))
    megabytes = state_megabytes("matchrank", 1000, 10, 1000)
    say(f"\nMemory of MatchRank's state, 1,000 items, 10 positions: {megabytes:.1f} megabytes.")


def first_problem(name: str) -> Problem:
    experiment = load_experiment(name)
    return Problem(next(iter(experiment.users_by_problem().values())), experiment.n_positions)


PARTS = {
    "robustness": robustness,
    "few-views": few_views,
    "sensitivity": sensitivity,
    "temper": temper,
    "speed": speed,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure MatchRank.")
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--scale", type=float, default=1.0, help="times as many games")
    given = parser.parse_args()
    unknown = [part for part in given.parts if part not in PARTS]
    if unknown:
        parser.error(f"part must be one of {', '.join(PARTS)}, got {unknown[0]!r}")
    for part in given.parts or PARTS:
        start = perf_counter()
        PARTS[part](given.scale)
        say(f"\n{part}: {perf_counter() - start:.0f} s of {cpu_count()} cores\n")


if __name__ == "__main__":
    main()
