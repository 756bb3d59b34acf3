"""What the first attack found is held by tests that are there."""

import re

import pytest

from tests.attack.findings import FINDINGS, ROOT, Finding


@pytest.mark.parametrize("finding", FINDINGS, ids=[finding.held_by for finding in FINDINGS])
def test_a_finding_is_held_by_a_test(finding: Finding) -> None:
    file, _, name = finding.held_by.partition("::")
    assert re.search(rf"^def {name}\b", (ROOT / "tests" / file).read_text(), re.MULTILINE)
