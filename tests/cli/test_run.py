"""`unirank run` plays, prints and saves."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Run
from tests.lab.datasets.fitted import CONTENT, saved, spoilt, without
from tests.lab.test_experiment import SEGMENTS
from unirank import Trace, simulate
from unirank.lab import engines, load_experiment, runs
from unirank.lab.blocks import Block, play
from unirank.lab.datasets import published_files
from unirank.lab.results import load_results

FOLDER = Path("results/simul-cm/rounds-1000-seed-0")
SCALE = ("--n-rounds", "1e3", "--n-games", "2")
SMALL = (*SCALE, "--policy", "unirank", "--policy", "random")


def test_the_table_and_the_files_are_named(unirank: Run) -> None:
    code, out, _ = unirank("run", "simul-cm", *SMALL)
    assert code == 0
    assert "simul-cm: How much regret" in out
    assert "results in results/simul-cm/rounds-1000-seed-0" in out
    for name in ("UniRank", "random"):
        assert (FOLDER / name / "simul-cm/games-00000-00001.parquet").is_file()


TWO_MODELS = """
question = "Which click model?"
version = 1
n_positions = 2
n_rounds = 100
policies = [{policy = "random"}, {policy = "unirank"}]
problems = [{dataset = "f.json", model = "pbm"}, {dataset = "f.json", model = "dbn"}]
"""


def test_a_shard_and_a_fitted_file_are_read_once(unirank: Run, opened: Counter[str]) -> None:
    saved(Path("f.json"))
    Path("two.toml").write_text(TWO_MODELS)
    assert unirank("run", "two.toml", "--n-games", "6")[0] == 0
    shards = [str(path.absolute()) for path in Path("results").rglob("*.parquet")]
    assert len(shards) == 12  # two policies, three queries, two blocks
    opened.clear()
    code, out, _ = unirank("run", "two.toml", "--n-games", "7")
    assert (code, "36 games are in results already" in out) == (0, True)
    files = [*shards, str(Path("f.json").absolute())]
    assert {opened[path] for path in files} == {1}


def test_a_published_file_is_read_once_for_all_its_data_sets(
    unirank: Run, opened: Counter[str]
) -> None:
    mirror = os.environ.get("UNIRANK_DATA")
    if mirror is None:
        pytest.skip("needs the published files")
    published_files._bytes.cache_clear()
    unirank("run", "six-click-models", "--policy", "random", "--n-rounds", "10", "--n-games", "1")
    assert opened[f"{mirror}/yandex_relpred_click_models.json"] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        ("--scheduler", "tcp://x:1"),
        ("--against", "a,b"),
        ("--policy", "unirank(early=never)"),
        ("--policy", "random(horizon=told)"),
        ("--seed", "-1"),
        ("--n-rounds", "0"),
        ("--n-workers", "0"),
    ],
)
def test_options_are_refused_before_an_experiment_is_read(
    wrong: tuple[str, str], unirank: Run, opened: Counter[str]
) -> None:
    saved(Path("f.json"))
    Path("two.toml").write_text(TWO_MODELS)
    code, _, err = unirank("run", "two.toml", *wrong)
    assert (code, err.count("\n")) == (2, 1)
    assert not {Path(path).name for path in opened} & {"two.toml", "f.json"}


def test_tables_have_the_names_that_people_write_and_json_those_of_scripts(unirank: Run) -> None:
    _, out, _ = unirank("run", "simul-cm", *SMALL)
    rows = [line.split()[0] for line in out.splitlines() if line.strip()]
    assert {"UniRank", "Random"} <= set(rows)
    (report,) = json.loads(unirank("run", "simul-cm", *SMALL, "--json")[1])
    assert {row["policy"] for row in report["regret"]} == {"UniRank", "random"}


def test_tails_are_shown_where_asked_for_and_always_in_json(unirank: Run) -> None:
    assert "worst" not in unirank("run", "simul-cm", *SMALL)[1]
    _, out, _ = unirank("run", "simul-cm", *SMALL, "--tails")
    (head,) = [line.split() for line in out.splitlines() if "worst" in line]
    assert head == ["policy", "rounds", "mean", "median", "95", "%", "worst"]
    (report,) = json.loads(unirank("run", "simul-cm", *SMALL, "--json")[1])
    row = report["regret"][0]
    assert row["worst"] >= row["p95"] >= row["median"]


def test_a_saved_trace_is_that_of_the_library(unirank: Run) -> None:
    unirank("run", "simul-cm", *SCALE, "--seed", "5", "--policy", "unirank(early=explore)")
    (saved,) = load_results([Path("results")])
    made = simulate(
        ("unirank", {"early": "explore"}),
        load_experiment("simul-cm").users,
        n_positions=5,
        n_rounds=1000,
        n_games=2,
        seed=5,
        checkpoints=saved.rounds.tolist(),
    )
    assert np.array_equal(saved.regret, made.regret)


def test_json_is_all_that_goes_to_standard_output(unirank: Run) -> None:
    code, out, _ = unirank("run", "simul-pbm", "simul-cm", *SMALL, "--json")
    report = json.loads(out)
    assert code == 0
    assert [row["experiment"] for row in report] == ["simul-pbm", "simul-cm"]
    assert {row["policy"] for row in report[0]["regret"]} == {"UniRank", "random"}


def test_clicks_gained_against_an_order(unirank: Run) -> None:
    code, out, _ = unirank("run", "simul-cm", *SMALL, "--against", "5,6,7,8,9")
    assert code == 0
    assert "clicks gained against 5, 6, 7, 8, 9: mean ± standard error" in out
    report = json.loads(unirank("run", "simul-cm", *SMALL, "--against", "5,6,7,8,9", "--json")[1])
    traces = {trace.label: trace for trace in load_results([Path("results")])}
    for row in report[0]["gain"]:
        assert row["mean"] == pytest.approx(
            traces[row["policy"]].gain([5, 6, 7, 8, 9])[:, -1].mean()
        )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("simul-cm", "--against", "a,b"), "against must be items such as 4,3,2,1,0, got 'a,b'"),
        (("simul-cm", "--against", "1,2"), "against must have n_positions=5 items, got '1,2'"),
        (("simul-cm", "--against", "1,2,3,4,99"), "ranking[4] must be in 0..n_items-1=9, got 99"),
        (("ties", "--against", "1"), "against needs an experiment of one problem, got 'ties' of"),
    ],
)
def test_a_wrong_order_is_refused_before_anything_is_played(
    unirank: Run, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = unirank("run", *words, *SMALL)
    assert (code, out) == (2, "")
    assert err.startswith(f"unirank: {sentence}")


def test_an_experiment_of_your_own(unirank: Run) -> None:
    Path("mine.toml").write_text(
        'question = "Mine?"\nversion = 1\nn_positions = 1\nn_rounds = 50\n'
        '[click_model]\nclick_model = "cm"\nattraction = [0.5, 0.1]\n'
        '[[policies]]\npolicy = "unirank"\n'
    )
    assert unirank("run", "mine.toml")[0] == 0
    (trace,) = load_results([Path("results/mine")])
    assert (trace.policy, trace.n_games) == ("unirank", 20)


def test_positions_out_of_order_are_told_in_one_line_before_anything_is_played(
    unirank: Run,
) -> None:
    Path("mine.toml").write_text(
        'question = "Mine?"\nversion = 1\nn_positions = 2\nn_rounds = 50\n'
        '[click_model]\nclick_model = "pbm"\nattraction = [0.5, 0.1]\nexamination = [0.5, 1.0]\n'
        '[[policies]]\npolicy = "random"\n[[policies]]\npolicy = "unirank"\n'
    )
    code, _, err = unirank("run", "simul-cm", "mine.toml")
    told = "policy 'unirank' needs positions by decreasing examination, got [0.5, 1.0]"
    assert (code, err) == (2, f"unirank: {told}: pass users.reordered([1, 0])\n")
    assert not Path("results").exists()
    assert unirank("run", "mine.toml", "--policy", "random")[0] == 0


def test_without_polars_it_still_runs_and_says_what_is_missing(
    unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    code, out, _ = unirank("run", "simul-cm", *SMALL)
    assert code == 0
    assert "results are not saved: this needs polars" in out
    assert "[lab]'" in out
    assert not Path("results").exists()


def test_an_interrupted_run_keeps_what_is_finished_and_goes_on(
    unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(blocks: list[Block], done: engines.Done, *_: Any, **__: Any) -> None:
        done(blocks[0], play(blocks[0]))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(runs, "play_blocks", interrupted)
        code, out, err = unirank("run", "simul-cm", *SMALL)
    assert (code, err) == (130, "unirank: interrupted\n")
    assert "the same command goes on from here" in out
    assert [path.parts[-3] for path in FOLDER.rglob("*.parquet")] == ["UniRank"]
    assert unirank("run", "simul-cm", *SMALL)[0] == 0
    assert sorted(path.parts[-3] for path in FOLDER.rglob("*.parquet")) == ["UniRank", "random"]


def test_a_policy_can_be_told_what_it_needs(unirank: Run) -> None:
    _, out, _ = unirank("run", "simul-cm", *SCALE, "--policy", "toprank(horizon=told)")
    assert "TopRank, right horizon" in out


def test_the_engine_is_a_choice(unirank: Run) -> None:
    assert unirank("run", "simul-cm", *SMALL, "--engine", "slurm")[0] == 2
    code, _, err = unirank("run", "simul-cm", *SMALL, "--scheduler", "tcp://x:1")
    assert (code, "scheduler must go with --engine dask" in err) == (2, True)


OWN = """
import numpy as np
import unirank as ur

