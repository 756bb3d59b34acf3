"""Each broken click model fails with its own sentence."""

from typing import Any

import numpy as np
import pytest

from unirank import CM, PBM
from unirank.lab.checks import ContractError, check_click_model
from unirank.policies.kernels.compiling import compiled
from unirank.users import cascade
from unirank.users.base import ClickKernels


@compiled
def click_everything(model: Any, ranking: Any, rng: Any, clicks: Any) -> None:
    clicks[:] = True


@compiled
def expect_too_much(model: Any, ranking: Any, expected: Any) -> float:
    expected[:] = 1.5
    return 1.5 * ranking.size


class ClicksEverything(CM):
    kernels = ClickKernels(click_everything, cascade.expected_clicks)


class ExpectsTooMuch(CM):
    kernels = ClickKernels(cascade.click, expect_too_much)


@compiled
def expect_a_second_click(model: Any, ranking: Any, position: int, expected: Any) -> None:
    expected[position + 1 :] = 0.5


class ExpectsASecondClick(CM):
    kernels = ClickKernels(cascade.click, cascade.expected_clicks, expect_a_second_click)


class FirstClicksAreAllClicks(PBM):
    kernels = PBM.kernels._replace(first_click=PBM.kernels.expected_clicks)

    def __init__(self, attraction: list[float]) -> None:
        super().__init__(attraction, [1.0, 0.5])


class LastIsBest(CM):
    def _best_first_click(self, n_positions: int, objective: str) -> Any:
        return np.argsort(self.parameters.attraction)[:n_positions]


class WorstIsBest(PBM):
    def __init__(self, attraction: list[float]) -> None:
        super().__init__(attraction, [1.0, 0.5])

    def _best_ranking(self, n_positions: int) -> Any:
        return np.argsort(self.parameters.attraction)[:n_positions]


class ForgetsToShuffle(CM):
    per_item = ()


class LosesParameters(CM):
    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "attraction": [0.5]}


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (ExpectsTooMuch, "Expected clicks are probabilities"),
        (ClicksEverything, "Drawn clicks come as often as expected_clicks says"),
        (ExpectsASecondClick, "Two clicks come together as often as expected_after_click says"),
        (FirstClicksAreAllClicks, "The first click comes at each position as often as first_click"),
        (WorstIsBest, "No ranking is worth more than best_ranking"),
        (LastIsBest, "No ranking is worth more than best_ranking"),
        (ForgetsToShuffle, "Items are only numbers"),
        (LosesParameters, "A model written as JSON reads back equal"),
    ],
)
def test_a_broken_model_fails_with_its_own_sentence(model: Any, sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        check_click_model(model([0.5, 0.3, 0.1]))
