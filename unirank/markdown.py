"""Tables in Markdown."""

from collections.abc import Sequence


def markdown_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers_from: int | None = None
) -> str:
    """Return a table without a final newline; columns from `numbers_from` on align right."""
    first_number = len(header) if numbers_from is None else numbers_from
    rule = "".join("---|" if place < first_number else "---:|" for place in range(len(header)))
    lines = [header, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    top, *rest = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([top, f"|{rule}", *rest])
