"""A published file is found in the mirror, then in the cache, and must be the published one."""

import sys
from pathlib import Path

import pytest

from tests.lab.datasets.fakes import Publish, needs
from unirank.errors import ArgumentError, UnknownNameError
from unirank.lab.datasets.published_files import FILES, found, located, published_file


def test_the_mirror_comes_before_the_cache(mirror: Publish, cache: Path) -> None:
    path = mirror("kdd-pbm")
    cache.mkdir()
    (cache / path.name).write_bytes(path.read_bytes())
    assert located("kdd-pbm") == path
    path.unlink()
    assert found("kdd-pbm") == ("cache", cache / path.name)


def test_a_missing_file_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    with pytest.raises(ArgumentError) as caught:
        located("kdd-pbm")
    assert str(caught.value) == (
        "param_KDD.txt is not on this machine: run `unirank data fetch kdd-pbm`, "
        "or set UNIRANK_DATA to a folder that holds param_KDD.txt"
    )


def test_a_file_without_address_must_be_your_own_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNIRANK_DATA", raising=False)
    with pytest.raises(ArgumentError, match="set UNIRANK_DATA to the folder of your own copy"):
        located("yandex-relpred")


def test_an_altered_file_in_the_mirror_is_refused(mirror: Publish) -> None:
    path = mirror("kdd-pbm")
    path.write_text(path.read_text() + " ")
    with pytest.raises(
        ArgumentError, match=r"must be .*, got .*; replace it, or take it out of UN"
    ):
        located("kdd-pbm")


def test_an_altered_file_in_the_cache_is_to_be_fetched_again(cached: Publish) -> None:
    cached("kdd-pbm").write_text("{}")
    with pytest.raises(ArgumentError, match=r"SHA-256.*run `unirank data fetch kdd-pbm`"):
        located("kdd-pbm")


def test_a_file_that_cannot_be_read_is_one_line(
    mirror: Publish, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror("kdd-pbm")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ArgumentError, match=r"cannot read '.*KDD.txt': Permission denied"):
        located("kdd-pbm")


def test_an_unknown_file_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'kdd-pbm'"):
        published_file("kdd-pmb")


def test_the_mirror_needs_no_pooch(mirror: Publish, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)  # as if it were not installed
    path = mirror("kdd-pbm")
    assert located("kdd-pbm") == path
    assert found("yandex-pbm") is None


def test_addresses_are_pinned_to_a_commit() -> None:
    for each in FILES.values():
        assert len(each.sha256) == 64
        if each.address:
            commit = each.address.split("/")[5]
            assert len(commit) == 40
            assert each.address.endswith(each.file)


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(name)) for name in FILES])
def test_the_real_files_have_the_pinned_sums(name: str) -> None:
    assert located(name).name == FILES[name].file
