"""The option value "told": the simulation fills in the value that it knows.

    horizon = "told"      rounds of the game
    examination = "told"  examination of the positions
    ranking = "told"      the best ranking under the objective that is measured

An option can be told if it is declared as a `Horizon`, `Examination` or `BestRanking`, whatever its
name.
"""

from collections.abc import Mapping
from typing import Any

from unirank.errors import ArgumentError
from unirank.policies.base.options import BEST_RANKING, EXAMINATION, HORIZON, Kind
from unirank.policies.base.policy import Policy
from unirank.policies.base.specs import as_data, described, policies_in
from unirank.users.base import ClickModel
from unirank.users.objective import CLICKS
from unirank.users.segments import Segments

TOLD = "told"
CAN_BE_TOLD = (HORIZON, EXAMINATION, BEST_RANKING)


def with_known_values(
    cls: type[Policy],
    options: Mapping[str, Any],
    users: ClickModel,
    n_positions: int,
    n_rounds: int,
    objective: str = CLICKS,
) -> dict[str, Any]:
    """Replace every "told" by the problem's own value; return the options."""
    found = {
        name: known_value(told_kind(cls, name), users, n_positions, n_rounds, objective)
        if is_told(value)
        else value
        for name, value in options.items()
    }
    for name, inner, given in policies_in(cls, found):
        told = with_known_values(inner, given, users, n_positions, n_rounds, objective)
        found[name] = as_data(inner, told)
    return found


def check_values(cls: type[Policy], options: Mapping[str, Any]) -> None:
    """Raise ArgumentError if a value is wrong for every user; others are checked with the users."""
    for name, value in options.items():
        if is_told(value):
            told_kind(cls, name)
        elif name in cls.declared:
            cls.declared[name].checked(value)
    for _, inner, given in policies_in(cls, options):
        check_values(inner, given)


def is_told(value: Any) -> bool:
    """Whether an option has the value "told"; comparing an array would give an array."""
    return isinstance(value, str) and value == TOLD


def holds_told(value: Any) -> bool:
    """Whether a value is "told", or an option of a policy in it is."""
    if isinstance(value, Mapping):
        return any(map(holds_told, value.values()))
    return any(map(holds_told, value)) if isinstance(value, list | tuple) else is_told(value)


def told_kind(cls: type[Policy], name: str) -> Kind:
    """Return the kind of an option that can be told; raise ArgumentError for another option."""
    kind = cls.declared[name].kind if name in cls.declared else None
    if kind not in CAN_BE_TOLD:
        known = [n for n, option in cls.declared.items() if option.kind in CAN_BE_TOLD]
        raise ArgumentError(
            f'{name} of {cls.name} cannot be "told"; options that can: {", ".join(known) or "none"}'
        )
    return kind


def label_as_asked(name: str, options: Mapping[str, Any]) -> str:
    """Return the label of a policy that is told something, by what was asked; "" of any other.

    What it was told differs from problem to problem, its label does not.
    """
    return described(name, options) if holds_told(options) else ""


def known_value(
    kind: Kind, users: ClickModel, n_positions: int, n_rounds: int, objective: str
) -> Any:
    if kind is HORIZON:
        return n_rounds
    if kind is BEST_RANKING:
        return list(users.best_ranking(n_positions, objective))
    if isinstance(users, Segments):
        known = [known_value(kind, u, n_positions, n_rounds, objective) for u in users.users]
        if any(value != known[0] for value in known):
            raise ArgumentError(
                f"examination can be told where it is that of all segments, got {known}: give one"
            )
        return known[0]
    # Only a PBM has an examination per position; in others every position that is reached is read.
    return users.settings.get("examination", [1.0] * n_positions)[:n_positions]


def needed_options(
    cls: type[Policy], users: ClickModel, n_positions: int, n_rounds: int
) -> dict[str, Any]:
    """Return values for the options that a policy must be given: the known ones, or examples."""
    example = cls.example_options(tuple(range(users.n_items)), n_positions)
    wanted = {
        name: TOLD if cls.declared[name].kind in CAN_BE_TOLD else value
        for name, value in example.items()
    }
    return with_known_values(cls, wanted, users, n_positions, n_rounds)
