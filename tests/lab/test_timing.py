"""The table of times: one row per policy, beside plain Python and the paper."""

from tests.lab.small import SMALL
from unirank.lab.speed import RoundTime
from unirank.lab.timing import HEADER, Timing, time_policies


def test_rows_have_every_time_there_is_the_fastest_first() -> None:
    compiled = [RoundTime("unirank", "x", 2000.0, 50.0), RoundTime("random", "x", 50.0, 50.0)]
    timing = Timing("x", compiled, {"unirank": 400_000.0})
    assert timing.rows() == [
        ("random", "50", "1.0", "", ""),
        ("unirank", "2,000", "40.0", "400", "1.0"),
    ]
    assert len(HEADER) == 5


def test_each_policy_of_an_experiment_is_measured_once() -> None:
    timing = time_policies(SMALL, 100)
    assert [speed.policy for speed in timing.compiled] == ["unirank", "toprank"]
    assert all(speed.nanoseconds > 0 for speed in timing.compiled)
    assert timing.problem == "cm, 3 items, 2 positions, one problem"
