"""Data sets and fitted files described on the console."""

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

SHOWN = 10  # queries in the text; --json has them all


def print_description(console: Console, report: dict[str, Any]) -> None:
    """The facts, then the anomalies by kind; one that is everywhere needs no list of queries."""
    keys = ("name", "about", "licence", "path", "click model", "queries")
    print_facts(console, {key: report[key] for key in keys}, report["ranges"])
    kinds = dict.fromkeys(each["kind"] for each in report["anomalies"])
    for kind in kinds:
        hits = [each for each in report["anomalies"] if each["kind"] == kind]
        count = len({each["query"] for each in hits})
        console.print(f"\n{kind}: {count} of {report['queries']} queries", highlight=False)
        if count == report["queries"] and len({each["text"] for each in hits}) == 1:
            console.print(f"  all: {hits[0]['text']}", highlight=False)
            continue
        for each in hits[:SHOWN]:
            console.print(f"  {each['query']}: {each['text']}", highlight=False)
        if len(hits) > SHOWN:
            console.print(f"  and {len(hits) - SHOWN} more (--json has all)", highlight=False)
    if not kinds:
        console.print("\nno anomalies")


def print_fitted(console: Console, report: dict[str, Any]) -> None:
    """The source, then each click model with its ranges and the items of its first queries."""
    print_facts(console, {"path": report["path"], **report["source"]}, {})
    for model, fits in report["models"].items():
        console.print()
        facts = {"click model": model, "queries": fits["queries"]}
        print_facts(console, facts, fits["ranges"])
        for query, items in list(fits["items"].items())[:SHOWN]:
            ids = ", ".join(str(item) for item in items)
            console.print(f"  {query}: {ids}", highlight=False, markup=False)
        if fits["queries"] > SHOWN:
            console.print(f"  and {fits['queries'] - SHOWN} more (--json has all)")
        for query, texts in fits["warnings"].items():
            for text in texts:
                console.print(f"  warning of {query}: {text}", highlight=False, markup=False)


def print_facts(
    console: Console, facts: dict[str, Any], ranges: dict[str, tuple[float, float]]
) -> None:
    grid = Table.grid(padding=(0, 2))
    for key, value in facts.items():
        grid.add_row(Text(key), Text(str(value)))
    for key, (low, high) in ranges.items():
        grid.add_row(key, f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}")
    console.print(grid, highlight=False)
