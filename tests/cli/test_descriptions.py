"""What is odd is told by kind, and a kind that is everywhere without a list of queries."""

from typing import Any

import pytest
from rich.console import Console

from unirank.cli.descriptions import SHOWN, print_description, print_facts, print_fitted

REPORT: dict[str, Any] = {
    "name": "mine",
    "about": "Nothing.",
    "licence": "none",
    "path": "here",
    "click model": "cm",
    "queries": 20,
    "ranges": {"attraction": (0.1, 0.5), "abandon": (0.25, 0.25)},
}


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_facts_and_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    print_facts(Console(width=80), {"[b]log": "[i]x"}, REPORT["ranges"])
    assert printed(capsys) == ["[b]log      [i]x", "attraction  0.1 to 0.5", "abandon     0.25"]


def test_anomalies_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    odd = [{"kind": "odd", "query": str(n), "text": f"so {n}"} for n in range(SHOWN + 2)]
    same = [{"kind": "same", "query": str(n), "text": "as all"} for n in range(20)]
    print_description(Console(width=80), {**REPORT, "anomalies": odd + same})
    lines = printed(capsys)
    start = lines.index("odd: 12 of 20 queries")
    assert lines[start + 1 : start + 1 + SHOWN] == [f"  {n}: so {n}" for n in range(SHOWN)]
    assert "  and 2 more (--json has all)" in lines
    assert lines[-2:] == ["same: 20 of 20 queries", "  all: as all"]
    print_description(Console(width=80), {**REPORT, "anomalies": []})
    assert printed(capsys)[-1] == "no anomalies"


def test_ids_of_a_fitted_file_are_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    model = {
        "queries": 1,
        "ranges": REPORT["ranges"],
        "items": {"[b]q": ["[i]", 7]},
        "warnings": {"[b]q": ["[u]few"]},
    }
    print_fitted(Console(width=80), {"path": "f.json", "source": {}, "models": {"cm": model}})
    assert printed(capsys)[-2:] == ["  [b]q: [i], 7", "  warning of [b]q: [u]few"]
