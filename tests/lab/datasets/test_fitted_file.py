"""A fitted file comes back as it was written, and what is wrong in one is told in one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lab.datasets.fitted import CONTENT, MODELS, SHOES, saved, spoilt, without
from unirank.errors import ArgumentError
from unirank.lab.datasets import FittedQuery, fitted_file, read_fitted, write_fitted
from unirank.users import PBM, registry

PBMS, QUERY = ("models", "pbm"), ("models", "pbm", "shoes")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_fitted(tmp_path / "f.json", MODELS, source=CONTENT["source"])
    assert json.loads((tmp_path / "f.json").read_text()) == CONTENT
    found = read_fitted(tmp_path / "f.json")
    assert found.models == MODELS
    assert found.source == CONTENT["source"]


def test_a_query_is_made_of_a_click_model(tmp_path: Path) -> None:
    users = PBM([0.1, 0.3], [1.0, 0.5])
    made = FittedQuery.of(users, ["x", "y"], n_sessions=3)
    assert made == FittedQuery(
        ("x", "y"), {"attraction": [0.1, 0.3], "examination": [1.0, 0.5]}, {"n_sessions": 3}
    )
    write_fitted(tmp_path / "f.json", {"pbm": {"q": made}}, source={})
    assert read_fitted(tmp_path / "f.json").models["pbm"]["q"] == made


def test_what_is_fitted_are_the_arguments_of_every_click_model() -> None:
    for name in set(registry.names()) - {"segments"}:
        assert "attraction" in fitted_file.parameters_of(name)
    assert fitted_file.parameters_of("pbm") == ["attraction", "examination"]


def test_the_digest_follows_items_and_parameters_only(tmp_path: Path) -> None:
    digest = read_fitted(saved(tmp_path / "f.json")).digest()
    for same in (spoilt("source", value={}), spoilt(*QUERY, "n_sessions", value=81)):
        assert read_fitted(saved(tmp_path / "f.json", same)).digest() == digest
    for other in (
        spoilt(*QUERY, "items", value=["a", "b", 8]),
        spoilt(*QUERY, "attraction", value=[0.1, 0.3, 0.21]),
        without("models", "dbn"),
        without(*QUERY),
    ):
        assert read_fitted(saved(tmp_path / "f.json", other)).digest() != digest


IN_SHOES = "model 'pbm', query 'shoes'"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([], "is not a fitted file: its 'format' must be"),
        ({}, "is not a fitted file: its 'format' must be 'unirank fitted click models'"),
        (spoilt("version", value=2), "'version' must be 1, got 2"),
        (spoilt("version", value=True), "'version' must be 1, got True"),
        (without("source"), "missing key of 'f.json': 'source'"),
        (spoilt("sources", value={}), "unknown key of 'f.json': 'sources'; did you mean 'source'?"),
        (spoilt("source", value=3), "'source' must be a JSON object, got 3"),
        (spoilt("models", value=[]), "'models' must be a JSON object, got []"),
        (spoilt("models", value={}), "'models' must not be empty"),
        (spoilt("models", "pmb", value={}), "unknown click model of 'f.json': 'pmb'; did you mean"),
        (spoilt(*PBMS, value=[1]), "model 'pbm' must be a JSON object, got [1]"),
        (spoilt(*PBMS, value={}), "model 'pbm' must not be empty"),
        (spoilt(*QUERY, value=None), f"{IN_SHOES} must be a JSON object, got None"),
        (
            without(*QUERY, "examination"),
            f"missing key of 'f.json': {IN_SHOES}: 'examination'",
        ),
        (
            spoilt(*QUERY, "atraction", value=[1]),
            f"unknown key of 'f.json': {IN_SHOES}: 'atraction'; did you mean 'attraction'?",
        ),
        (without(*QUERY, "items"), f"{IN_SHOES}, items must be a list of ids, got None"),
        (spoilt(*QUERY, "items", value=3), f"{IN_SHOES}, items must be a list of ids, got 3"),
        (spoilt(*QUERY, "items", value=["a"]), f"{IN_SHOES}, items must have 3 ids, got 1"),
        (spoilt(*QUERY, "items", value=["a", "a", 1]), "items must be unique, got 'a' twice"),
        (spoilt(*QUERY, "items", value=[0.5, 1, 2]), "items must be strings or integers, got 0.5"),
        (spoilt(*QUERY, "attraction", value="many"), "key 'attraction' must be numbers in [0, 1]"),
        (spoilt(*QUERY, "attraction", value=[0.1, "0.3", 0.2]), "in [0, 1], got '0.3'"),
        (spoilt(*QUERY, "attraction", value=[0.1, True, 0.2]), "in [0, 1], got True"),
        (spoilt(*QUERY, "attraction", value=[0.1, None, 0.2]), "in [0, 1], got None"),
        (spoilt(*QUERY, "attraction", value=[0.1, 1.5, 0.2]), "in [0, 1], got 1.5"),
        (spoilt(*QUERY, "attraction", value=[0.1, 10**400, 0.2]), "in [0, 1], got 1000"),
        (spoilt(*QUERY, "attraction", value=[[[0.1]]]), "in [0, 1], got [0.1]"),
        (spoilt(*QUERY, "attraction", value=[]), f"{IN_SHOES}, attraction must not be empty"),
        (spoilt(*QUERY, "examination", value=0.5), f"{IN_SHOES}, examination must have shape n"),
        (
            spoilt("models", "dbn", "shoes", "satisfaction", value=[0.5]),
            "model 'dbn', query 'shoes', satisfaction must have shape 3, got shape (1,)",
        ),
        (spoilt(*QUERY, "log_likelihood", value="x"), "'log_likelihood' must be a number, got 'x'"),
        (spoilt(*QUERY, "n_sessions", value=-1), f"{IN_SHOES}, key 'n_sessions' must be >= 0"),
        (spoilt(*QUERY, "n_sessions", value=1.5), "'n_sessions' must be an integer >= 0, got 1.5"),
        (spoilt(*QUERY, "warnings", value="few"), "'warnings' must be a list of text, got 'few'"),
        (spoilt(*QUERY, "warnings", value=[1]), "'warnings' must be a list of text, got [1]"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    content: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    saved(Path("f.json"), content)
    with pytest.raises(ArgumentError) as caught:
        read_fitted("f.json")
    assert said in str(caught.value)
    assert "'f.json'" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": NaN}', b'{"a": "\\ud800"}', b"1e999"],
)
def test_what_is_no_json_is_told_in_one_line(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "f.json").write_bytes(text)
    with pytest.raises(ArgumentError, match=r"f.json' is not valid JSON: "):
        read_fitted(tmp_path / "f.json")


def test_nan_is_refused(tmp_path: Path) -> None:
    text = json.dumps(spoilt(*QUERY, "attraction", value=[0.1, float("nan"), 0.2]))
    (tmp_path / "f.json").write_text(text)
    with pytest.raises(ArgumentError, match="is not valid JSON"):
        read_fitted(tmp_path / "f.json")


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match=r"cannot read .*none.json': No such file"):
        read_fitted(tmp_path / "none.json")
    monkeypatch.setattr(fitted_file, "MOST_BYTES", 100)
    with pytest.raises(ArgumentError, match=r"cannot read .*f.json': It has more than 100 bytes"):
        read_fitted(saved(tmp_path / "f.json"))


@pytest.mark.parametrize(
    ("query", "source", "said"),
    [
        (FittedQuery(("a",), {"attraction": [1.5], "examination": [1.0]}), {}, "got 1.5"),
        (FittedQuery(("a",), {"attraction": [float("nan")]}), {}, "cannot write 'f.json'"),
        (FittedQuery(("a",), {"attraction": [1.0]}), {}, "missing key of .*'examination'"),
        (FittedQuery(("a",), SHOES), {"a": object()}, "cannot write 'f.json': .*serializable"),
    ],
)
def test_what_could_not_be_read_is_not_written(
    query: FittedQuery,
    source: dict[str, Any],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArgumentError, match=said):
        write_fitted("f.json", {"pbm": {"q": query}}, source=source)
    assert list(tmp_path.iterdir()) == []
