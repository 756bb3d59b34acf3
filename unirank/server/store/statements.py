"""SQL in the open: named statements of a dialect, and its numbered migrations."""

import re
from pathlib import Path

HERE = Path(__file__).parent


def statements(dialect: str) -> dict[str, str]:
    """Statements of `DIALECT.sql`, by the name in the comment above each."""
    parts = re.split(r"^-- name: (\w+)$", (HERE / f"{dialect}.sql").read_text(), flags=re.M)
    return dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))


def migrations(dialect: str) -> list[tuple[int, str]]:
    """Number and text of each migration, in order."""
    files = sorted((HERE / "migrations").glob(f"*.{dialect}.sql"))
    return [(int(file.name.split("_")[0]), file.read_text()) for file in files]
