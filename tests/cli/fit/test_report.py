"""The printed numbers, bad lines and warnings."""

from dataclasses import replace
from io import StringIO

import numpy as np
from rich.console import Console

from unirank.cli.fit.report import MOST_WARNINGS, print_comparison, print_fits, print_log
from unirank.logs.estimators import Fit
from unirank.logs.fitted_log import ModelComparison
from unirank.logs.prediction import Prediction
from unirank.logs.reading import LogStatistics
from unirank.logs.reading.bad_kinds import GAP, TOO_FEW, TWICE
from unirank.logs.reading.bad_lines import BadLines

FIT = Fit(
    query="q",
    estimator="pbm",
    click_model="pbm",
    items=("x",),
    parameters={},
    log_likelihood=(-20.0, -10.5),
    n_starts=1,
    settled=False,
    impressions=np.array([5]),
    groups=np.zeros(1, np.int64),
    warnings=("rests on little",),
)


def printed(function: object, *arguments: object, **options: object) -> str:
    text = StringIO()
    function(Console(file=text, width=120), *arguments, **options)  # type: ignore[operator]
    return text.getvalue()


def test_bad_lines_are_shown_by_kind_with_examples() -> None:
    bad = BadLines({"too few fields": 3}, {"too few fields": ("1 2", "3 [red]")}, 2000)
    out = printed(print_log, LogStatistics([], [], [], bad, 2000, 7, None, 0.5))
    assert "read 2,000 rows in 0.5 s (4,000 rows/s)" in out
    assert "7 test pages left out" in out
    assert "left out 3 lines: too few fields\n    1 2\n    3 [red]\n" in out


def test_whole_sessions_are_not_called_lines() -> None:
    bad = BadLines({GAP: 4, TWICE: 1, TOO_FEW: 1}, {}, 2000)
    out = printed(print_log, LogStatistics([], [], [], bad, 2000, 0, None, 0.5))
    assert "left out 4 sessions: a position is missing\n" in out
    assert "left out 1 session: position filled twice\n" in out
    assert "left out 1 line: too few fields\n" in out


def test_fits_are_added_up_and_warnings_cut() -> None:
    many = [replace(FIT, query=str(n)) for n in range(MOST_WARNINGS + 3)]
    out = printed(print_fits, {"pbm": many}, iterations=False)
    (row,) = [line.split() for line in out.splitlines() if line.strip().startswith("pbm ")][:1]
    assert row == ["pbm", "13", "-136.5", "up", "to", "1", "13", "13"]
    assert out.count("careful: ") == MOST_WARNINGS + 1
    assert "careful: 3 more warnings" in out


def test_what_can_be_compared_is_said() -> None:
    only = printed(print_fits, {"pbm": [FIT]}, iterations=False)
    assert "only numbers of the same log can be compared" in only
    assert "first click" not in only
    assert "not settled: still improving after the last step; try --max-iterations" in only
    settled = replace(FIT, settled=True)
    both = printed(print_fits, {"pbm": [settled], "cm": [settled]}, iterations=False)
    assert "cm counts each session down to its first click, where its users leave: its" in both
    assert "still improving" not in both


def test_what_a_model_holds_impossible_is_explained() -> None:
    sums = Prediction(*(np.ones(2) for _ in Prediction._fields))
    certain = printed(print_comparison, [ModelComparison("pbm", -1.25, sums)])
    assert "-1.2500" in certain
    assert "impossible" not in certain
    out = printed(print_comparison, [ModelComparison("pbm", float("-inf"), sums)])
    assert "-inf: a click that the model holds impossible" in out
