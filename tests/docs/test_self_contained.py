"""A page that loads something from elsewhere is found."""

from pathlib import Path

import pytest
from self_contained import check, outside


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<script defer src="//cdn.example/x.js"></script>',
        "<link rel=stylesheet href=https://cdn.example/x.css>",
        '<img alt="a" src="http://example.org/x.png">',
        "@font-face { src: url(https://fonts.example/x.woff2) }",
        '@import "https://fonts.example/x.css";',
    ],
)
def test_an_outside_address_is_found(text: str) -> None:
    (address,) = outside(text)
    assert address.startswith(("http", "//"))


def test_links_and_own_files_are_not() -> None:
    assert outside('<a href="https://example.org">x</a><img src="x.png"><link href="x.css">') == []
    assert outside('<math xmlns="http://www.w3.org/1998/Math/MathML"></math>') == []


def test_a_site_is_refused_with_the_page_and_the_address(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>fine</p>")
    check(tmp_path)
    (tmp_path / "bad.html").write_text('<img src="https://example.org/x.png">')
    with pytest.raises(ValueError, match=r"bad.html: https://example.org/x.png"):
        check(tmp_path)
