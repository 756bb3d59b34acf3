"""A policy in ordinary Python works on a page, in files, in games and in the contract."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unirank as ur
from tests.policies.situations import contents
from unirank.lab.checks import check_policy
from unirank.page.state_file import read_state_file, write_state_file

USERS = ur.PBM(attraction=[0.6, 0.5, 0.3, 0.3, 0.1, 0.02], examination=[1.0, 0.7, 0.5])


class ExploreFirst(ur.PlainPolicy):
    """Shows random lists first, then those of the largest click rate."""

    explore: int = 200

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


class Remembering(ur.PlainPolicy):
    """Counts a click for the number that `rank` drew in that very round."""

    remembers = ("drawn",)

    def start(self) -> None:
        self.counts: dict[int, int] = {}
        self.total = 0

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        self._scratch = "not saved"
        self.drawn = int(rng.integers(1000))
        return np.arange(self.n_positions)

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        self.counts[self.drawn] = self.counts.get(self.drawn, 0) + int(clicks.sum())
        self.total += 1


def play(policy: Any, n_rounds: int) -> list[tuple[int | str, ...]]:
    lists = []
    for number in range(n_rounds):
        shown = policy.rank()
        policy.update(shown, shown.items[: number % 3])
        lists.append(shown.items)
    return lists


# On a page.


def test_on_a_page_it_speaks_in_ids() -> None:
    policy: Any = ExploreFirst(["a", "b", "c"], n_positions=2, explore=1, seed=3)
    for _ in range(20):
        shown = policy.rank()
        policy.update(shown, clicks={"b"} & set(shown))
    assert policy.rank()[0] == "b"
    assert policy.statistics()["clicked"].tolist()[1] > 5


def test_each_round_keeps_what_it_remembers_until_its_clicks_come() -> None:
    policy: Any = Remembering(4, 2, seed=1)
    rounds = []
    for _ in range(5):
        rounds.append((policy.rank(), policy.drawn))
    for shown, _ in reversed(rounds):
        policy.update(shown, shown.items)
    assert policy.counts == {drawn: 2 for _, drawn in rounds}


def test_an_array_that_a_policy_keeps_is_its_own() -> None:
    class Keeper(ExploreFirst):
        def start(self) -> None:
            super().start()
            self.kept: list[Any] = []

        def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
            super().update(ranking, clicks)
            self.kept.append((ranking, clicks))

    policy: Any = Keeper(5, 3, seed=1)
    lists = play(policy, 30)
    assert [tuple(ranking.tolist()) for ranking, _ in policy.kept] == lists


# Files.


@pytest.mark.parametrize("cls", [ExploreFirst, Remembering])
def test_a_loaded_one_goes_on_exactly(tmp_path: Path, cls: type[ur.PlainPolicy]) -> None:
    policy: Any = cls(["a", "b", "c", "d"], 2, seed=5)
    play(policy, 50)
    late = policy.rank()
    policy.save(tmp_path / "page")
    copy: Any = ur.load(tmp_path / "page")
    assert type(copy) is cls
    for one in (policy, copy):
        one.update(late, late.items)
    assert play(copy, 50) == play(policy, 50)
    assert contents(copy) == contents(policy)


def test_of_classes_with_one_name_none_is_guessed(tmp_path: Path) -> None:
    def define(module: str) -> type[ur.PlainPolicy]:
        return type("Namesake", (ExploreFirst,), {"__module__": module})

    first = define("one")
    first(4, 2).save(tmp_path / "page")
    again = define("one")
    assert type(ur.load(tmp_path / "page")) is again
    others = define("two"), define("three")
    assert type(ur.load(tmp_path / "page")) is again
    saved = read_state_file(tmp_path / "page")
    saved.module = "gone"
    write_state_file(saved, tmp_path / "page")
    with pytest.raises(ur.StateFileError, match=r"several classes: .'one\.Namesake', 'three\.Name"):
        ur.load(tmp_path / "page")
    del first, again, others


def test_what_save_would_lose_is_refused() -> None:
    policy: Any = Remembering(4, 2)
    policy.surprise = 1
    with pytest.raises(
        ur.ArgumentError, match="surprise of Remembering would not be saved: assign"
    ):
        policy.to_saved()


def test_a_value_that_cannot_be_saved_is_named() -> None:
    policy: Any = Remembering(4, 2)
    policy.counts = {1: object()}
    with pytest.raises(ur.ArgumentError, match=r"^counts must be numbers, texts"):
        policy.to_saved()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"plain": {}}, "statistics must be"),
        ({"plain": {"counts": ["dict"], "total": ["array", "<i8", [], b"12345678"]}}, "total must"),
        ({"plain": {"counts": ["import", "os"], "total": 0}}, "counts is not plain data"),
        ({"policy": "nobody"}, "import the module that defines it before loading"),
    ],
)
def test_a_forged_file_is_refused_in_one_line(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    path = tmp_path / "page"
    Remembering(4, 2).save(path)
    saved = read_state_file(path)
    for field, value in change.items():
        setattr(saved, field, value)
    write_state_file(saved, path)
    with pytest.raises(ur.StateFileError, match=sentence):
        ur.load(path)


@pytest.mark.parametrize("memory", [b"", b"\xc1", b"\x81\xa5drawn\x91\x01", b"\x80"])
def test_a_forged_memory_is_refused(tmp_path: Path, memory: bytes) -> None:
    policy: Any = Remembering(4, 2)
    policy.rank()
    policy.save(tmp_path / "page")
    saved = read_state_file(tmp_path / "page")
    assert saved.unanswered is not None
    saved.unanswered.memories[0] = memory
    write_state_file(saved, tmp_path / "page")
    with pytest.raises(ur.StateFileError, match="unanswered round 1 is not one this policy gave"):
        ur.load(tmp_path / "page")


# Games.


@pytest.mark.parametrize(
    ("compiled", "name", "sentence"),
    [
        (ur.UniRank(4, 2), "plain-unirank", "load it with the version that wrote it, or make a"),
        (
            ur.policies.PBMUCB(4, 2, examination=[1, 1]),
            "osub",
            "statistics are not whole: KeyError: 'lists'",
        ),
    ],
)
def test_the_state_of_a_compiled_policy_is_refused_in_one_line(
    tmp_path: Path, compiled: ur.Policy, name: str, sentence: str
) -> None:
    compiled.save(tmp_path / "state")
    saved = read_state_file(tmp_path / "state")
    saved.policy = name
    if name == "osub":
        saved.options = {}
    write_state_file(saved, tmp_path / "state")
    with pytest.raises(ur.StateFileError, match=sentence) as caught:
        ur.load(tmp_path / "state")
    assert "\n" not in str(caught.value)


def test_traces_have_the_same_bits_for_any_number_of_workers() -> None:
    one, three = (
        ur.simulate(
            (ExploreFirst, {"explore": 20}),
            USERS,
            n_positions=3,
            n_rounds=500,
            n_games=4,
            n_workers=n_workers,
        )
        for n_workers in (1, 3)
    )
    assert np.array_equal(one.regret, three.regret)
    assert len(np.unique(one.regret[:, -1])) == 4  # every game has numbers of its own


def test_a_class_that_is_not_registered_has_its_name_as_label() -> None:
    trace = ur.simulate(ExploreFirst, USERS, n_positions=3, n_rounds=50, n_games=2)
    assert (trace.policy, trace.label) == ("ExploreFirst", "ExploreFirst")


def test_exploring_first_and_then_exploiting_loses_less_than_random_order() -> None:
    plain, floor = (
        ur.simulate(policy, USERS, n_positions=3, n_rounds=3000, n_games=4).mean[-1]
        for policy in (ExploreFirst, "random")
    )
    assert plain < floor / 3


@pytest.mark.parametrize("cls", [ExploreFirst, Remembering])
def test_it_keeps_the_contract(cls: type[ur.PlainPolicy]) -> None:
    check_policy(cls)


# Mistakes.


@pytest.mark.parametrize("chosen", [[0, 0], [0], [0, 9], [-1, 0], [0.0, 1.0], None, [[0, 1]], "ab"])
def test_a_ranking_that_is_none_is_shown_in_the_error(chosen: Any) -> None:
    class Wrong(ExploreFirst):
        def rank(self, rng: Any) -> Any:  # type: ignore[override]
            return chosen

    policy: ur.Policy = Wrong(4, 2)
    with pytest.raises(ur.ArgumentError, match=r"Wrong\.rank must return n_positions=2 different"):
        policy.rank()


def test_a_policy_without_rank_is_told_what_to_define() -> None:
    with pytest.raises(ur.ArgumentError, match=r"Empty must define rank\(\)"):
        type("Empty", (ur.PlainPolicy,), {})(3, 2)


def test_kernels_belong_to_a_policy_that_is_compiled() -> None:
    with pytest.raises(TypeError, match=r"Mixed must derive from unirank\.Policy to have kernels"):
        type("Mixed", (ur.PlainPolicy,), {"kernels": ur.UniRank.kernels})


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("seed", r"start\(\) must not assign 'seed'"), ("round", "round must not be assigned, got 5")],
)
def test_start_must_not_overwrite_what_every_policy_has(name: str, sentence: str) -> None:
    class Careless(ExploreFirst):
        def start(self) -> None:
            setattr(self, name, 5)

    with pytest.raises(ur.ArgumentError, match=sentence):
        Careless(3, 2)
