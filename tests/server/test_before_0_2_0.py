"""A service of the version before 0.2.0 left a log and snapshots: they give the state it had.

`before_0_2_0/service.msgpack.zlib` holds, by policy: the log of one page (late clicks, available
items, items added and removed), a snapshot of its middle, and one of its end.
"""

import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from unirank.server.learner import FoldedPolicy, Learner, Snapshot
from unirank.server.store.store import Entry, PageRow
from unirank.server.view import View

ROW = PageRow(1, "page", 7, b"")
PACKED = (Path(__file__).parent / "before_0_2_0" / "service.msgpack.zlib").read_bytes()
PAGES: dict[str, Any] = msgspec.msgpack.decode(zlib.decompress(PACKED))


def entries_of(policy: str) -> list[Entry]:
    found = []
    for one in map(msgspec.msgpack.decode, PAGES[policy]["entries"]):
        shown = one.pop("impression")  # its name then
        one["view"] = None if shown is None else msgspec.convert(shown, View)
        found.append(Entry(**{**one, "clicks": tuple(one["clicks"])}))
    return found


def fields(state: bytes) -> Any:
    """What a snapshot says; arrays by their bytes."""
    return msgspec.msgpack.decode(state, type=Snapshot)


def last_of(policy: str) -> Any:
    """The last snapshot of that version, with the option that MatchRank has had since."""
    found = fields(PAGES[policy]["last"])
    if policy == "matchrank":
        found.policy.options["least_doubt"] = 0.0
    return found


@pytest.mark.parametrize("policy", sorted(PAGES))
def test_the_log_gives_the_state_of_the_version_before(policy: str) -> None:
    learner = Learner(ROW)
    for entry in entries_of(policy):
        learner.fold(entry)
    assert learner.round > 200
    assert fields(learner.to_bytes()) == last_of(policy)


@pytest.mark.parametrize("policy", sorted(PAGES))
def test_its_snapshot_goes_on_to_the_same_state(policy: str) -> None:
    cursor = PAGES[policy]["cursor"]
    learner = Learner.from_bytes(ROW, cursor, PAGES[policy]["half"])
    for entry in entries_of(policy)[cursor:]:
        learner.fold(entry)
    assert fields(learner.to_bytes()) == last_of(policy)


def test_the_version_before_finds_all_it_needs_in_a_snapshot_of_now() -> None:
    learner = Learner(ROW)
    for entry in entries_of("unirank"):
        learner.fold(entry)
    written, before = (
        msgspec.msgpack.decode(s) for s in (learner.to_bytes(), PAGES["unirank"]["last"])
    )
    assert set(before["policy"]) <= set(written["policy"])
    needed = {f.encode_name for f in msgspec.structs.fields(FoldedPolicy) if f.required}
    assert {"round"} <= needed
