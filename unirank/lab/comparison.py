"""Every policy beside every other on the same problems: who is how fast."""

from collections.abc import Mapping, Sequence
from typing import Any

from unirank.click_models import ClickModel
from unirank.lab.speed import Speed, per_round
from unirank.policies import registry

Problem = tuple[ClickModel, int]  # users, n_positions


def told(name: str, users: ClickModel, n_positions: int, n_rounds: int) -> dict[str, Any]:
    """Options that a policy needs, as this problem has them."""
    cls = registry[name]
    facts = {
        "horizon": n_rounds,
        "examination": users.settings.get("examination", [1.0] * n_positions)[:n_positions],
        "ranking": users.best_ranking(n_positions),
    }
    example = cls.example_options(tuple(range(users.n_items)), n_positions)
    return {option: facts.get(option, value) for option, value in example.items()}


def compare(names: Sequence[str], problems: Mapping[str, Problem], n_rounds: int) -> list[Speed]:
    """Time of an unskipped round, told what each needs; labelled by the policies' bare names."""
    rows = []
    for problem, (users, n_positions) in problems.items():
        specs = [(name, told(name, users, n_positions, n_rounds)) for name in names]
        found = per_round(specs, problem, users, n_positions, n_rounds)
        rows += [
            Speed(name, problem, row.nanoseconds, row.unit)
            for name, row in zip(names, found, strict=True)
        ]
    return rows
