"""The experiment of a fitted file: all its problems, cut to what all of them have."""

from pathlib import Path

import pytest

from tests.lab.datasets.fitted import CONTENT, saved, spoilt, without
from unirank.lab.datasets import FittedQuery, write_fitted
from unirank.lab.fitted_experiment import fitted_experiment
from unirank.users import PBM, UBM


def test_every_query_of_every_click_model_is_a_problem(tmp_path: Path) -> None:
    experiment = fitted_experiment(saved(tmp_path / "mine.json"))
    assert experiment.name == "mine"
    assert list(experiment.users_by_problem()) == ["pbm shoes", "pbm boots", "dbn shoes"]
    assert experiment.n_positions == 2  # of boots
    assert (experiment.n_rounds, experiment.n_games) == (100_000, 5)
    alone = fitted_experiment(saved(tmp_path / "mine.json", without("models", "pbm")))
    assert list(alone.users_by_problem()) == ["shoes"]
    assert alone.n_positions == 3


def test_positions_are_in_the_order_that_policies_need(tmp_path: Path) -> None:
    path = saved(tmp_path / "f.json", without("models", "pbm", "boots"))
    users = fitted_experiment(path).users_by_problem()
    assert users["pbm shoes"] == PBM([0.1, 0.3, 0.2], [0.9, 0.6, 0.5])


def test_large_problems_are_cut_to_the_first_positions_of_their_best_items(tmp_path: Path) -> None:
    attraction = [n / 100 for n in range(40)]
    looks = [[0.5] * 8 for _ in range(8)]
    looks[5] = [0.9] * 8
    models = {
        "pbm": {"q": FittedQuery.of(PBM(attraction, [0.5] * 5 + [1.0, 1.0]), range(40))},
        "ubm": {"q": FittedQuery.of(UBM(attraction, looks), range(40))},
    }
    write_fitted(tmp_path / "f.json", models, source={})
    experiment = fitted_experiment(tmp_path / "f.json")
    assert experiment.n_positions == 5
    for users in experiment.users_by_problem().values():
        assert users.settings["attraction"] == attraction[30:]
        assert users.n_positions == 5
        assert max(users.expected_clicks([9, 8, 7, 6, 5])) < 0.25  # not the sixth position
        users.best_ranking(5)  # few enough to search


@pytest.mark.parametrize(
    ("content", "same"),
    [
        (spoilt("source", value={"log": "other"}), True),
        (spoilt("models", "pbm", "shoes", "items", value=[1, 2, 3]), False),
        (without("models", "pbm", "boots"), False),
    ],
)
def test_the_version_follows_the_problems(content: object, same: bool, tmp_path: Path) -> None:
    version = fitted_experiment(saved(tmp_path / "f.json", CONTENT)).version
    assert (fitted_experiment(saved(tmp_path / "f.json", content)).version == version) is same
