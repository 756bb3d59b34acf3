"""How long our files and functions are: `python -m tests.sizes` prints the report."""

import ast
from pathlib import Path
from statistics import median, quantiles

PACKAGE = Path(__file__).parent.parent / "unirank"
SOURCES = sorted(p for p in PACKAGE.rglob("*.py") if not p.name.startswith("__"))
TREES = {path: ast.parse(path.read_text()) for path in SOURCES}


def functions() -> list[ast.FunctionDef]:
    return [n for tree in TREES.values() for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]


def file_lengths() -> list[int]:
    return [len(path.read_text().splitlines()) for path in SOURCES]


def function_lengths() -> list[int]:
    return [(node.end_lineno or 0) - node.lineno + 1 for node in functions()]


def report() -> str:
    """Median, ninth decile and maximum of both."""
    rows = []
    for kind, lengths in (("files", file_lengths()), ("functions", function_lengths())):
        middle, high, most = median(lengths), quantiles(lengths, n=10)[-1], max(lengths)
        rows.append(f"{len(lengths):4} {kind:9} lines: {middle:.0f} / {high:.0f} / {most}")
    return "\n".join(rows)


if __name__ == "__main__":
    print(report())  # noqa: T201 - a report is for printing
