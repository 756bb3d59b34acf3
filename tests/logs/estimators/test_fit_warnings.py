import numpy as np

from unirank.logs.estimators.base import Evidence
from unirank.logs.estimators.fit_warnings import fit_warnings


def part(values: list[float], counts: list[float], scale: int = -1) -> Evidence:
    labels = [f"i{n}" for n in range(len(values))]
    return Evidence("attraction", "clicks", labels, np.array(values), np.array(counts), scale)


def test_what_is_well_inside_and_often_seen_raises_no_doubt() -> None:
    assert fit_warnings([part([0.5, 0.2], [100, 5000])]) == ()


def test_every_reason_is_one_line_that_names_and_counts() -> None:
    assert fit_warnings([part([0.5, 0.0, 1.0, 2.5, 0.5], [99, 100, 100, 100, 0])]) == (
        "attraction rests on fewer than 100 clicks for 1 of 5: i0 (99)",
        "attraction lies on the border of [0, 1] for 2 of 5: i1 (0), i2 (1)",
        "attraction exceeds 1 for 1 of 5: i3 (2.5)",
        "attraction has no clicks at all and is set to a default for 1 of 5: i4 (0.5)",
    )


def test_a_value_of_one_by_convention_is_not_on_a_border() -> None:
    assert fit_warnings([part([1.0, 0.4], [500, 500], scale=0)]) == ()


def test_a_long_list_is_cut() -> None:
    (line,) = fit_warnings([part([0.5] * 7, [1.0] * 7)])
    assert line.endswith("for 7 of 7: i0 (1), i1 (1), i2 (1), i3 (1), i4 (1) and 2 more")
