"""Whatever is wrong with a file is one sentence."""

import hashlib
from pathlib import Path

import pytest

from unirank.errors import StateFileError
from unirank.page.split.split_file import HEADER, read_split


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a file of a unirank split"),
        (b"unirank state 2\n", "is not a file of a unirank split"),
        (b"unirank split 2\n" + bytes(40), "is made by a newer unirank"),
        (HEADER + bytes(40), "is corrupt or truncated: its checksum does not match"),
        (HEADER + hashlib.sha256(b"\x80").digest() + b"\x80", "is not a valid split: "),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "test.split"
    path.write_bytes(content)
    with pytest.raises(StateFileError) as caught:
        read_split(path)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(StateFileError, match=r"^cannot read .*: Not a regular file$"):
        read_split("/dev/zero")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StateFileError, match=r"^cannot read .*: No such file or directory$"):
        read_split(tmp_path / "none")
