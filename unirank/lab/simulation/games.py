"""Many games of one policy: `simulate`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.simulation import checkpoints as rounds_of
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.known_values import label_as_asked, with_known_values
from unirank.lab.simulation.needs import check_needs
from unirank.lab.simulation.scheduler import PlannedGame, cpu_count, play_games
from unirank.lab.simulation.segment_game import SegmentGame
from unirank.lab.simulation.trace import Trace
from unirank.policies.base.policy import Policy
from unirank.policies.base.specs import PolicySpec, own_class_path, renamed_in_game, resolved
from unirank.policies.kernels.randomness import LARGEST_ROUND
from unirank.progress import ProgressBar
from unirank.users.base import ClickModel
from unirank.users.objective import CLICKS, value_kernel
from unirank.users.segments import Segments

MOST_GAMES = 10**6  # each takes about a kilobyte while it waits
MOST_WORKERS = 10**4
MOST_NUMBERS = 10**9  # of games times checkpoints: 8 GB


@dataclass(frozen=True)
class GamePlan:
    """All that the games of one trace have in common; nothing is checked here."""

    policy: type[Policy]
    options: dict[str, Any]
    users: ClickModel
    n_positions: int
    n_rounds: int
    seed: int
    checkpoints: NDArray[np.int64]
    given_best: tuple[Any, ...] = ()  # what regret is measured against; by default the best ranking
    skip: bool = True
    objective: str = CLICKS

    @cached_property
    def best_ranking(self) -> tuple[Any, ...]:
        """What regret is measured against; the best ranking of each, where there are segments."""
        if self.given_best:
            return self.given_best
        if isinstance(self.users, Segments):
            return tuple(self.users.best_rankings(self.n_positions, self.objective))
        return self.users.best_ranking(self.n_positions, self.objective)

    def new_policy(self, order: NDArray[np.int64]) -> Policy:
        """Make the policy of a game in which items have this order."""
        options = renamed_in_game(self.policy, self.options, order)
        return self.policy(self.users.n_items, self.n_positions, seed=self.seed, **options)

    def new_game(self, number: int) -> Game:
        policy = self.new_policy(self.users.item_order(self.seed, number))
        given: dict[str, Any] = {
            "seed": self.seed,
            "game": number,
            "checkpoints": self.checkpoints,
            "skip": self.skip,
            "objective": self.objective,
        }
        if isinstance(self.users, Segments):
            bests = zip(self.users.users, self.best_ranking, strict=True)
            values = [model.value(best, self.objective) for model, best in bests]
            return SegmentGame(policy, self.users, best_values=values, **given)
        best_value = self.users.value(self.best_ranking, self.objective)
        return Game(policy, self.users, best_value=best_value, **given)

    def planned(self, number: int) -> PlannedGame:
        return PlannedGame(lambda: self.new_game(number), self.n_rounds)

    def trace(self, regret: Mapping[int, NDArray[np.float64]], **labels: Any) -> Trace:
        """Return the trace of some games, given their regret by game number."""
        return Trace(
            policy=self.policy.name,
            policy_class=own_class_path(self.policy),
            options=dict(self.options),
            click_model=self.users.to_dict(),
            click_model_class=own_class_path(type(self.users)),
            best_ranking=[
                int(best) if isinstance(best, SupportsIndex) else list(map(int, best))
                for best in self.best_ranking
            ],
            n_positions=self.n_positions,
            n_rounds=self.n_rounds,
            seed=self.seed,
            games=np.array(sorted(regret), np.int64),
            rounds=self.checkpoints,
            regret=np.stack([regret[number] for number in sorted(regret)]),
            objective=self.objective,
            **labels,
        )


def simulate(
    policy: PolicySpec,
    users: ClickModel,
    *,
    n_positions: int,
    n_rounds: int,
    n_games: int = 20,
    first_game: int = 0,
    seed: int = 0,
    checkpoints: Iterable[int] | None = None,
    skip: bool = True,
    best_ranking: Sequence[Any] | None = None,
    objective: str = CLICKS,
    n_workers: int | None = None,
    progress: bool | None = None,
) -> Trace:
    """Play independent games of a policy against the users of a click model.

    Regret is measured against the best list; where `users` are `Segments`, against that of each
    visitor's own segment: a policy that shows everybody one list loses in every round what that
    list cannot give to the visitor of that round.

    Ctrl-C ends the simulation and returns the finished games, with `trace.interrupted` set.

    Parameters
    ----------
    policy
        A name or a Policy class, registered or not, or (that, options). The option value "told"
        stands for what the simulation knows: ("toprank", {"horizon": "told"}).
    users
        The click model that plays the users.
    n_positions
        How many items a ranking has.
    n_rounds
        Rounds of each game.
    n_games
        Independent games.
    first_game
        Number of the first game; the others follow.
    seed
        Makes the games reproducible. With one seed, every policy meets the same users.
    checkpoints
        Rounds at which regret is recorded; log-spaced by default.
    skip
        Play rounds at once while the policy cannot change its mind. If False, they are played one
        by one: same bits, slower.
    best_ranking
        What regret is measured against where a click model cannot find its best ranking; a list of
        rankings, one for each, where there are segments.
    objective
        What a ranking is worth: its expected "clicks", the probability of "any-click", or the
        expected reciprocal rank of the "first-click". Policies do not know it; it changes only the
        measure.
    n_workers
        Games that are played at a time; by default one for each core.
    progress
        Whether to show a bar; by default on a terminal only.

    Returns
    -------
    Trace
        The regret of every game at every checkpoint.
    """
    cls, options = resolved(policy)
    n_workers = cpu_count() if n_workers is None else n_workers
    check_scale(n_rounds=n_rounds, n_games=n_games, seed=seed, n_workers=n_workers)
    first_game = arguments.integer("first_game", first_game, 0, arguments.LARGEST_SEED - n_games)
    if not isinstance(users, ClickModel):
        raise ArgumentError(f"users must be a click model, got {arguments.shown(users)}")
    skip = arguments.truth("skip", skip)
    progress = None if progress is None else arguments.truth("progress", progress)
    n_positions = users.check_n_positions(n_positions)
    check_needs(cls, options, users, n_positions)
    value_kernel(users, objective)  # raises the error for one that cannot be measured
    rounds = rounds_of.checked(checkpoints, n_rounds)
    check_memory(n_games, len(rounds))
    plan = GamePlan(
        policy=cls,
        options=with_known_values(cls, options, users, n_positions, n_rounds, objective),
        users=users,
        n_positions=n_positions,
        n_rounds=n_rounds,
        seed=seed,
        checkpoints=rounds,
        given_best=_given_best(best_ranking, users, n_positions),
        skip=skip,
        objective=objective,
    )
    plan.new_policy(np.arange(users.n_items))  # its errors name items as given here
    numbers = range(first_game, first_game + n_games)
    finished: dict[int, NDArray[np.float64]] = {}

    def done(place: int, game: Game) -> None:
        finished[numbers[place]] = game.regret

    title = f"{cls.name} on {users.name}"
    try:
        with ProgressBar(title, n_games * n_rounds, unit="rounds", shown=progress) as bar:
            play_games(
                [plan.planned(number) for number in numbers],
                n_workers,
                done,
                lambda rounds, games: bar.show(rounds, note=f"{games}/{n_games} games"),
            )
    except KeyboardInterrupt:
        if not finished:
            raise
    label = label_as_asked(cls.name, options)
    return plan.trace(finished, interrupted=len(finished) < n_games, curve=label)


def check_scale(**sizes: int) -> None:
    """Raise ArgumentError for a number of rounds, games or workers, or a seed, out of range."""
    limits = {
        "n_rounds": (1, LARGEST_ROUND),
        "n_games": (1, MOST_GAMES),
        "seed": (0, arguments.LARGEST_SEED),
        "n_workers": (1, MOST_WORKERS),
    }
    for name, size in sizes.items():
        arguments.integer(name, size, *limits[name])


def check_memory(n_games: int, n_checkpoints: int) -> None:
    """Raise ArgumentError for a trace that would not fit into memory."""
    if n_games * n_checkpoints > MOST_NUMBERS:
        raise ArgumentError(
            f"n_games times checkpoints must be at most {MOST_NUMBERS:,}, "
            f"got {n_games:,} times {n_checkpoints:,}"
        )


def _given_best(
    best_ranking: Sequence[Any] | None, users: ClickModel, n_positions: int
) -> tuple[Any, ...]:
    """Return what regret is measured against, if a user passed it; () if not."""
    if best_ranking is None:
        return ()
    if not isinstance(users, Segments):
        return _given(best_ranking, n_positions)
    given = arguments.plain_list("best_ranking", best_ranking)
    if len(given) != len(users.users):
        raise ArgumentError(
            f"best_ranking must be a list of {len(users.users)} rankings, one for each segment, "
            f"got {arguments.shown(best_ranking)}"
        )
    return tuple(_given(each, n_positions) for each in given)


def _given(best_ranking: Sequence[int], n_positions: int) -> tuple[int, ...]:
    """Return the items of a ranking that a user passed."""
    if not arguments.is_list(best_ranking):
        raise ArgumentError(
            f"best_ranking must be a list of items, got {arguments.shown(best_ranking)}"
        )
    best = arguments.plain_list("best_ranking", best_ranking)
    if len(best) != n_positions or len(set(map(repr, best))) < n_positions:
        raise ArgumentError(
            f"best_ranking must be n_positions={n_positions} different items, "
            f"got {arguments.shown(best_ranking)}"
        )
    return tuple(best)
