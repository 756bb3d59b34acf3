"""Experiments come from TOML, and a mistake in one names the key, the rule and the nearest key."""

from pathlib import Path

import pytest

from tests.lab.datasets.fakes import needs
from tests.lab.datasets.fitted import saved
from unirank import ArgumentError, Segments, list_experiments
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
        ("question", "deep = " + "[" * 100_000 + "\nquestion", "is not valid TOML"),
        ("version = 1", "version = " + "9" * 10_000, "is not valid TOML: Exceeds the limit"),
        ("n_rounds = 100", "n_rounds = 0", "n_rounds must be in 1.."),
        ("n_rounds = 100", "n_rounds = 100\nn_games = 0", "n_games must be in 1..1000000, got 0"),
        ("version = 1", "version = 1\nproblems = 3", "problems must be a list, got 3"),
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


def test_a_file_without_an_end_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "endless.toml"
    path.symlink_to("/dev/zero")
    with pytest.raises(ArgumentError, match=r"endless.toml': Not a regular file$"):
        load_experiment(str(path))


LIKE = """
like = "simul-pbm"
question = "And so?"
version = 1
"""


def test_an_experiment_like_another_says_only_what_differs() -> None:
    base, mine = load_experiment("simul-pbm"), parsed("mine", LIKE + "n_games = 3\n")
    assert (mine.n_games, mine.question) == (3, "And so?")
    assert mine.policies == base.policies
    assert mine.users == base.users


def test_users_of_its_own_replace_those_of_the_other() -> None:
    model = '[[problems]]\nname = "x"\nclick_model = { click_model = "cm", attraction = [%s] }\n'
    mine = parsed("mine", LIKE + model % ", ".join(["0.1"] * 5))
    assert list(mine.users_by_problem()) == ["x"]
    assert mine.click_model is None


def test_common_clicks_are_those_of_every_pbm() -> None:
    common = load_experiment("simul-pbm-common").users
    assert common.settings == {**load_experiment("simul-pbm").users.settings, "coupling": "common"}
    assert parsed("mine", LIKE.replace("simul-pbm", "simul-cm") + 'coupling = "common"').users


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("", "needs either click_model or problems"),
        ('[[problems]]\nname = "x"\n', "a problem needs click_model or dataset"),
        ('[[problems]]\ndataset = "yandex"\n', "unknown dataset 'yandex'; did you mean"),
        (
            '[[problems]]\ndataset = "kdd-pbm"\nitem = 3\n',
            "unknown key of a problem of",
        ),
        (
            '[[problems]]\nclick_model = { click_model = "cm", attraction = [0.5] }\n',
            "a problem with a click_model needs a name",
        ),
        (
            '[[problems]]\ndataset = "f.json"\nmodle = "dbn"\n',
            "unknown key of a problem of experiment 'mine': 'modle'; did you mean 'model'?",
        ),
        (
            '[[problems]]\ndataset = "f.json"\nmodel = "dbm"\n',
            "unknown model of experiment 'mine': 'dbm'; did you mean",
        ),
        (
            '[[problems]]\ndataset = "kdd-pbm"\nmodel = "pbm"\n',
            "model must go with a dataset that is a fitted file (.json), got 'pbm' with 'kdd-pbm'",
        ),
        ('like = "simul"\n', "unknown experiment that 'mine' is like: 'simul'"),
        ('coupling = "loose"\n', "unknown coupling 'loose'"),
        ('checkpoints = "all"\n', "unknown checkpoints 'all'"),
        ('measure = "luck"\n', "unknown measure 'luck'"),
        ('objective = "click"\n', "unknown objective 'click'; did you mean 'clicks'?"),
    ],
)
def test_a_mistake_in_problems_and_settings_is_named(more: str, sentence: str) -> None:
    text = 'question = "?"\nversion = 1\nn_positions = 1\nn_rounds = 9\n'
    if "problems" not in more and more:
        more += '[click_model]\nclick_model = "cm"\nattraction = [0.5]\n'
    with pytest.raises(ArgumentError) as error:
        parsed("mine", text + more + '[[policies]]\npolicy = "unirank"\n')
    assert sentence in str(error.value)


def test_several_sources_are_parts_and_one_is_none() -> None:
    ties = load_experiment("ties")
    assert ties.parts()["gap 0.1"] == "gap 0.1"
    assert list(ties.parts()) == list(ties.users_by_problem())
    assert load_experiment("simul-pbm").parts() == {"simul-pbm": ""}


@needs("yandex-relpred")
@needs("kdd-pbm")
def test_the_queries_of_a_data_set_are_one_part() -> None:
    six = load_experiment("six-click-models").parts()
    assert len(six) == 60
    assert {problem.split()[0] for problem in six} == set(six.values())
    assert set(load_experiment("kdd-pbm").parts().values()) == {""}


