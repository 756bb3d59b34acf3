"""The page of findings is that of the program, and names tests that are there."""

import re

import pytest

from tests.attack.findings import FINDINGS, ROOT

PAGE = (ROOT / "docs/development/first_attack.md").read_text()


@pytest.mark.parametrize("number", range(1, len(FINDINGS) + 1))
def test_a_finding_stands_on_the_page_and_is_held_by_a_test(number: int) -> None:
    finding = FINDINGS[number - 1]
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {number} | ")]
    assert row.startswith(f"| {number} | {finding.shown_by} | {finding.before} | ")
    assert row.endswith(f" | `{finding.held_by}` |")
    file, _, name = finding.held_by.partition("::")
    assert re.search(rf"^def {name}\b", (ROOT / "tests" / file).read_text(), re.MULTILINE)


def test_every_number_of_the_list_is_there() -> None:
    assert len(FINDINGS) == len(re.findall(r"^\| \d+ \| ", PAGE, re.MULTILINE)) == 19
