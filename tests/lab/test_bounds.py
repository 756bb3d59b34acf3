"""Problems by name, bounds under traces, and the distance between them."""

from dataclasses import replace
from math import log
from pathlib import Path

import numpy as np
import pytest

from tests.lab.plots.curves import curve
from unirank import CM, PBM, simulate
from unirank.errors import ArgumentError
from unirank.lab.bounds import (
    Problem,
    beside_bound,
    bounds_of,
    late_slope,
    problems_in,
    problems_of,
)
from unirank.lab.theory import Bound, check_assumptions, compute_gaps

STRICT = CM([0.5, 0.3, 0.1])
TIED = CM([0.5, 0.3, 0.3])


def constant_of(users: CM | PBM, n_positions: int) -> float:
    return compute_gaps(users, check_assumptions(users, n_positions)).constant


def test_the_problem_of_an_experiment() -> None:
    (problem,) = problems_of("simul-cm").values()
    assert problem.users.n_items == 10
    assert problem.n_positions == 5
    assert problems_of("simul-cm", 3)["simul-cm"].n_positions == 3


def test_a_click_model_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(STRICT.to_json())
    assert problems_of(str(path), 2) == {"mine": Problem(STRICT, 2)}
    with pytest.raises(ArgumentError, match=r"n_positions must be given for .*, which has none"):
        problems_of(str(path))


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="No such file or directory"):
        problems_of(str(tmp_path / "none.json"), 2)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(ArgumentError, match="not a text file"):
        problems_of(str(tmp_path / "bytes.json"), 2)


def test_an_unknown_word_gets_the_nearest_name() -> None:
    with pytest.raises(ArgumentError) as caught:
        problems_of("yandex-relpred-dbx")
    assert str(caught.value) == (
        "unknown experiment or data set 'yandex-relpred-dbx'; did you mean 'yandex-relpred-dbn'?"
    )


def test_the_bound_of_several_problems_is_their_mean() -> None:
    other = CM([0.6, 0.2, 0.1])
    (bound,), reason = bounds_of([Problem(STRICT, 1), Problem(other, 1)])
    assert reason == ""
    assert bound.policy == "unirank"
    mean = (constant_of(STRICT, 1) + constant_of(other, 1)) / 2
    assert bound.constant == pytest.approx(mean)


def test_one_problem_without_a_bound_is_enough_for_none() -> None:
    problems = [Problem(STRICT, 2), Problem(TIED, 2)]
    assert bounds_of(problems) == ([], "1 of 2 problems have no finite bound")


def test_a_corollary_that_equals_the_theorem_counts_as_it() -> None:
    full, part = PBM([0.5, 0.3], [1, 0.5]), PBM([0.5, 0.3, 0.1], [1, 0.5])
    (theorem, corollary), _ = bounds_of([Problem(full, 2), Problem(part, 2)])
    alone, printed = bounds_of([Problem(full, 2)])[0]
    assert printed.constant > alone.constant
    assert theorem.constant == pytest.approx((alone.constant + constant_of(part, 2)) / 2)
    assert corollary.constant == pytest.approx((printed.constant + constant_of(part, 2)) / 2)


def test_the_problems_of_traces_each_once() -> None:
    traces = [
        replace(curve(problem=name), click_model=users.to_dict(), n_positions=2)
        for name, users in (("a", STRICT), ("a", STRICT), ("b", TIED))
    ]
    assert problems_in(traces) == [Problem(STRICT, 2), Problem(TIED, 2)]


def test_regret_beside_its_bound_and_its_late_slope() -> None:
    trace = curve(n_games=2)  # regret of game g is (1 + g/10) ln t
    first, last = beside_bound(trace, Bound("unirank", "bound", 7.0))
    assert (first.round, last.round) == (1000, 10_000)
    assert last.mean == pytest.approx(1.05 * log(10_000))
    assert last.bound == 7 * log(10_000)
    assert last.standard_error == pytest.approx(0.05 * log(10_000))
    assert late_slope(trace) == pytest.approx(1.05)


def test_only_the_last_three_decades_make_the_late_slope() -> None:
    trace = curve(n_games=1)
    bent = np.where(trace.rounds < 10, 1000.0, 2 * np.log(trace.rounds))
    assert late_slope(replace(trace, regret=bent[None, :])) == pytest.approx(2.0)
    with pytest.raises(ArgumentError, match="n_rounds must have checkpoints to measure"):
        late_slope(replace(trace, rounds=np.array([10_000]), regret=np.array([[1.0]])))


@pytest.mark.parametrize("name", ["simul-pbm", "simul-cm"])
def test_unirank_stays_below_its_bound(name: str) -> None:
    (problem,) = problems_of(name).values()
    (bound,), _ = bounds_of([problem])
    users, n_positions = problem.users, problem.n_positions
    trace = simulate("unirank", users, n_positions=n_positions, n_rounds=10**6, n_games=5)
    rows = beside_bound(trace, bound)
    assert [row.round for row in rows] == [10**3, 10**4, 10**5, 10**6]
    assert all(row.mean < row.bound for row in rows)
    late = replace(trace, rounds=trace.rounds[-5:], regret=trace.regret[:, -5:])
    assert 0 < late_slope(late) < bound.constant