class MostClicked(ur.PlainPolicy):
    patience: int = 3

    def start(self):
        self.clicked = np.zeros(self.n_items)

    def rank(self, rng):
        return np.argsort(-self.clicked, kind="stable")[: self.n_positions]

    def update(self, ranking, clicks):
        self.clicked[ranking] += clicks
"""


def test_a_class_of_your_own_needs_no_registration(unirank: Run) -> None:
    Path("own_policies.py").write_text(OWN)
    policy = ("--policy", "own_policies:MostClicked(patience=2)")
    scale = ("--n-rounds", "200", "--n-games", "6", "--json")
    reports = [
        json.loads(unirank("run", "simul-cm", *scale, *policy, *how, "--out", how[-1])[1])
        for how in (("--n-workers", "1"), ("--n-workers", "2"), ("--engine", "dask"))
    ]
    one, two, dask = (report[0]["regret"] for report in reports)
    assert one[0]["policy"] == "MostClicked (patience=2)"
    assert one == two == dask
    assert unirank("plot", "1")[0] == 0
    assert unirank("check", "own_policies:MostClicked")[0] == 0


def test_two_classes_of_one_name_are_never_taken_for_each_other(unirank: Run) -> None:
    for module in ("first_own", "second_own"):
        Path(f"{module}.py").write_text(OWN)
    scale = ("--n-rounds", "20", "--n-games", "1")
    first, second = (("--policy", f"{name}_own:MostClicked") for name in ("first", "second"))
    assert unirank("run", "simul-cm", *scale, *first)[0] == 0
    code, _, error = unirank("run", "simul-cm", *scale, *second)
    assert code == 2
    assert "'first_own:MostClicked' where this run has 'second_own:MostClicked'" in error
    code, _, error = unirank("run", "simul-cm", *scale, *first, *second, "--out", "both")
    assert code == 2
    assert "'MostClicked' (second_own:MostClicked); a TOML file can give each a label" in error


def test_an_experiment_may_name_a_class_of_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    (tmp_path / "question.toml").write_text(
        'like = "simul-cm"\nquestion = "How good?"\nversion = 1\n'
        '[[policies]]\npolicy = "mine:MostClicked"\noptions = { patience = 3 }\n'
    )
    # As the installed script starts it, with the code of this checkout, whatever is installed.
    root = str(Path(__file__).parents[2])
    start = f"import sys; sys.path.insert(0, {root!r}); from unirank.cli.main import main; main()"
    words = ["run", "question.toml", "--n-rounds", "50", "--n-games", "1", "--json"]
    done = subprocess.run(
        [sys.executable, "-I", "-c", start, *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, f"status {done.returncode}: {done.stderr}"
    assert json.loads(done.stdout)[0]["regret"][0]["policy"] == "MostClicked (patience=3)"


def test_one_game_has_no_standard_error_in_valid_json(unirank: Run) -> None:
    _, out, _ = unirank("run", "simul-cm", "--n-rounds", "1e3", "--n-games", "1", "--json")
    assert "NaN" not in out
    assert json.loads(out)[0]["regret"][0]["standard_error"] is None


def test_a_trace_knows_its_experiment_and_its_version(unirank: Run) -> None:
    unirank("run", "simul-cm", *SMALL)
    recipe = Trace.load(FOLDER / "UniRank/simul-cm/games-00000-00001.parquet").recipe()
    assert (recipe["experiment"], recipe["experiment_version"]) == ("simul-cm", 2)


def test_an_experiment_on_time_prints_times(unirank: Run) -> None:
    Path("mine.toml").write_text(
        'like = "simul-cm"\nquestion = "How long?"\nversion = 1\nmeasure = "time"\n'
        '[[policies]]\npolicy = "unirank"\n'
    )
    code, out, _ = unirank("run", "mine.toml", "--n-rounds", "100")
    assert code == 0
    assert "ns a round" in out
    assert "cm, 10 items, 5 positions, one problem" in out
    _, out, _ = unirank("run", "mine.toml", "--n-rounds", "100", "--json")
    (report,) = json.loads(out)
    assert report["times"][0]["policy"] == "unirank"


def test_no_number_is_cut_off_in_a_narrow_terminal(
    unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    scale = ("--n-rounds", "1e6", "--n-games", "2")
    _, out, _ = unirank("run", "simul-cm", *scale, "--policy", "toprank(horizon=told)")
    assert "…" not in out
    assert "1,000,000" in out
    assert "1,000 " not in out  # the first decade had to go


def test_a_fitted_file_is_an_experiment_that_can_be_plotted(unirank: Run) -> None:
    saved(Path("mine.json"))
    code, out, _ = unirank("run", "mine.json", *SCALE)
    assert code == 0
    assert "mine: How much regret on the 3 problems of mine.json?" in out
    assert "results in results/mine/rounds-1000-seed-0" in out
    traces = load_results([Path("results")])
    assert {trace.label for trace in traces} == {"UniRank", "TopRank", "Random"}
    assert {trace.problem for trace in traces} == {"pbm shoes", "pbm boots", "dbn shoes"}
    assert {tuple(trace.games) for trace in traces} == {(0, 1)}
    before = {path: path.stat().st_mtime_ns for path in Path("results").rglob("*.parquet")}
    first, again = unirank("run", "mine.json", *SCALE)[1].split("\n", 1)
    assert first.startswith(
        "18 games are in results already, by the names of policies and problems"
    )
    assert again == out
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert unirank("plot", "results")[0] == 0
    assert Path("regret.png").is_file()


@pytest.mark.parametrize(
    "changed",
    [
        spoilt("models", "pbm", "shoes", "attraction", value=[0.1, 0.3, 0.25]),
        without("models", "pbm", "shoes"),
        {**CONTENT, "models": {"cm": {"hats": {"items": [1, 2], "attraction": [0.5, 0.1]}}}},
    ],
)
def test_a_changed_fitted_file_is_not_mixed_with_its_older_games(
    changed: dict[str, Any], unirank: Run
) -> None:
    saved(Path("mine.json"))
    assert unirank("run", "mine.json", *SMALL)[0] == 0
    saved(Path("mine.json"), changed)
    code, _, err = unirank("run", "mine.json", *SMALL)
    assert (code, err.count("\n")) == (2, 1)
    assert "out must hold results of this experiment only" in err
    assert " has games of another 'mine.json': the fitted file has changed since; choose" in err
    assert unirank("run", "mine.json", *SMALL, "--out", "new")[0] == 0
    saved(Path("mine.json"))
    assert unirank("run", "mine.json", *SMALL)[0] == 0


def test_two_fitted_files_of_one_name_are_not_mixed(unirank: Run) -> None:
    for folder in ("one", "two"):
        Path(folder).mkdir()
        saved(Path(folder) / "mine.json", CONTENT)
    code, out, err = unirank("run", "one/mine.json", "two/mine.json", *SMALL)
    assert (code, out) == (2, "")
    assert "must have different names, got 'one/mine.json' and 'two/mine.json'; run them" in err


def test_a_broken_fitted_file_is_one_line(unirank: Run) -> None:
    code, _, err = unirank("run", "none.json")
    assert (code, err) == (2, "unirank: cannot read 'none.json': No such file or directory\n")


def test_an_objective_has_a_folder_of_its_own_and_says_what_is_lost(unirank: Run) -> None:
    _, clicks, _ = unirank("run", "simul-cm", *SMALL)
    assert "regret (clicks lost): mean" in clicks
    code, out, _ = unirank("run", "simul-cm", *SMALL, "--objective", "first-click")
    assert code == 0
    assert "regret (reciprocal rank of the first click lost): mean" in out
    assert "results in results/simul-cm/rounds-1000-seed-0-first-click" in out
    _, text, _ = unirank("run", "simul-cm", *SMALL, "--objective", "any-click", "--json")
    (report,) = json.loads(text)
    assert report["objective"] == "any-click"
    assert len(list(Path("results/simul-cm").iterdir())) == 3


def test_an_unknown_objective_is_refused(unirank: Run) -> None:
    assert unirank("run", "simul-cm", *SMALL, "--objective", "click")[0] == 2
    assert not Path("results").exists()


def test_segments_of_visitors_are_played_and_resumed(unirank: Run) -> None:
    text = SEGMENTS.replace("n_rounds = 100", "n_rounds = 2000")
    Path("mine.toml").write_text(text)
    each = "per-context(policy=unirank, by=device)"
    asked = ("run", "mine.toml", "--n-games", "2", "--policy", each, "--policy", "unirank")
    (report,) = json.loads(unirank(*asked, "--json", "--against", "0")[1])
    lost = {row["policy"]: row["mean"] for row in report["regret"] if row["round"] == 2000}
    assert lost["per-context (policy=unirank, by=device)"] < lost["unirank"] / 2
    assert {trace.best_ranking[1][0] for trace in load_results([Path("results")])} == {1}
    code, told, _ = unirank(*asked)
    assert code == 0
    assert "4 games are in results already" in told


def test_a_factor_that_visitors_lack_is_refused_before_anything_is_played(unirank: Run) -> None:
    Path("mine.toml").write_text(SEGMENTS)
    code, _, told = unirank(
        "run", "mine.toml", "--policy", "per-context(policy=unirank, by=devise)"
    )
    assert code != 0
    assert "unknown factor in by: 'devise'; did you mean 'device'?" in told
    assert not Path("results").exists()
