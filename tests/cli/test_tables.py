"""Numbers as people read them."""

from io import StringIO

import pytest
from rich.console import Console

from unirank import CM, simulate
from unirank.cli.tables import _cell, print_regret


@pytest.mark.parametrize(
    ("mean", "error", "cell"),
    [
        (12.34, 0.56, "12.3 ± 0.6"),
        (1234.5, 6.7, "1,234 ± 7"),
        (1_234_567.0, 890.0, "1,234.6k ± 890"),
        (12.34, None, "12.3"),
    ],
)
def test_cells(mean: float, error: float | None, cell: str) -> None:
    assert _cell({"mean": mean, "standard_error": error}) == cell


def test_a_row_per_policy_and_a_column_per_decade() -> None:
    trace = simulate("random", CM([0.5, 0.1]), n_positions=1, n_rounds=10_000, n_games=2)
    console = Console(width=100, record=True, file=StringIO())
    print_regret(console, "tiny: why?", [trace])
    text = console.export_text()
    assert "tiny: why?" in text
    assert [word for word in text.split() if word in ("1,000", "10,000", "random")] == [
        "1,000", "10,000", "random",
    ]  # fmt: skip
