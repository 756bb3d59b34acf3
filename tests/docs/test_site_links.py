"""Links to files of the checkout become links to the pages that are made from them."""

import re

import pytest
from site_links import FIGURE, as_in_the_site, page_of, pages_of_classes

from tests.docs.sources import GENERATED, ROOT, WRITTEN


@pytest.mark.parametrize(
    ("folder", "written", "site"),
    [
        ("", "[a](../examples)", "[a](gallery/index.rst)"),
        (
            "how_to",
            "[a](../../unirank/policies/papers.py)",
            "[a](../reference/generated/plain_editions.md)",
        ),
        ("how_to", "[a](../../examples/08_read_a_trace.py)", "[a](../gallery/08_read_a_trace.rst)"),
        ("how_to", "[a](late_clicks.md#tokens)", "[a](late_clicks.md#tokens)"),
        (
            "tutorial",
            "<!-- figure: examples/10_inside_unirank.py 2 60% One round -->",
            '![One round](../gallery/images/sphx_glr_10_inside_unirank_002.png){width="60%"}',
        ),
    ],
)
def test_a_file_becomes_the_page_that_is_made_from_it(folder: str, written: str, site: str) -> None:
    assert as_in_the_site(written, folder) == site


def test_every_class_has_its_own_page() -> None:
    pages = pages_of_classes()
    assert page_of("unirank/policies/uni_rank/policy.py").endswith("/policies/unirank.md")
    assert {page.removeprefix("reference/generated/") for page in pages.values()} <= set(GENERATED)


def test_every_figure_is_that_of_an_example() -> None:
    for path in WRITTEN:
        comments = re.findall(r"<!-- figure.*?-->", path.read_text(), re.DOTALL)
        for comment in comments:
            found = FIGURE.fullmatch(comment)
            assert found is not None, comment
            assert (ROOT / f"examples/{found[1]}.py").is_file()
