import io
import json
from typing import Any

import pyarrow.parquet
import pytest

from tests.server.stores import view
from unirank.server.exports import FORMATS, Known, Named
from unirank.server.store.store import Click, Entry


def entries() -> list[Named]:
    shown = view(255, items=["tea", 7], session=b"\x0a", propensity=0.25, available=[7, "x"])
    unknown = view(2, propensity=None)
    return [
        ("shop", Entry(1, 1, 5.0, None, (), {"add": ["x"]}, False)),
        ("shop", Entry(2, 1, 6.5, shown, (1,), None, False)),
        ("shop", Entry(3, 1, 7.0, unknown, (), None, True)),
    ]


KNOWN = Known({1: ["mug", 7, "tea", "a", "b"]}, {Click(255, 1): 3.25})


def written(name: str) -> bytes:
    return FORMATS[name][0](entries(), KNOWN)


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written(name).splitlines()]


def test_jsonl_has_every_entry() -> None:
    change, outcome, left_out = lines("jsonl")
    assert change == {"number": 1, "page": "shop", "at": 5.0, "change": {"add": ["x"]}}
    assert (outcome["ranking"], outcome["items"], outcome["clicks"]) == ("ff", ["tea", 7], [7])
    assert (outcome["session"], outcome["propensity"]) == ("0a", 0.25)
    assert left_out["left_out"] is True


def test_parquet_has_the_outcomes() -> None:
    table = pyarrow.parquet.read_table(io.BytesIO(written("parquet")))
    assert table.num_rows == 2
    assert table["items"].to_pylist()[0] == ["tea", "7"]
    assert table["clicks"].to_pylist() == [["7"], []]
    assert table["items_json"].to_pylist()[0] == '["tea",7]'
    assert table["available"].to_pylist() == [["7", "x"], None]


def test_obp_has_a_row_for_each_item_with_a_known_chance() -> None:
    found = json.loads(written("obp"))
    assert (found["n_rounds"], found["n_unique_action"]) == (1, 5)
    assert (found["slate_id"], found["position"]) == ([255, 255], [0, 1])
    assert (found["page"], found["arm"]) == (["shop"] * 2, ["learner"] * 2)
    assert (found["action"], found["actions"]["shop"][:3]) == ([2, 1], ["mug", 7, "tea"])
    assert (found["reward"], found["pscore"]) == ([0, 1], [0.25, 0.25])


def test_ubi_has_a_query_for_each_list_and_an_event_for_each_click() -> None:
    query, event = lines("ubi")  # and nothing of what is left out
    assert query["query_response_hit_ids"] == ["tea", "7"]
    assert (event["action_name"], event["query_id"]) == ("click", "ff")
    assert event["event_attributes"]["position"] == {"ordinal": 2}
    assert event["timestamp"] == "1970-01-01T00:00:03.250+00:00"


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_can_be_exported(name: str) -> None:
    assert isinstance(FORMATS[name][0]([], KNOWN), bytes)
