import asyncio
import io
import json
from typing import Any

import msgspec
import pyarrow.parquet
import pytest

from tests.server.stores import SETTINGS, view, visited
from unirank.server.api import (
    ClickReport,
    Holdout,
    ItemsChange,
    RankRequest,
)
from unirank.server.exports import FORMATS, Known, Named
from unirank.server.service import Service
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


def test_ubi_has_a_query_for_each_view_and_an_event_for_each_click() -> None:
    query, event = lines("ubi")  # and nothing of what is left out
    assert query["query_response_hit_ids"] == ["tea", "7"]
    assert (event["action_name"], event["query_id"]) == ("click", "ff")
    assert event["event_attributes"]["position"] == {"ordinal": 2}
    assert event["timestamp"] == "1970-01-01T00:00:03.250+00:00"


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_can_be_exported(name: str) -> None:
    assert isinstance(FORMATS[name][0]([], KNOWN), bytes)


def test_an_export_goes_on_at_its_cursor(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        await service.put_page("q", SETTINGS)
        first, cursor = await service.export("jsonl", 0, 1)
        second, cursor = await service.export("jsonl", cursor, 10)
        assert (b'"page":"p"' in first, b'"page":"q"' in second, cursor) == (True, True, 2)
        assert await service.export("jsonl", cursor, 10) == (b"", 2)

    asyncio.run(ask())


def test_an_item_and_a_view_have_the_same_numbers_in_every_chunk_for_obp(service: Service) -> None:
    async def ask() -> None:
        await service.put_page("p", msgspec.structs.replace(SETTINGS, holdout=Holdout(0.5)))
        await visited(service, 2)
        await service.change_items("p", ItemsChange(add=["e"], remove=["a"]))
        await visited(service, 20)
        whole, _ = await service.export("obp", 0, 100)
        chunks, cursor = [], 0
        for most in (2, 5, 100):
            content, cursor = await service.export("obp", cursor, most)
            chunks.append(msgspec.json.decode(content))
        found = msgspec.json.decode(whole)
        assert found["actions"] == {"p": ["a", "b", "c", "d", "e"]}
        assert max(found["action"]) == 4
        for name in ("slate_id", "action", "position", "reward", "pscore", "arm"):
            assert [value for chunk in chunks for value in chunk[name]] == found[name]

    asyncio.run(ask())


def test_a_click_is_exported_when_it_was_reported(service: Service, clock: list[float]) -> None:
    async def ask() -> None:
        await service.put_page("p", SETTINGS)
        shown = await service.rank("p", RankRequest())
        clock[0] += 5.0
        await service.clicks([ClickReport(shown.token, shown.items[:1])])
        clock[0] += 3600.0
        service.closing.once()
        lines = (await service.export("ubi", 0, 100))[0].splitlines()
        _, event = (msgspec.json.decode(line) for line in lines)
        assert event["timestamp"] == "2027-01-15T08:00:05.000+00:00"

    asyncio.run(ask())
