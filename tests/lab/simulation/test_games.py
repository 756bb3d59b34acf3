"""Many games: the same bits for any number of workers, clear errors, and Ctrl-C."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from tests.lab.simulation.problems import PROBLEMS
from unirank import CM, PBM, UBM, ArgumentError, ClickModel, PlainPolicy, UniRank, simulate
from unirank.policies.base.options import PerItem, PerPair
from unirank.progress import ProgressBar

USERS = CM([0.5, 0.4, 0.2, 0.1])


def run(policy: Any = "unirank", **settings: Any) -> Any:
    return simulate(policy, USERS, **{"n_positions": 2, "n_rounds": 1000, "n_games": 3, **settings})


@pytest.mark.parametrize("name", ["simul-pbm", "simul-cm"])
def test_one_and_two_workers_give_the_same_bits(name: str) -> None:
    users, n_positions = PROBLEMS[name]
    one, two = (
        simulate("unirank", users, n_positions=n_positions, n_rounds=10**5, n_games=5, n_workers=n)
        for n in (1, 2)
    )
    assert np.array_equal(one.regret, two.regret)


def test_processes_with_different_hash_seeds_give_the_same_bits() -> None:
    code = (
        "import unirank as ur, hashlib;"
        "t = ur.simulate('unirank', ur.CM([.5, .4, .2, .1]), n_positions=2, n_rounds=10**5);"
        "print(hashlib.sha256(t.regret.tobytes()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_games_and_seeds_differ() -> None:
    assert len(np.unique(run(n_games=5).regret[:, -1])) == 5
    assert not np.array_equal(run(seed=1).regret, run(seed=2).regret)


def test_a_name_a_pair_and_a_class_are_the_same_policy() -> None:
    named, paired, given = run("unirank"), run(("unirank", {})), run(UniRank)
    assert np.array_equal(named.regret, paired.regret)
    assert np.array_equal(named.regret, given.regret)


def test_options_reach_the_policy() -> None:
    explored = run(("unirank", {"early": "explore"}))
    assert explored.options == {"early": "explore"}
    assert not np.array_equal(explored.regret, run().regret)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"n_positions": 5}, "n_positions must be in 1..n_items=4, got 5"),
        ({"n_rounds": 0}, "n_rounds must be in 1..1099511627775, got 0"),
        ({"n_games": 0}, "n_games must be in 1..1000000, got 0"),
        (
            {"n_games": 10**6, "n_rounds": 1001, "checkpoints": range(1, 1002)},
            "n_games times checkpoints must be at most 1,000,000,000, got 1,000,000 times 1,001",
        ),
        ({"seed": -1}, "seed must be in 0..9223372036854775807, got -1"),
        ({"policy": "unirnak"}, "unknown policy 'unirnak'; did you mean 'unirank'?"),
        (
            {"policy": ("unirank", {"erly": 1})},
            "unknown option of unirank: 'erly'; did you mean 'early'?",
        ),
        ({"policy": 3}, "policy must be a name or a Policy class, or (that, options), got 3"),
        ({"n_workers": 0}, "n_workers must be in 1..10000, got 0"),
        ({"checkpoints": 5}, "checkpoints must be a list of rounds, got 5"),
        ({"best_ranking": 5}, "best_ranking must be a list of items, got 5"),
        ({"skip": 2}, "skip must be True or False, got 2"),
        ({"progress": "yes"}, "progress must be True or False, got 'yes'"),
        ({"first_game": -1}, "first_game must be in 0..9223372036854775804, got -1"),
        ({"checkpoints": [0]}, "checkpoints must be in 1..n_rounds=1000, got 0"),
        ({"best_ranking": [0]}, "best_ranking must be n_positions=2 different items, got [0]"),
    ],
)
def test_errors_name_the_argument_the_rule_and_the_value(
    settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as error:
        run(**settings)
    assert str(error.value) == sentence


# Options that are lists of items: named by the click model, renamed for each game.

KNOWN: list[ClickModel] = [
    PBM([0.1, 0.5, 0.3, 0.2, 0.05], [1.0, 0.7, 0.4]),
    UBM([0.1, 0.5, 0.3, 0.2], [[0.2, 0.2, 1.0], [0.9, 0.2, 0.6], [0.4, 0.9, 0.3]]),
]


def lost_by_the_oracle(users: ClickModel, ranking: Any) -> Any:
    policy = ("oracle", {"ranking": ranking})
    return simulate(policy, users, n_positions=3, n_rounds=100, n_games=8).regret[:, -1]


@pytest.mark.parametrize("users", KNOWN, ids=["pbm", "ubm"])
@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_an_oracle_of_the_best_ranking_loses_nothing_in_any_game(
    users: ClickModel, kind: Any
) -> None:
    assert lost_by_the_oracle(users, kind(users.best_ranking(3))).tolist() == [0.0] * 8


@pytest.mark.parametrize("users", KNOWN, ids=["pbm", "ubm"])
def test_an_oracle_of_another_ranking_loses_the_same_in_every_game(users: ClickModel) -> None:
    wrong = users.best_ranking(3)[::-1]
    lost = 100 * (users.best_value(3) - users.value(wrong))
    assert lost > 1
    np.testing.assert_allclose(lost_by_the_oracle(users, wrong), lost, rtol=1e-12)


@pytest.mark.parametrize(
    ("ranking", "sentence"),
    [
        ([0, 4], "ranking must be in 0..n_items-1=3, got 4"),
        ([-1, 0], "ranking must be in 0..n_items-1=3, got -1"),
        ([0, "b"], "ranking must be an integer in 0..n_items-1=3, got 'b'"),
        ([2, 2], "ranking must be unique, got 2 twice"),
        (2, "ranking must be a list of item ids, got 2"),
        ("01", "ranking must be a list of item ids, got '01'"),
        (None, "ranking must be a count or a list of ids, got None"),
    ],
)
def test_items_that_the_click_model_does_not_have_are_refused_by_the_options_name(
    ranking: Any, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as error:
        run(("oracle", {"ranking": ranking}))
    assert str(error.value) == sentence


# Options with numbers for each item or pair: put into the order of each game.


class Told(PlainPolicy):
    """Shows the items by their values, by what they win, or by numbers that follow no item."""

    values: PerItem | None = None
    wins: PerPair | None = None
    scores: list[float] = [0.0, 0.0, 0.0, 0.0]  # noqa: RUF012

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        by = self.values or (np.sum(self.wins, axis=1) if self.wins else self.scores)
        return np.argsort(-np.array(by), kind="stable")[: self.n_positions]

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        pass


ATTRACTION = [0.2, 0.5, 0.1, 0.4]
BEATS = [[float(a > b) for b in ATTRACTION] for a in ATTRACTION]


@pytest.mark.parametrize("told", [{"values": ATTRACTION}, {"wins": BEATS}])
def test_numbers_for_each_item_say_the_same_in_every_game(told: dict[str, Any]) -> None:
    users = CM(ATTRACTION)
    settings: Any = {"n_positions": 2, "n_rounds": 50, "n_games": 8}
    trace = simulate((Told, told), users, **settings)
    assert trace.regret[:, -1].tolist() == [0.0] * 8
    assert trace.options == told
    lost = simulate((Told, {"scores": ATTRACTION}), users, **settings).regret[:, -1]
    assert len(set(lost)) > 1  # these numbers stay where they are


def test_numbers_for_too_few_items_are_refused_before_a_game() -> None:
    with pytest.raises(ArgumentError) as error:
        run((Told, {"values": [0.1, 0.2]}))
    assert str(error.value) == "values must have n_items=4 numbers, one for each item, got 2"


def test_users_must_be_a_click_model() -> None:
    with pytest.raises(ArgumentError, match="users must be a click model, got 3"):
        simulate("unirank", 3, n_positions=1, n_rounds=1)  # type: ignore[arg-type]


def test_regret_is_measured_against_a_given_best_ranking() -> None:
    users = UBM(np.linspace(0.5, 0.1, 12), np.full((8, 8), 0.5))
    with pytest.raises(ArgumentError, match=r"pass best_ranking=\[...\]"):
        simulate("random", users, n_positions=8, n_rounds=10)
    trace = simulate("random", users, n_positions=8, n_rounds=10, best_ranking=range(8))
    assert (trace.regret[:, -1] > 0).all()


def test_ctrl_c_keeps_the_finished_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(bar: ProgressBar, done: float, **_: Any) -> None:
        if done > 10**6:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressBar, "show", interrupted)
    trace = run("random", n_games=200, n_rounds=10**6, n_workers=1)
    assert trace.interrupted
    assert 1 <= trace.n_games < 200
    assert not np.isnan(trace.regret).any()


def test_ctrl_c_before_the_first_game_has_ended_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgressBar, "show", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run("random", n_games=3, n_rounds=10**9, n_workers=1)


class Counting(PlainPolicy):
    """Writes down which round it is told."""

    told: ClassVar[list[tuple[int, int]]] = []

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        self.told.append((0, self.round))
        return list(range(self.n_positions))

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        self.told.append((1, self.round))


def test_a_plain_policy_is_told_the_round_as_on_a_page() -> None:
    Counting.told.clear()
    simulate(Counting, PBM([0.5, 0.3, 0.1], [1.0, 0.5]), n_positions=2, n_rounds=3, n_games=1)
    in_a_game = list(Counting.told)
    Counting.told.clear()
    page: Any = Counting(3, 2)
    for _ in range(3):
        page.update(page.rank(), [])
    assert in_a_game == Counting.told == [(0, 0), (1, 1), (0, 1), (1, 2), (0, 2), (1, 3)]


class ExploreThenExploit(PlainPolicy):
    """An unregistered policy in ordinary Python."""

    explore: int = 50

    def start(self) -> None:
        self.clicked = np.zeros(self.n_items)
        self.shown = np.ones(self.n_items)

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        if self.shown.sum() < self.explore * self.n_positions:
            return rng.permutation(self.n_items)[: self.n_positions]
        return np.argsort(-self.clicked / self.shown, kind="stable")[: self.n_positions]

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        self.shown[ranking] += 1
        self.clicked[ranking] += clicks


@pytest.mark.parametrize("policy", [ExploreThenExploit, f"{__name__}:ExploreThenExploit"])
def test_an_unregistered_class_plays_under_its_own_name(policy: Any) -> None:
    one, two = (run((policy, {"explore": 20}), n_workers=n) for n in (1, 2))
    assert (one.policy, one.label) == ("ExploreThenExploit", "ExploreThenExploit (explore=20)")
    assert np.array_equal(one.regret, two.regret)
    assert one.mean[-1] < run("random").mean[-1]


def test_what_the_simulation_knows_can_be_told() -> None:
    told = run(("toprank", {"horizon": "told"}))
    assert told.options == {"horizon": 1000}
    assert np.array_equal(told.regret, run(("toprank", {"horizon": 1000})).regret)


def test_games_can_be_played_in_parts() -> None:
    whole = run(n_games=5)
    first, rest = run(n_games=2), run(n_games=3, first_game=2)
    assert rest.games.tolist() == [2, 3, 4]
    assert np.array_equal(whole.regret, np.concatenate([first.regret, rest.regret]))


def test_options_may_be_arrays_and_the_trace_can_be_saved(tmp_path: Path) -> None:
    looks = np.array([1.0, 0.5])
    trace = run(("pbm-ucb", {"examination": looks}), n_rounds=50)
    trace.save(tmp_path / "trace.parquet")
    assert trace.options == {"examination": [1.0, 0.5]}


def test_an_error_names_items_as_they_were_given() -> None:
    with pytest.raises(ArgumentError, match=r"\[0, 1, 2\]"):
        run(("oracle", {"ranking": [0, 1, 2]}))
