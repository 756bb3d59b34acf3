"""Files that cannot be a log raise an error before they are read."""

from pathlib import Path

import pytest

from tests.logs.reading.writing import write_lines
from unirank.errors import ArgumentError
from unirank.logs.reading.log_file import estimated_rows, first_lines, is_parquet, log_file

LINES = [f"{n}\t0\tQ\t{n * n % 97}" for n in range(20_000)]


def cut(path: Path) -> Path:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    return path


def test_missing_empty_and_folder(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for name, message in (("none", "does not exist"), ("", "is not a file"), ("empty", "is empty")):
        with pytest.raises(ArgumentError, match=message):
            log_file(tmp_path / name)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_cannot_be_is_one_line(name: str) -> None:
    with pytest.raises(ArgumentError, match=r"^path must be a log file, "):
        log_file(name)


@pytest.mark.parametrize("content", [b"\n \n", b"", b"\xef\xbb\xbf"])
def test_blank_files_are_empty(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "log").write_bytes(content)
    with pytest.raises(ArgumentError, match=r"is empty$"):
        first_lines(log_file(tmp_path / "log"), 5)


@pytest.mark.parametrize("content", [bytes(range(128, 256)), b"a\tb\x00\n", b"\xff\n\xfe\n"])
def test_not_text(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "log").write_bytes(content)
    with pytest.raises(ArgumentError, match=r"is not text in UTF-8$"):
        first_lines(tmp_path / "log", 5)


def test_one_line_that_is_not_text_does_not_stop_the_log(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"a\xff\nb\n")
    assert first_lines(tmp_path / "log", 5) == ["a\ufffd", "b"]


@pytest.mark.parametrize("name", ["log.gz", "log.zst"])
def test_first_lines_of_compressed_files(tmp_path: Path, name: str) -> None:
    path = write_lines(tmp_path / name, LINES)
    assert first_lines(log_file(path), 3) == LINES[:3]
    assert 0.2 < estimated_rows(path, LINES) / len(LINES) < 5  # compression is guessed


def test_rows_are_estimated_from_the_size(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", LINES)
    assert estimated_rows(path, LINES) == len(LINES)


def test_a_cut_zst_file_is_not_the_end_of_the_log(tmp_path: Path) -> None:
    path = cut(write_lines(tmp_path / "log.zst", LINES))
    with pytest.raises(ArgumentError, match=r"is cut short or not zst data$"):
        log_file(path)


@pytest.mark.parametrize("name", ["log.gz", "log.zst"])
def test_a_name_that_promises_too_much(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("a\tb\n")
    with pytest.raises(ArgumentError, match=r"is cut short or not"):
        first_lines(log_file(tmp_path / name), 1)


def test_parquet_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"PAR1....")
    (tmp_path / "b").write_bytes(b"PA")
    assert (is_parquet(tmp_path / "a"), is_parquet(tmp_path / "b")) == (True, False)
