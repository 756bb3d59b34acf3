"""Unanswered rounds in a state file, and back, checked: a file can be hostile."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unirank.errors import ArgumentError
from unirank.page.state_file import SavedRound, SavedRounds
from unirank.page.unanswered import UnansweredRounds
from unirank.policies.base.snapshot import from_saved_array, to_saved_array

if TYPE_CHECKING:
    from unirank.page.rounds import Rounds

KINDS = {"round": "<i8", "time": "<f8", "memory": "<i4"}


def to_saved_rounds(rounds: UnansweredRounds) -> SavedRounds | None:
    """Each column of the table as one array; None if there is no round."""
    rows, memories = rounds.to_plain()
    if not len(rows):
        return None
    return SavedRounds(
        **{name: to_saved_array(rows[name]) for name in (*KINDS, "ranking")}, memories=memories
    )


def from_saved_rounds(
    rounds: "Rounds", saved: SavedRounds
) -> tuple[dict[str, NDArray[Any]], list[bytes]]:
    """Return the columns of the table and the memories; the policy must be able to give them."""
    policy = rounds.policy
    columns = {n: from_saved_array(n, getattr(saved, n), np.dtype(k)) for n, k in KINDS.items()}
    kind = "<u4" if saved.ranking.dtype == "<u4" else "<u2"
    columns["ranking"] = from_saved_array("ranking", saved.ranking, np.dtype(kind))
    n_rounds = len(columns["round"])
    rankings = columns["ranking"].astype(np.int64)
    if rankings.shape != (n_rounds, policy.n_positions) or any(
        columns[name].shape != (n_rounds,) for name in KINDS
    ):
        raise ArgumentError("unanswered rounds must have a column each of the same length")
    numbers, memory = columns["round"], columns["memory"]
    if n_rounds and not (
        np.all(np.diff(numbers) > 0)
        and numbers[0] >= 1
        and numbers[-1] <= rounds.round
        and memory.min() >= 0
        and memory.max() < len(saved.memories)
        and np.isfinite(columns["time"]).all()
    ):
        raise ArgumentError("unanswered rounds must be in order and have a memory each")
    wrong = ~_are_lists(rankings, policy.n_items)
    order = np.argsort(memory, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(memory[order])) + 1) if n_rounds else ():
        if not wrong[rows].any():
            wrong[rows] = not policy.check_memories(rankings[rows], saved.memories[memory[rows[0]]])
    if wrong.any():
        number = int(numbers[wrong.argmax()])
        raise ArgumentError(f"unanswered round {number} is not one this policy gave")
    return columns, saved.memories


def from_version_1(
    rounds: "Rounds", saved: list[SavedRound]
) -> tuple[dict[str, NDArray[Any]], list[bytes]]:
    """Return what `from_saved_rounds` does, from a list of rounds; their time is not known."""
    policy = rounds.policy
    rankings, memories = [], []
    for given in sorted(saved, key=lambda given: given.round):
        ranking = np.frombuffer(given.ranking, np.int64)
        memory = None
        possible = 1 <= given.round <= rounds.round and len(ranking) == policy.n_positions
        if possible and _are_lists(ranking[np.newaxis], policy.n_items)[0]:
            memory = policy.upgrade_memory(ranking, given.memory)
        if memory is None:
            raise ArgumentError(f"unanswered round {given.round} is not one this policy gave")
        rankings.append(ranking)
        memories.append(memory)
    columns: dict[str, NDArray[Any]] = {
        "round": np.array(sorted(given.round for given in saved), np.int64),
        "time": np.zeros(len(saved)),
        "memory": np.arange(len(saved), dtype=np.int32),
        "ranking": np.array(rankings, np.int64).reshape(len(saved), policy.n_positions),
    }
    return columns, memories


def _are_lists(rankings: NDArray[np.int64], n_items: int) -> NDArray[np.bool_]:
    """Which rows hold different items."""
    ordered = np.sort(rankings, axis=1)
    inside = (ordered[:, 0] >= 0) & (ordered[:, -1] < n_items)
    return inside & np.all(np.diff(ordered, axis=1) > 0, axis=1)
