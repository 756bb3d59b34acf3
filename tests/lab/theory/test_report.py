import json
from math import log

from unirank.lab.theory.report import examine
from unirank.users import CM, DBN, PBM


def test_a_report_is_plain_data() -> None:
    report = examine(PBM([0.5, 0.3, 0.1], [1, 0.5]), 2)
    said = json.loads(json.dumps(report.to_dict()))
    assert said["click_model"] == "pbm"
    assert said["order"] == [[0], [1], [2]]
    assert [each["holds"] for each in said["assumptions"]] == [True] * 4
    assert [each["number"] for each in said["assumptions"]] == ["3.1", "3.1*", "3.2", "3.3"]
    assert [gap["k"] for gap in said["gaps"]] == [2, 3]
    constant = sum(gap["constant"] for gap in said["gaps"])
    (bound,) = said["bounds"]
    assert bound["constant"] == constant
    assert bound["at"]["1000000"] == constant * log(10**6)
    assert list(bound["at"]) == [str(10**k) for k in range(3, 10)]
    assert said["n_dead_ends"] == 0
    assert said["why_no_bound"] == ""
    assert said["most_exceptions"] == 0


def test_what_does_not_hold_comes_with_its_counter_example() -> None:
    said = examine(DBN([0.6, 0.5, 0.4], [0.9, 0.1, 0.1], 0.05), 2).to_dict()
    (broken,) = [each for each in said["assumptions"] if not each["holds"]]
    assert broken["counter_example"]["rankings"] == ((0, 1), (1, 0))
    assert said["gaps"] == said["bounds"] == []
    assert said["why_no_bound"].startswith("assumption 3.2")
    assert said["n_dead_ends"] is None
    assert not said["theorem_applies"]
    assert said["lists"]["most_clicked"]["ranking"] == (1, 0)


def test_leaders_of_many_items_are_not_tried() -> None:
    assert examine(CM([0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]), 2).n_dead_ends is None
    assert examine(CM([0.6, 0.5, 0.4, 0.3, 0.2, 0.1]), 2).n_dead_ends == 0
