"""The round loop: rank, click, update, add up regret. Compiled per policy and click model.

Regret is the pseudo-regret of the rankings shown: n rounds of one ranking cost

    n * (value of the best ranking - value of this one),

added up run by run of equal consecutive rankings. Held and single rounds therefore give the same
floating-point sums, and a trace has the same bits with skipping and without. The value is that of
the objective: by default, the expected number of clicks.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.kernels import compile_label, interpreted
from unirank.policies.kernels.compiling import bind
from unirank.policies.kernels.randomness import at_round
from unirank.users.objective import CLICKS, value_kernel

ROUNDING = 1e-12  # two equally good rankings may differ by this much in floating point

PROGRESS = np.dtype(
    [
        ("rounds", np.int64),  # rounds played
        ("checkpoint", np.int64),  # checkpoints recorded
        ("total", np.float64),  # regret of the runs that have ended
        ("gap", np.float64),  # regret per round of the present run
        ("run", np.int64),  # rounds of the present run
    ]
)


def bound_later(*_: Any) -> Any:
    """Placeholder for the functions that `loop_for` puts in."""
    raise AssertionError("play_rounds must be bound to a policy and a click model")


rank = update = hold = full = click = value = bound_later


def play_rounds(
    state: Any,
    model: Any,
    policy_key: np.uint64,
    users_key: np.uint64,
    best_value: float,
    checkpoints: NDArray[np.int64],
    stop: int,
    skip: bool,
    progress: Any,  # (1,) record PROGRESS: where the game stands, in and out
    ranking: NDArray[np.int64],  # (n_positions,) scratch
    last: NDArray[np.int64],  # (n_positions,) the ranking of the present run, in and out
    clicks: NDArray[np.bool_],  # (n_positions,) scratch
    scratch: NDArray[np.float64],  # (n_positions,) of `value`
    regret: NDArray[np.float64],  # (n_checkpoints,) out
) -> None:
    """Play until round `stop`, or until the policy's state must grow."""
    now = progress[0]
    rounds, checkpoint = now.rounds, now.checkpoint
    total, gap, run = now.total, now.gap, now.run
    while rounds < stop and not full(state):
        n = 0
        if skip:
            n = hold(state, stop - rounds, ranking)
        if n == 0:
            rank(state, at_round(policy_key, rounds + 1), ranking)
            click(model, ranking, at_round(users_key, rounds + 1), clicks)
            update(state, ranking, clicks)
            n = 1
        same = True
        for position in range(ranking.size):
            if ranking[position] != last[position]:
                same = False
                last[position] = ranking[position]
        if not same:
            total += gap * run
            run = 0
            gap = best_value - value(model, ranking, scratch)
            if abs(gap) < ROUNDING:
                gap = 0.0
        while checkpoint < checkpoints.size and checkpoints[checkpoint] <= rounds + n:
            regret[checkpoint] = total + gap * (run + checkpoints[checkpoint] - rounds)
            checkpoint += 1
        rounds += n
        run += n
    now.rounds, now.checkpoint = rounds, checkpoint
    now.total, now.gap, now.run = total, gap, run


def loop_for(policy: Any, model: Any, objective: str = CLICKS) -> Any:
    """Return `play_rounds` for two classes; it is compiled unless the policy is plain Python."""
    of_policy = {name: getattr(policy.kernels, name) for name in ("rank", "update", "hold", "full")}
    of_users = {"click": model.kernels.click, "value": value_kernel(model, objective)}
    if policy.kernels.compiled:
        label = f"{compile_label(policy)}.{model.name}.{objective}"
        return bind(play_rounds, label, **of_policy, **of_users)
    of_policy["rank"] = counting(of_policy["rank"])
    loop = interpreted(play_rounds, **of_policy)
    loop.__globals__.update(of_users)
    return loop


def counting(rank: Any) -> Any:
    """Return `rank` of a plain policy, which is its own state, with `policy.round` as on a page."""

    def rank_and_count(policy: Any, rng: Any, ranking: NDArray[np.int64]) -> None:
        rank(policy, rng, ranking)
        policy._on_page().round += 1

    return rank_and_count
