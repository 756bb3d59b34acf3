"""A policy with its rounds as plain data, and back, checked: a file can be hostile."""

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from unirank import arguments
from unirank.page.merging import Point
from unirank.page.saved_rounds import from_saved_rounds, from_version_1, to_saved_rounds
from unirank.page.state_file import SavedPoint, SavedPolicy
from unirank.policies.kernels.randomness import LARGEST_ROUND

if TYPE_CHECKING:
    from unirank.page.rounds import Rounds


def to_saved(rounds: "Rounds", *, copy: bool = True) -> SavedPolicy:
    """Everything needed to continue; without a copy, a view of the arrays."""
    policy, unanswered = rounds.policy, rounds.unanswered
    identity, epochs = rounds.lineage.to_plain()
    return SavedPolicy(
        **policy._settings(),
        **policy._saved_statistics(copy=copy),
        max_pending=unanswered.most,
        round=rounds.round,
        let_go=unanswered.let_go,
        unanswered=to_saved_rounds(unanswered),
        clicked=[(number, sorted(items)) for number, items in unanswered.clicked.items()],
        identity=identity,
        epochs=epochs,
        answered_elsewhere=rounds.elsewhere.to_plain(),
        **_saved_learning(rounds, copy=copy),
    )


def _saved_learning(rounds: "Rounds", *, copy: bool) -> dict[str, Any]:
    """What another copy needs, to be merged with this one."""
    if not rounds.policy.facts.merge:
        return {}
    learning = rounds.learning
    point, known = learning.to_save(rounds.round), learning.known(rounds.round)
    common = None
    if point is not None:
        packed = rounds.policy._packed(point.statistics, copy=copy)
        common = SavedPoint(known=list(point.known.items()), **packed)
    return {"known": list(known.items()), "common": common}


def restored(cls: type[Any], saved: SavedPolicy, token_key: str | bytes | None) -> Any:
    """A policy of this class, with its rounds; an ArgumentError says what does not fit."""
    policy = cls.from_snapshot(saved)
    rounds: Rounds = policy._begin_rounds(saved.max_pending, token_key)
    rounds.round = arguments.integer("round", saved.round, 0, LARGEST_ROUND - 1)
    let_go = arguments.integer("let_go", saved.let_go, 0, saved.round)
    if saved.unanswered is not None:
        table = from_saved_rounds(rounds, saved.unanswered)
    else:
        table = from_version_1(rounds, saved.pending)
    rounds.unanswered.restore(*table, let_go)
    rounds.unanswered.restore_clicked(saved.clicked)
    rounds.elsewhere.restore(saved.answered_elsewhere)
    if saved.identity is not None:
        rounds.lineage.restore(saved.identity, saved.epochs, rounds.round)
    rounds.made_in = -1
    if cls.facts.merge:
        _restore_learning(rounds, saved)
    return policy


def _restore_learning(rounds: "Rounds", saved: SavedPolicy) -> None:
    policy, learning = rounds.policy, rounds.learning
    if saved.common is not None:
        learning.points = [Point(dict(saved.common.known), policy._unpacked(saved.common))]
    point = Point(dict(saved.known), deepcopy(policy.statistics()))
    learning.begin(point, rounds.round)