@needs("kdd-pbm")
@needs("yandex-pbm")
@needs("yandex-cm")
@pytest.mark.parametrize(
    ("name", "model", "n_items", "n_positions"),
    [
        ("kdd-pbm", "pbm", [5, 5, 6, 6, 6, 8, 11, 11], 3),
        ("yandex-pbm", "pbm", [10] * 10, 5),
        ("yandex-8107157-pbm", "pbm", [6], 5),
        ("yandex-cm", "cm", [10] * 10, 5),
        ("simul-pbm", "pbm", [10], 5),
        ("simul-cm", "cm", [10], 5),
    ],
)
def test_the_panels_are_the_papers(
    name: str, model: str, n_items: list[int], n_positions: int
) -> None:
    experiment = load_experiment(name)
    problems = list(experiment.users_by_problem().values())
    assert sorted(users.n_items for users in problems) == n_items
    assert {users.name for users in problems} == {model}
    assert experiment.n_positions == n_positions
    assert (experiment.n_rounds, experiment.n_games) == (10**7, 20)
    assert [(entry.policy, entry.options) for entry in experiment.policies] == [
        ("unirank", {}),
        ("toprank", {"horizon": "told"}),
        ("toprank", {"horizon": 10**12}),
        ("toprank", {"horizon": 10**5, "doubling": True}),
        ("pb-mhb", {}),
        ("grab", {}),
        ("cascade-kl-ucb", {}),
        ("matchrank", {}),  # ours
    ]


FITTED = """
question = "Which shoes?"
version = 1
n_positions = 2
n_rounds = 9
[[policies]]
policy = "random"
"""
SHOES = '[[problems]]\ndataset = "f.json"\nmodel = "{}"\nqueries = ["shoes"]\n'


def test_a_fitted_file_lies_next_to_the_experiment_or_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    toml = tmp_path / "there" / "mine.toml"
    toml.write_text(FITTED + SHOES.format("dbn"))
    with pytest.raises(ArgumentError, match=r"cannot read 'f.json': No such file"):
        load_experiment(str(toml)).users_by_problem()
    for folder in ("here", "there"):
        saved(tmp_path / folder / "f.json")
        users = load_experiment(str(toml)).users_by_problem()
        assert {name: each.name for name, each in users.items()} == {"shoes": "dbn"}
        (tmp_path / folder / "f.json").unlink()
    path = saved(tmp_path / "f.json")
    toml.write_text(FITTED + SHOES.format("dbn").replace("f.json", str(path)))
    assert list(load_experiment(str(toml)).users_by_problem()) == ["shoes"]


def test_problems_of_several_models_of_a_fitted_file_have_names_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(saved(tmp_path / "f.json").parent)
    both = parsed("mine", FITTED + SHOES.format("pbm") + SHOES.format("dbn"))
    assert list(both.users_by_problem()) == ["f pbm shoes", "f dbn shoes"]
    twice = parsed("mine", FITTED + SHOES.format("pbm") + SHOES.format("pbm"))
    with pytest.raises(ArgumentError, match="'mine': got problem 'f pbm shoes' twice"):
        twice.users_by_problem()
    one = parsed("mine", FITTED + SHOES.format("").replace('model = ""\n', ""))
    with pytest.raises(ArgumentError, match=r"click_model must be given where 'f.json' holds"):
        one.users_by_problem()


SEGMENTS = """
question = "Who differs?"
version = 1
n_positions = 1
n_rounds = 100
[click_model]
click_model = "segments"
contexts = [{ device = "mobile" }, { device = "desktop" }]
shares = [0.7, 0.3]
[[click_model.users]]
click_model = "pbm"
attraction = [0.5, 0.1]
examination = [1.0]
[[click_model.users]]
click_model = "pbm"
attraction = [0.1, 0.5]
examination = [1.0]
[[policies]]
policy = "unirank"
"""


def test_the_users_may_be_a_list_of_segments() -> None:
    users = parsed("mine", SEGMENTS).users
    assert isinstance(users, Segments)
    assert users.contexts == ({"device": "mobile"}, {"device": "desktop"})
    assert users.best_rankings(1) == [(0,), (1,)]
    assert [model.settings["coupling"] for model in users.users] == ["independent"] * 2


def test_common_clicks_are_those_of_every_segment() -> None:
    users = parsed("mine", 'coupling = "common"' + SEGMENTS).users
    assert isinstance(users, Segments)
    assert [model.settings["coupling"] for model in users.users] == ["common"] * 2


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("0.7, 0.3", "0.7, 0.2", "shares must sum to 1, got"),
        ('device = "desktop"', "device = 3", "contexts[1] must be factors with their levels"),
        ("[0.1, 0.5]", "[0.1, 0.5, 0.2]", "users must have the same n_items, got 2 and 3"),
    ],
)
def test_a_mistake_in_segments_is_named(old: str, new: str, sentence: str) -> None:
    with pytest.raises(ArgumentError) as error:
        parsed("mine", SEGMENTS.replace(old, new))
    assert sentence in str(error.value)
