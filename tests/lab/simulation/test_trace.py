"""A trace: statistics over games, and files that can be run again."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.toy_policies import Toy
from unirank import CM, ArgumentError, ClickModel, Trace, simulate


@pytest.fixture(scope="module")
def trace() -> Trace:
    return simulate("random", CM([0.5, 0.3, 0.1]), n_positions=2, n_rounds=200, n_games=4, seed=3)


def test_mean_and_standard_error_are_over_games(trace: Trace) -> None:
    last = trace.regret[:, -1]
    assert trace.mean[-1] == pytest.approx(sum(last) / 4)
    spread = np.sqrt(sum((last - last.mean()) ** 2) / 3)
    assert trace.standard_error[-1] == pytest.approx(spread / 2)


def test_regret_at_a_checkpoint_and_an_error_that_names_the_nearest(trace: Trace) -> None:
    assert np.array_equal(trace.at(200), trace.regret[:, -1])
    with pytest.raises(ArgumentError, match="must be a checkpoint, got 199; the nearest is 200"):
        trace.at(199)


def test_gain_is_the_loss_of_the_order_minus_regret(trace: Trace) -> None:
    """Always showing (1, 2) gets 0.37 clicks a round, the best order 0.65."""
    assert trace.gain([1, 2]) == pytest.approx(0.28 * trace.rounds - trace.regret)
    assert trace.gain([1, 0]) == pytest.approx(-trace.regret, abs=1e-12)
    scale = {"n_positions": 2, "n_rounds": 200, "n_games": 2}
    users = CM([0.5, 0.3, 0.1])
    first = simulate("random", users, objective="first-click", **scale)  # type: ignore[arg-type]
    loss = users.best_value(2, "first-click") - users.value([1, 2], "first-click")
    assert first.gain([1, 2]) == pytest.approx(loss * first.rounds - first.regret)
    with pytest.raises(ArgumentError, match=r"^order must have n_positions=2 items, got \[1\]"):
        trace.gain([1])


def test_saving_and_loading_loses_nothing(trace: Trace, tmp_path: Path) -> None:
    trace.save(tmp_path / "trace.parquet")
    loaded = Trace.load(tmp_path / "trace.parquet")
    assert np.array_equal(loaded.regret, trace.regret)
    assert np.array_equal(loaded.rounds, trace.rounds)
    assert np.array_equal(loaded.games, trace.games)
    assert loaded.recipe() == trace.recipe()


def test_a_saved_trace_can_be_run_again(trace: Trace, tmp_path: Path) -> None:
    trace.save(tmp_path / "trace.parquet")
    recipe = Trace.load(tmp_path / "trace.parquet").recipe()
    again = simulate(
        (recipe["policy"], recipe["options"]),
        ClickModel.from_dict(recipe["click_model"]),
        **{key: recipe[key] for key in ("n_positions", "n_rounds", "n_games", "seed")},
    )
    assert np.array_equal(again.regret, trace.regret)


def test_a_file_from_before_there_were_objectives_counts_clicks(
    trace: Trace, tmp_path: Path
) -> None:
    old = {key: value for key, value in trace.recipe().items() if key != "objective"}
    trace.to_polars().write_parquet(tmp_path / "old.parquet", metadata={"unirank": json.dumps(old)})
    loaded = Trace.load(tmp_path / "old.parquet")
    assert (loaded.objective, loaded.lost) == ("clicks", "clicks lost")


def test_a_trace_keeps_its_objective(tmp_path: Path) -> None:
    users = CM([0.5, 0.3, 0.1])
    made = simulate("random", users, n_positions=2, n_rounds=9, objective="first-click")
    made.save(tmp_path / "trace.parquet")
    assert Trace.load(tmp_path / "trace.parquet").objective == "first-click"
    assert made.lost == "reciprocal rank of the first click lost"


def test_a_trace_names_the_module_of_a_class_of_your_own_and_of_no_other(tmp_path: Path) -> None:
    made = simulate(Toy, CM([0.5, 0.3, 0.1]), n_positions=2, n_rounds=9, n_games=1)
    made.save(tmp_path / "trace.parquet")
    recipe = Trace.load(tmp_path / "trace.parquet").recipe()
    assert recipe["policy_class"] == "tests.toy_policies:Toy"
    assert "click_model_class" not in recipe


class Second(Toy):
    algorithm = 2


def test_a_trace_names_the_algorithm_of_its_policy(tmp_path: Path) -> None:
    made = simulate(Second, CM([0.5, 0.3, 0.1]), n_positions=2, n_rounds=9, n_games=1)
    made.save(tmp_path / "trace.parquet")
    assert Trace.load(tmp_path / "trace.parquet").recipe()["algorithm"] == 2
    old = {key: value for key, value in made.recipe().items() if key != "algorithm"}
    made.to_polars().write_parquet(tmp_path / "old.parquet", metadata={"unirank": json.dumps(old)})
    assert Trace.load(tmp_path / "old.parquet").algorithm == 1


@pytest.mark.parametrize("content", [None, b"", b"not parquet"])
def test_a_file_that_is_no_trace_is_refused_in_one_line(
    content: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "x.parquet"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ArgumentError, match="cannot read a trace from"):
        Trace.load(path)
