"""Experiments come from TOML, and a mistake in one names the key, the rule and the nearest key."""

from pathlib import Path

import pytest

from unirank import ArgumentError, list_experiments
from unirank.lab import load_experiment
from unirank.lab.experiment import parsed

GOOD = """
question = "Who wins?"
version = 1
n_positions = 1
n_rounds = 100
[click_model]
click_model = "cm"
attraction = [0.5, 0.1]
[[policies]]
policy = "unirank"
options = { early = "explore" }
"""


def test_the_simul_experiments_are_the_papers() -> None:
    pbm, cm = load_experiment("simul-pbm"), load_experiment("simul-cm")
    attraction = [0.1, 0.08, 0.06, 0.04, 0.02, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4]
    assert pbm.users.settings["attraction"] == cm.users.settings["attraction"] == attraction
    assert pbm.users.settings["examination"] == [1.0, 0.9, 0.83, 0.78, 0.75]
    for experiment in (pbm, cm):
        assert (experiment.n_positions, experiment.n_rounds, experiment.n_games) == (5, 10**7, 20)


@pytest.mark.parametrize("name", list_experiments())
def test_every_experiment_loads_and_asks_a_question(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.question.endswith("?")
    assert experiment.version >= 1


def test_a_file_of_your_own_runs_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    experiment = load_experiment(str(path))
    assert experiment.name == "mine"
    assert experiment.policies[0].options == {"early": "explore"}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("version", 'name = "x"\nversion', "unknown key of experiment 'mine': 'name'"),
        ("n_rounds", "n_round", "unknown key of experiment 'mine': 'n_round'; did you mean"),
        ("n_rounds = 100", 'n_rounds = "many"', "Expected `int`, got `str` - at `$.n_rounds`"),
        ("version = 1\n", "", "missing required field `version`"),
        ("n_positions = 1", "n_positions = 3", "n_positions must be in 1..n_items=2, got 3"),
        ("0.5", "1.5", "attraction[0] must be in [0, 1], got 1.5"),
        ('"cm"', '"cmm"', "unknown click model 'cmm'; did you mean"),
        ('"unirank"', '"unirnak"', "unknown policy 'unirnak'; did you mean 'unirank'?"),
        ("early", "erly", "unknown option of unirank: 'erly'; did you mean 'early'?"),
        ("options", "option", "unknown key of a policy of experiment 'mine': 'option'"),
        ("question", "= question", "is not valid TOML"),
    ],
)
def test_a_mistake_is_named(old: str, new: str, sentence: str) -> None:
    with pytest.raises(ArgumentError) as error:
        parsed("mine", GOOD.replace(old, new, 1))
    assert sentence in str(error.value)


def test_an_unknown_experiment_gets_a_suggestion() -> None:
    with pytest.raises(ArgumentError, match="did you mean 'simul-pbm'"):
        load_experiment("simul-pmb")


def test_a_missing_file_is_one_line() -> None:
    with pytest.raises(ArgumentError, match=r"cannot read the experiment 'no.toml': No such file"):
        load_experiment("no.toml")
