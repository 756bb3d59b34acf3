"""What the pages of a Yandex log are put together from, and what is left over."""

from pathlib import Path

import pytest

from tests.logs.reading.writing import random_sessions, relpred_lines, write_lines
from unirank.errors import ArgumentError
from unirank.logs.reading.log import read_statistics

SESSIONS = random_sessions(40, seed=3)
pytestmark = pytest.mark.usefixtures("reading")


def test_a_page_logged_twice_is_left_out_with_its_copies(tmp_path: Path) -> None:
    lines = relpred_lines(SESSIONS, pages_per_session=1)
    copies = [line for line in lines if line.split("\t")[0] in ("0", "1", "2")]
    pages = [line for line in copies if "\tQ\t" in line]
    path = write_lines(tmp_path / "log", [*lines, *copies])
    found = read_statistics(path, format="yandex-relpred", models=["pbm"], n_threads=1, max_bad=1)
    assert found.bad.counts == {"page logged twice": 2 * len(pages)}
    assert sum(each.n_sessions for each in found.queries) == len(SESSIONS) - len(pages)


def test_lines_of_other_sessions_are_not_put_together(tmp_path: Path) -> None:
    lines = ["1\t0\tQ\t7\t0\ta", "3\t0\tQ\t7\t0\ta", "2\t0\tQ\t8\t0\tb", "2\t1\tC\tnowhere"]
    path = write_lines(tmp_path / "log", lines)
    options = {"format": "yandex-relpred", "models": ["pbm"], "n_threads": 1, "max_bad": 1.0}
    assert read_statistics(path, **options).bad.n_bad == 1  # type: ignore[arg-type]
    one = read_statistics(path, **options, n_queries=1)  # type: ignore[arg-type]
    assert [each.query for each in one.queries] == ["7"]
    assert one.bad.n_bad == 0


def test_a_click_on_nothing_is_not_on_a_gap(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", ["1\t0\tQ\t7\t0\ta\t\tb", "1\t1\tC\t", "2\t0\tQ\t7\t0\ta"])
    found = read_statistics(path, format="yandex-relpred", models=["pbm"], n_threads=1, max_bad=1)
    assert found.bad.counts == {"gap in the page": 1, "click without a query": 1}


def test_a_log_of_clicks_only_has_no_page(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", ["1\t0\tC\t7"])
    with pytest.raises(ArgumentError, match=r"^the log has no page$"):
        read_statistics(path, format="yandex-relpred", models=["pbm"], n_threads=1)
