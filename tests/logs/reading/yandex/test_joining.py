"""Joins and compiled code read the same in logs full of mistakes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.logs.reading.writing import assert_same, write_lines
from tests.logs.reading.yandex.conftest import by_joins
from unirank.logs.reading.log import read_statistics

OPTIONS: list[dict[str, Any]] = [{}, {"n_queries": 2}, {"held_out": 0.4}, {"n_positions": 2}]


def messy_lines(format: str, seed: int) -> list[str]:
    """Sessions of a few pages and clicks: copies, gaps, clicks on nothing, broken lines."""
    rng = np.random.default_rng(seed)

    def one_of(*choices: str) -> str:
        return str(rng.choice(choices))

    def item() -> str:
        return one_of("a", "b", "c", "cc", "é", "a b", *([""] * (rng.random() < 0.1)))

    lines = []
    for session in range(60):
        for _ in range(int(rng.integers(1, 7))):
            time, page = one_of("0", "5", "10", "x", "007"), one_of("0", "1")
            query, size = one_of("q", "r", "~", "ß"), int(rng.integers(1, 5))
            if rng.random() < 0.5:
                shown = [item() for _ in range(size)]
                domains = [f"{name},{one_of('1', '2')}" for name in shown]
                search = [one_of("Q", "Q", "T"), page, query, "1", *domains]
                fields = search if format == "yandex-search" else ["Q", query, "0", *shown]
            else:
                fields = ["C", page, item()] if format == "yandex-search" else ["C", item()]
            line = [f"s{session}", time, *fields]
            lines.append(
                "\t".join(line[: int(rng.integers(1, 4))] if rng.random() < 0.05 else line)
            )
        if rng.random() < 0.1:
            lines.append(one_of("", "\t", f"s{session}\tM\t1\t2", f"s{session}\t0\tX\ta\tb"))
    return lines


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("format", ["yandex-relpred", "yandex-search"])
def test_both_readings_agree(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    format: str,
    seed: int,
    options: dict[str, Any],
) -> None:
    path = write_lines(tmp_path / "log", messy_lines(format, seed))
    given = {"models": ["pbm", "ubm"], "max_bad": 1.0, "n_threads": 1, **options}
    found = read_statistics(path, format=format, **given)
    by_joins(monkeypatch)
    same = read_statistics(path, format=format, **given)
    assert found.bad.counts == same.bad.counts
    assert len(found.bad.counts) > 4  # the log is as messy as it should be
    assert (found.n_rows, found.n_test_pages) == (same.n_rows, same.n_test_pages)
    for name in ("queries", "held_out", "held_out_pages"):
        assert_same(getattr(found, name), getattr(same, name))
