"""A plain policy in one file of a user's own, which explains itself, is found everywhere."""

import asyncio
import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, unirank
from tests.lab.plots.looks import illegible, words
from tests.server.dashboard.web import HX, dashboard
from tests.server.stores import RankRequest
from unirank import ArgumentError
from unirank.lab import plots
from unirank.lab.plots.theme import SURE
from unirank.policies import registry
from unirank.server.api import ClickReport, PageSettings
from unirank.server.service import Service

ITEMS = ["tea", "mug", "pot", "jar"]
LIKED = {"mug": 1, "pot": 2, "tea": 4, "jar": 50}  # clicked in each n-th list

__all__ = ["unirank"]  # a fixture


@pytest.fixture
def popular() -> Iterator[Any]:
    """The class, registered as long as the test lasts."""
    module = importlib.import_module("tests.popular")
    importlib.reload(module)
    yield module.Popular
    registry.remove("popular")


def liked(shown: Any, n: int) -> list[Any]:
    return [item for item in shown if n % LIKED[item] == 0]


@pytest.fixture
def policy(popular: Any) -> Any:
    found = popular(ITEMS, 2, seed=1)
    for n in range(200):
        shown = found.rank()
        found.update(shown, liked(shown.items, n))
    return found


def test_it_is_listed(popular: Any, unirank: Run) -> None:
    code, out, _ = unirank("list", "policies", "--json")
    assert code == 0
    (row,) = [row for row in json.loads(out)["policies"] if row["name"] == "popular"]
    assert row["what it does"].startswith("Shows what is clicked most")
    assert row["lists"] == "by click rate"


def test_it_is_told_in_its_own_words(policy: Any) -> None:
    told = str(policy.explain()).splitlines()
    assert told[0] == "order: mug > pot"
    assert "Liked most, shown first." in told
    assert "Each item is compared with the next by its share of clicks." in told
    assert "    90 %  The order now. Most visitors see what was liked so far." in told
    assert "    10 %  A stranger. Somebody has to see it first. Such as" in told[-1]


def test_it_is_drawn(policy: Any) -> None:
    leader = plots.leader(policy)
    names = [label.get_text() for label in leader.axes[0].get_yticklabels()]
    assert names[:2] == ["mug", "pot"]
    assert set(names) == set(ITEMS)
    assert leader.get_suptitle() == "Leader of Popular after 200 rounds"
    assert len(leader.axes) == 1  # nothing is believed of positions
    assert illegible(leader) == []
    tests = plots.pair_tests(policy)
    found = policy.explanation().pairs
    assert [bar.get_width() for bar in tests.axes[0].patches] == [one.strength for one in found]
    assert f"{found[0].wins:.0f} of {found[0].comparisons:.0f}" in words(tests)
    assert illegible(tests) == []
    assert SURE in {_hex(bar) for bar in tests.axes[0].patches}


def _hex(bar: Any) -> str:
    to_hex = pytest.importorskip("matplotlib.colors").to_hex
    return str(to_hex(bar.get_facecolor())).upper()


def test_what_it_does_not_explain_is_not_drawn(policy: Any) -> None:
    with pytest.raises(ArgumentError, match="Popular gives no table of every pair"):
        plots.pairs(policy)
    with pytest.raises(ArgumentError, match="Popular gives no table of every pair"):
        plots.iteration(policy)


def test_it_is_on_the_dashboard_and_can_be_frozen(popular: Any, tmp_path: Path) -> None:
    async def play(service: Service) -> None:
        await service.put_page("p", PageSettings([*ITEMS], 2, policy="popular", window_s=1e-6))
        for n in range(120):
            shown = await service.rank("p", RankRequest())
            await service.clicks([ClickReport(shown.token, liked(shown.items, n), final=True)])

    with dashboard(tmp_path) as (service, client):
        asyncio.run(play(service))
        service.closing.once()
        page = client.get("/v1/pages/p").json()
        assert page["leader"] == [["mug"], ["pot"]]
        assert 0.02 < page["exploration_share"] < 0.25
        text = re.sub(r"\s+", " ", client.get("/pages/p").text)
        for own in (
            "Liked most, shown first.",
            "Each item is compared with the next by its share of clicks.",
            "<b>The order now</b>. Most visitors see what was liked so far.",
            "<b>A stranger</b>. Somebody has to see it first.",
            "<b>mug</b> over pot",
            "against items that are not on the page",
        ):
            assert own in text
        assert text.count('<span class="share">') == 2
        assert 'aria-label="click rate 0.' in text
        assert "popular gives no" not in text
        frozen = client.post("/pages/p/mode", data={"mode": "frozen"}, headers=HX).text
        assert "Learn again" in frozen
        assert client.get("/v1/pages/p").json()["frozen"][:2] == ["mug", "pot"]
