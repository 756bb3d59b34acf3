"""The fields of a line are where the layouts say."""

import pytest

from unirank.logs.reading.yandex.layout import LAYOUTS

LINES = {
    "yandex-search": ("34 7 Q page query terms item,5", "34 8 C page url"),
    "yandex-relpred": ("34 7 Q query region item", "34 8 C url"),
}


@pytest.mark.parametrize("format", sorted(LAYOUTS))
def test_fields(format: str) -> None:
    layout = LAYOUTS[format]
    page, click = (line.split() for line in LINES[format])
    assert (page[layout.query], page[layout.first_item][:4]) == ("query", "item")
    assert click[layout.clicked] == "url"
    assert ("," in page[layout.first_item]) == layout.with_domain
    if layout.page >= 0:
        assert page[layout.page] == click[layout.page] == "page"
    else:
        assert "page" not in page
