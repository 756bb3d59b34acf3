"""One game: a policy ranks, users click, the policy learns, round after round."""

from collections.abc import Sequence
from typing import Protocol

from .click_models import ClickModel
from .randomness import USERS, Rng


class Twin(Protocol):
    def rank(self) -> list[int]: ...

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None: ...


def play(
    twin: Twin,
    click_model_for_game: ClickModel,
    n_rounds: int,
    best_value: float,
    seed: int,
    game: int,
) -> list[tuple[list[int], list[bool], float]]:
    """Return the ranking, the clicks and the regret of each round."""
    rounds: list[tuple[list[int], list[bool], float]] = []
    for round in range(1, n_rounds + 1):
        ranking = twin.rank()
        clicks = click_model_for_game.clicks(ranking, Rng(seed, game, USERS, round))
        twin.update(ranking, clicks)
        regret = best_value - sum(click_model_for_game.expected_clicks(ranking))
        rounds.append((ranking, clicks, regret))
    return rounds
