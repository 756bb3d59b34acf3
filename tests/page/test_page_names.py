"""A page of any name has a file of its own inside the folder."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unirank.errors import ArgumentError
from unirank.page.page_names import LONGEST_PART, SUFFIX, names_in, path_of

FOLDER = Path("pages")
NAMES = [
    "shoes",
    "Shoes",
    "SHOES",
    "..",
    ".",
    "/etc/passwd",
    "../../secret",
    "a/b",
    "a\\b",
    "C:\\x",
    "靴",
    "обувь",
    "👟" * 100,
    "con.unirank",
    "a b\n\x00",
    "%61",
    "a",
    "x" * LONGEST_PART,
    "x" * (LONGEST_PART + 1),
]


def test_names_of_any_script_come_back(tmp_path: Path) -> None:
    for name in NAMES:
        path = path_of(tmp_path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "UPPER.unirank").touch()  # not ours
    assert names_in(tmp_path) == set(NAMES)


def test_two_names_never_share_a_file_where_case_is_ignored() -> None:
    paths = {str(path_of(FOLDER, name)).lower() for name in NAMES}
    assert len(paths) == len(NAMES)


@given(st.text(min_size=1, max_size=80).filter(lambda name: name.isprintable()))
def test_a_file_name_is_plain_and_stays_inside(name: str) -> None:
    path = path_of(FOLDER, name)
    parts = path.relative_to(FOLDER).parts
    assert path.suffix == SUFFIX
    assert all(set(part) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_%.") for part in parts)
    assert all("." not in part for part in (*parts[:-1], path.stem))
    assert max(map(len, parts)) <= LONGEST_PART + len(SUFFIX)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "page must be named by a text that is not empty, got ''"),
        (7, "page must be named by a text that is not empty, got 7"),
        ("\ud800", "page must be named by Unicode text, got '\\ud800'"),
        ("x" * 1001, "page must have a name of at most 1000 bytes, got 1001: "),
    ],
)
def test_what_cannot_name_a_page_is_refused(name: str, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        path_of(FOLDER, name)
    assert str(caught.value).startswith(sentence)
