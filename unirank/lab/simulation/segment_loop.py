"""The round loop where visitors belong to segments; `loop.py` is that of users who are all alike.

The regret of a round is what the visitor of that round loses: the value of the best list of the
visitor's segment minus that of the list shown, both exact. The other definition, the mean over the
segments, is the same in expectation, but it exists only for a policy that shows everybody the same
list. With this one all policies are measured alike, by the same visitors.

Regret is added up segment by segment, and within a segment run by run of equal consecutive lists,
so that skipping changes no bit, and one segment gives the bits of `loop.py`. A policy that serves
some of the segments only lets the visitors of the others pass.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank.lab.simulation.loop import ROUNDING, bound_later, counting
from unirank.policies.base.kernels import compile_label, interpreted
from unirank.policies.kernels.compiling import allocates, bind
from unirank.policies.kernels.randomness import at_round
from unirank.users.objective import CLICKS, value_kernel
from unirank.users.segments import Parameters, Segments, segment_of

PROGRESS = np.dtype(
    [
        ("rounds", np.int64),  # rounds that have passed, of whatever segment
        ("checkpoint", np.int64),  # checkpoints recorded
        ("held", np.int64),  # rounds still to show the list that the policy holds
    ]
)
STANDING = np.dtype(  # of one segment
    [
        ("total", np.float64),  # regret of the runs that have ended
        ("gap", np.float64),  # regret per round of the present run
        ("run", np.int64),  # rounds of the present run
    ]
)

rank = update = hold = full = meet = click = value = in_segment = bound_later


def play_visits(
    state: Any,
    model: Parameters,
    policy_key: np.uint64,
    users_key: np.uint64,
    best_values: NDArray[np.float64],  # (n_segments,)
    serves: NDArray[np.bool_],  # (n_segments,) whose visitors this policy serves
    checkpoints: NDArray[np.int64],
    stop: int,
    most_held: int,  # rounds at once: 0 never, 1 where the list may depend on the visitor
    progress: Any,  # (1,) record PROGRESS, in and out
    standing: Any,  # (n_segments,) records STANDING, in and out
    ranking: NDArray[np.int64],  # (n_positions,) the list that is held, in and out
    last: NDArray[np.int64],  # (n_segments, n_positions) lists of the present runs, in and out
    clicks: NDArray[np.bool_],  # (n_positions,) scratch
    scratch: NDArray[np.float64],  # (n_positions,) of `value`
    regret: NDArray[np.float64],  # (n_checkpoints,) out
) -> None:
    """Play until round `stop`, or until the policy's state must grow."""
    now = progress[0]
    rounds, checkpoint, held = now.rounds, now.checkpoint, now.held
    while rounds < stop and not full(state):
        user = at_round(users_key, rounds + 1)
        segment = segment_of(model, user)
        if serves[segment]:
            users = in_segment(model, segment)
            if held == 0:
                meet(state, segment)
                if most_held > 0:
                    held = hold(state, min(most_held, stop - rounds), ranking)
            if held > 0:
                held -= 1
            else:
                rank(state, at_round(policy_key, rounds + 1), ranking)
                click(users, ranking, user, clicks)
                update(state, ranking, clicks)
            same = True
            for position in range(ranking.size):
                if ranking[position] != last[segment, position]:
                    same = False
                    last[segment, position] = ranking[position]
            here = standing[segment]
            if not same:
                here.total += here.gap * here.run
                here.run = 0
                here.gap = best_values[segment] - value(users, ranking, scratch)
                if abs(here.gap) < ROUNDING:
                    here.gap = 0.0
            here.run += 1
        rounds += 1
        while checkpoint < checkpoints.size and checkpoints[checkpoint] <= rounds:
            lost = 0.0
            for one in range(standing.size):
                lost += standing[one].total + standing[one].gap * standing[one].run
            regret[checkpoint] = lost
            checkpoint += 1
    now.rounds, now.checkpoint, now.held = rounds, checkpoint, held


def segment_loop_for(policy: Any, users: Segments, objective: str = CLICKS) -> Any:
    """Return `play_visits` for a policy class and the click model of the segments."""
    names = ("rank", "update", "hold", "full", "meet")
    of_policy = {name: getattr(policy.kernels, name) for name in names}
    there = users.users[0]
    of_users = {"click": there.kernels.click, "value": value_kernel(there, objective)}
    if policy.kernels.compiled:
        label = f"{compile_label(policy)}.segments-of-{there.name}.{objective}"
        both = {**of_policy, **of_users}
        reader = users.reader(allocating=allocates(*both.values()))
        return bind(play_visits, label, **both, in_segment=reader)
    of_policy["rank"] = counting(of_policy["rank"])
    loop = interpreted(play_visits, **of_policy)
    loop.__globals__.update(of_users, in_segment=in_segment_in_python(type(there.parameters)))
    return loop


def in_segment_in_python(parameters: Any) -> Any:
    """Return the `in_segment` of a loop in ordinary Python."""

    def of_segment(model: Parameters, segment: int) -> Any:
        return parameters(*(field[segment] for field in model.stacked))

    return of_segment
