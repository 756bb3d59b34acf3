"""Many games of one policy: `simulate`."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.lab.simulation import checkpoints as rounds_of
from unirank.lab.simulation.game import Game
from unirank.lab.simulation.known_values import label_as_asked
from unirank.lab.simulation.plan import plan_games
from unirank.lab.simulation.scheduler import cpu_count, play_games
from unirank.lab.simulation.trace import Trace
from unirank.policies.base.specs import PolicySpec, resolved
from unirank.policies.kernels.randomness import LARGEST_ROUND
from unirank.progress import ProgressBar
from unirank.users.base import ClickModel
from unirank.users.objective import CLICKS
from unirank.users.segments import Segments

MOST_GAMES = 10**6  # each takes about a kilobyte while it waits
MOST_WORKERS = 10**4
MOST_NUMBERS = 10**9  # of games times checkpoints: 8 GB


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
    rounds = rounds_of.checked(checkpoints, n_rounds)
    check_memory(n_games, len(rounds))
    plan = plan_games(
        cls,
        options,
        users,
        n_positions=n_positions,
        n_rounds=n_rounds,
        seed=seed,
        checkpoints=rounds,
        given_best=_given_best(best_ranking, users, n_positions),
        skip=skip,
        objective=objective,
        curve=label_as_asked(cls.name, options),
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
                [(plan, number) for number in numbers],
                n_workers,
                done,
                lambda rounds, games: bar.show(rounds, note=f"{games}/{n_games} games"),
            )
    except KeyboardInterrupt:
        if not finished:
            raise
    return plan.trace(finished, interrupted=len(finished) < n_games)


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
