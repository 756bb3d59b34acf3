from io import StringIO

from rich.console import Console

from unirank.cli.output import say, table


def printed(content: object) -> list[str]:
    console = Console(width=60, file=StringIO(), record=True)
    console.print(content)
    return [line.rstrip() for line in console.export_text().splitlines() if line.strip()]


def test_numbers_align_right_and_cells_are_no_markup() -> None:
    lines = printed(table(["name", "n"], [["[b]x", "1"], ["y", "1,000"]], title="Counts"))
    assert lines[0] == "Counts"
    assert lines[-2:] == ["  [b]x      1", "  y     1,000"]


def test_texts_align_left() -> None:
    assert printed(table(["a", "b"], [["x", "y"]], numbers_from=None))[-1].split() == ["x", "y"]


def test_a_line_is_printed_as_it_is() -> None:
    console = Console(width=20, file=StringIO(), record=True)
    line = "wrote [b]/a/very/long/path/that/is/not/wrapped.md"
    say(console, line)
    assert console.export_text() == f"{line}\n"
