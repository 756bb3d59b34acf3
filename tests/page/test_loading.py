"""Loading: a saved policy goes on bit for bit, and a forged file is refused in one line."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.policies.situations import (
    contents,
    leaders_met,
    play,
    some_clicks,
    version_1,
    with_many_leaders,
)
from unirank import ArgumentError, Policy, StateFileError, UniRank, load
from unirank.page.state_file import SavedPolicy, write_state_file
from unirank.policies import RandomOrder, registry
from unirank.policies.base.snapshot import to_saved_array

OPTIONS = [{}, {"early": "explore"}, {"budget": "ln"}]


def continued(policy: Policy, n_rounds: int) -> list[Any]:
    """Answer what is still unanswered, newest first; play on; tell all that was shown."""
    draw, shown = Random(3), list[Any]()
    for number, ranking in reversed(list(policy._on_page().unanswered)):
        policy.update(number, some_clicks(tuple(policy.items[i] for i in ranking), draw))
    for _ in range(n_rounds):
        shown.append(policy.rank())
        policy.update(shown[-1], some_clicks(shown[-1].items, draw))
    return shown


def copy_of(policy: Policy, folder: Path) -> Any:
    policy.save(folder / "state")
    return load(folder / "state")


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("n_unanswered", [0, 1, 40])
def test_a_loaded_unirank_goes_on_exactly(
    tmp_path: Path, options: dict[str, str], n_unanswered: int
) -> None:
    policy = UniRank(7, 4, seed=5, **options)  # type: ignore[arg-type]
    play(policy, 300, Random(2))
    for _ in range(n_unanswered):
        policy.rank()
    copy = copy_of(policy, tmp_path)
    assert continued(copy, 300) == continued(policy, 300)


def test_a_loaded_random_order_goes_on_exactly(tmp_path: Path) -> None:
    policy = RandomOrder(7, 4, seed=5)
    policy.rank()
    copy = copy_of(policy, tmp_path)
    assert continued(copy, 50) == continued(policy, 50)


def test_a_policy_that_met_many_leaders_goes_on_exactly(tmp_path: Path) -> None:
    policy = with_many_leaders()
    assert len(policy.state.leader_keys) > 1024
    copy = copy_of(policy, tmp_path)
    assert continued(copy, 300) == continued(policy, 300)
    assert leaders_met(copy) == leaders_met(policy)


def test_a_fresh_policy_is_loaded_fresh(tmp_path: Path) -> None:
    copy = copy_of(UniRank(7, 4, seed=5), tmp_path)
    assert continued(copy, 50) == continued(UniRank(7, 4, seed=5), 50)


def test_everything_learnt_is_loaded(tmp_path: Path) -> None:
    policy = UniRank(7, 4, seed=5)
    play(policy, 300, Random(2))
    copy = copy_of(policy, tmp_path)
    np.testing.assert_array_equal(copy.state.wins, policy.state.wins)
    np.testing.assert_array_equal(copy.state.scores, policy.state.scores)
    assert leaders_met(copy) == leaders_met(policy)


def test_all_settings_are_loaded(tmp_path: Path) -> None:
    policy = UniRank(["x", 5], 1, seed=9, early="explore", budget="ln", max_pending=2)
    for _ in range(5):
        policy.rank()
    assert copy_of(policy, tmp_path).to_saved() == policy.to_saved()


def test_a_round_answered_or_let_go_before_saving_stays_so(tmp_path: Path) -> None:
    policy = UniRank(4, 2, max_pending=2)
    for _ in range(4):
        policy.rank()
    policy.update(3, [])
    copy = copy_of(policy, tmp_path)
    for shown, told in [(3, "already updated$"), (1, "already updated, or let go")]:
        with pytest.raises(ValueError, match=f"^round {shown} was {told}"):
            copy.update(shown, [])


def test_saving_twice_gives_the_same_file(tmp_path: Path) -> None:
    policy = UniRank(7, 4, seed=5)
    play(policy, 100, Random(2))
    policy.save(tmp_path / "one")
    copy_of(policy, tmp_path).save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("name", registry.names())
def test_every_policy_is_saved_again_as_it_was_loaded(tmp_path: Path, name: str) -> None:
    cls = registry[name]
    policy = cls(5, 2, seed=1, **cls.example_options(tuple(range(5)), 2))
    policy.rank()
    assert contents(copy_of(policy, tmp_path)) == contents(policy)


def test_saving_leaves_one_file(tmp_path: Path) -> None:
    policy = UniRank(4, 2)
    for _ in range(3):
        policy.save(tmp_path / "state")
    assert os.listdir(tmp_path) == ["state"]


def test_a_missing_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StateFileError) as caught:
        load(tmp_path / "state")
    path = str(tmp_path / "state")
    assert str(caught.value) == f"cannot read {path!r}: No such file or directory"


def test_a_path_without_a_name_is_refused() -> None:
    for path in ("", ".", "/"):
        with pytest.raises(ArgumentError) as caught:
            UniRank(3, 2).save(path)
        assert str(caught.value) == f"path must name a file, got {path!r}"


@pytest.mark.parametrize("largest", [10, 1000])
def test_a_file_larger_than_allowed_is_not_read(tmp_path: Path, largest: int) -> None:
    UniRank(20, 4).save(tmp_path / "state")
    with pytest.raises(StateFileError) as caught:
        load(tmp_path / "state", largest=largest)
    name = repr(str(tmp_path / "state"))
    remedy = "pass a larger largest= if you trust it"
    assert str(caught.value) == f"{name} is larger than {largest} bytes: {remedy}"


@pytest.mark.parametrize("path", ["/dev/zero", "pipe"])
def test_a_file_without_an_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")  # opening it would wait for a writer
    with pytest.raises(StateFileError, match=r"^cannot read .*: Not a regular file$"):
        load(path)


def test_a_small_file_of_a_large_policy_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    saved = UniRank(20, 4).to_saved()
    saved.items = list(range(20_000))
    write_state_file(saved, tmp_path / "state")
    tracemalloc.start()
    with pytest.raises(StateFileError, match=r"it needs about \d+ bytes, more than 1073741824"):
        load(tmp_path / "state")
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()


def test_saving_takes_little_more_memory_than_one_copy(tmp_path: Path) -> None:
    policy = UniRank(1000, 10)
    tracemalloc.start()
    policy.save(tmp_path / "state")
    assert tracemalloc.get_traced_memory()[1] < 1.6 * policy.state.wins.nbytes
    tracemalloc.stop()


# Forged files: the checksum is right, the contents are not.

Forgery = Callable[[SavedPolicy], None]


def saved_policy() -> SavedPolicy:
    """Five items, three positions, two leaders met; round 1 is unanswered, three are answered."""
    policy = UniRank(5, 3, seed=1)
    policy.rank()
    play(policy, 3, Random(1))
    return version_1(policy)


def setting(field: str, value: object) -> Forgery:
    return lambda saved: setattr(saved, field, value)


def statistic(name: str, array: Any) -> Forgery:
    return lambda saved: saved.statistics.update({name: to_saved_array(np.asarray(array))})


def ranking(*items: int) -> Forgery:
    return lambda saved: setattr(saved.pending[0], "ranking", np.array(items, np.int64).tobytes())


def memory(*numbers: int) -> Forgery:
    return lambda saved: setattr(saved.pending[0], "memory", np.array(numbers, np.int64).tobytes())


def pending(field: str, value: object) -> Forgery:
    return lambda saved: setattr(saved.pending[0], field, value)


def without_wins(saved: SavedPolicy) -> None:
    del saved.statistics["wins"]


def message_of(forge: Forgery, folder: Path) -> str:
    saved = saved_policy()
    forge(saved)
    write_state_file(saved, folder / "state")
    with pytest.raises(StateFileError) as caught:
        load(folder / "state")
    return str(caught.value).removeprefix(f"{str(folder / 'state')!r} is not a valid state: ")


def test_the_policy_to_be_forged_is_good(tmp_path: Path) -> None:
    write_state_file(saved_policy(), tmp_path / "state")
    assert version_1(load(tmp_path / "state")) == saved_policy()


NO_SUCH_ROUND = "unanswered round 1 is not one this policy gave"
WRONG_WINS = "wins must be a square table of counts"
WRONG_TABLES = "leader_keys and leader_counts must be tables of the same length"


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (
            setting("policy", "uni-rank"),
            "unknown policy 'uni-rank'; did you mean 'unirank'?; "
            "import the module that defines it before loading",
        ),
        (setting("items", []), "items must not be empty, got []"),
        (setting("items", [1, 1, 2, 3, 4]), "items must be unique, got 1 twice"),
        (setting("n_positions", 6), "n_positions must be in 1..n_items=5, got 6"),
        (setting("seed", -1), f"seed must be in 0..{2**63 - 1}, got -1"),
        (setting("max_pending", 0), "max_pending must be >= 1, got 0"),
        (setting("round", -1), "round must be in 0..1099511627774, got -1"),
        (setting("round", 0), NO_SUCH_ROUND),
        (setting("let_go", 5), "let_go must be in 0..4, got 5"),
        (setting("let_go", -1), "let_go must be in 0..4, got -1"),
        (setting("options", {"early": "late"}), "unknown early 'late'; one of: explore, leader"),
        (
            setting("options", {"erly": "leader"}),
            "unknown option of unirank: 'erly'; did you mean 'early'?",
        ),
        (
            without_wins,
            "statistics must be ['leader_counts', 'leader_keys', 'wins'], "
            "got ['leader_counts', 'leader_keys']",
        ),
        (
            statistic("more", [1]),
            "statistics must be ['leader_counts', 'leader_keys', 'wins'], "
            "got ['leader_counts', 'leader_keys', 'more', 'wins']",
        ),
        (statistic("wins", np.zeros((5, 5))), "wins must be <i8, got <f8"),
        (statistic("wins", np.zeros((5, 5), object).astype("S8")), "wins must be <i8, got |S8"),
        (statistic("wins", np.zeros((4, 4), np.int64)), WRONG_WINS),
        (statistic("wins", np.zeros(25, np.int64)), WRONG_WINS),
        (statistic("wins", np.zeros((5, 5, 1), np.int64)), WRONG_WINS),
        (statistic("wins", -np.eye(5, k=1, dtype=np.int64)), WRONG_WINS),
        (statistic("wins", np.eye(5, dtype=np.int64)), WRONG_WINS),
        (statistic("leader_counts", np.zeros(9, np.int64)), WRONG_TABLES),
        (statistic("leader_counts", [-1, 0]), WRONG_TABLES),
        (
            statistic("leader_keys", np.array([7, 7], np.uint64)),
            "leader_keys must be unique and not 0",
        ),
        (
            statistic("leader_keys", np.array([7, 0], np.uint64)),
            "leader_keys must be unique and not 0",
        ),
        (pending("round", 0), "unanswered round 0 is not one this policy gave"),
        (pending("round", 5), "unanswered round 5 is not one this policy gave"),
        (ranking(0, 1, 5), NO_SUCH_ROUND),
        (ranking(0, 1, -1), NO_SUCH_ROUND),
        (ranking(0, 1, 2**62), NO_SUCH_ROUND),
        (ranking(0, 1, 1), NO_SUCH_ROUND),
        (ranking(0, 1), NO_SUCH_ROUND),
        (ranking(0, 1, 2, 3), NO_SUCH_ROUND),
        (ranking(), NO_SUCH_ROUND),
        (memory(), NO_SUCH_ROUND),
        (memory(5, 5), NO_SUCH_ROUND),
        (memory(3, 2, 3), NO_SUCH_ROUND),  # ends out of order
        (memory(0, 3, 3), NO_SUCH_ROUND),  # a subset that ends before it starts
        (memory(-1, 3, 3), NO_SUCH_ROUND),
        (memory(1, 1, 3), NO_SUCH_ROUND),
        (memory(2, 2, 2), NO_SUCH_ROUND),  # the page does not end
        (memory(5, 5, 5), NO_SUCH_ROUND),  # unseen items left out
        (memory(3, 3, 3, 4), NO_SUCH_ROUND),  # an unseen item too many
        (memory(2**62, 2**62, 2**62), NO_SUCH_ROUND),
        (memory(4, 4, 4, 5), NO_SUCH_ROUND),
        (memory(4, 4, 4, -1), NO_SUCH_ROUND),
    ],
)
def test_a_forged_file_is_refused_in_one_line(tmp_path: Path, forge: Forgery, told: str) -> None:
    assert message_of(forge, tmp_path) == told


@pytest.mark.parametrize("field", ["ranking", "memory"])
@pytest.mark.parametrize("size", [1, 23, 25])
def test_bytes_that_are_no_whole_numbers_are_refused(tmp_path: Path, field: str, size: int) -> None:
    assert "\n" not in message_of(pending(field, bytes(size)), tmp_path)


@pytest.mark.parametrize("shape", [(), (1, 2), (2, 1)])
def test_tables_of_leaders_of_another_shape_are_refused(
    tmp_path: Path, shape: tuple[int, ...]
) -> None:
    def forge(saved: SavedPolicy) -> None:
        for name, kind in [("leader_keys", np.uint64), ("leader_counts", np.int64)]:
            saved.statistics[name] = to_saved_array(np.full(shape, 3, kind))

    assert "\n" not in message_of(forge, tmp_path)


def test_a_file_of_another_policy_is_not_read_as_ours(tmp_path: Path) -> None:
    told = message_of(setting("policy", "random"), tmp_path)
    assert told.startswith("unknown option of random: 'early'")


@pytest.mark.parametrize("forge", [pending("memory", b"anything"), ranking(0, 1, 5)])
def test_an_unanswered_round_of_a_random_order_is_checked(tmp_path: Path, forge: Forgery) -> None:
    policy = RandomOrder(5, 3)
    policy.rank()
    saved = version_1(policy)
    forge(saved)
    write_state_file(saved, tmp_path / "state")
    with pytest.raises(StateFileError, match=f"{NO_SUCH_ROUND}$"):
        load(tmp_path / "state")


@pytest.mark.parametrize("shown", [1, 3, 4])
def test_an_unseen_item_that_is_displayed_is_refused(tmp_path: Path, shown: int) -> None:
    assert message_of(memory(4, 4, 4, shown), tmp_path) == NO_SUCH_ROUND


@pytest.mark.parametrize("forge", [memory(6, 6, 6, 0, 0, 0), memory(9, 9, 9, *[4] * 6)])
def test_more_unseen_items_than_there_are_is_refused(tmp_path: Path, forge: Any) -> None:
    assert message_of(forge, tmp_path) == NO_SUCH_ROUND


def test_a_round_beyond_all_addresses_is_refused(tmp_path: Path) -> None:
    assert message_of(setting("round", 2**64 - 1), tmp_path).startswith("round must be in 0..")


def test_a_random_order_has_nothing_to_forge(tmp_path: Path) -> None:
    saved = RandomOrder(4, 2, seed=1).to_saved()
    saved.statistics["order"] = to_saved_array(np.full(4, 9))
    write_state_file(saved, tmp_path / "state")
    with pytest.raises(StateFileError):
        load(tmp_path / "state")
