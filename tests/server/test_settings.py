import re
from pathlib import Path

import pytest

from tests.docs.sources import DOCS
from unirank.errors import ArgumentError
from unirank.server.settings import Settings, settings_from


def test_flags_come_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text('port = 1\nhost = "h1"\ndatabase = "d1"\n')
    environment = {"UNIRANK_SERVE_PORT": "2", "UNIRANK_SERVE_HOST": "h2", "UNIRANK_OTHER": "x"}
    found = settings_from({"port": 3, "host": None}, file, environment)
    assert (found.port, found.host, found.database) == (3, "h2", "d1")
    assert found.tick == Settings().tick


@pytest.mark.parametrize(
    ("text", "environment", "words"),
    [
        ("port = ", {}, "config must be a TOML file"),
        ("prot = 1", {}, "prot"),
        ("", {"UNIRANK_SERVE_PORT": "x"}, "the environment"),
        ("", {"UNIRANK_SERVE_PROT": "81"}, "'UNIRANK_SERVE_PROT'; did you mean .*_PORT'"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, text: str, environment: dict[str, str], words: str
) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(text)
    with pytest.raises(ArgumentError, match=words):
        settings_from({}, file, environment)


def test_the_old_name_of_a_setting_is_taken_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    file.write_text("durable_impressions = true\n")
    assert settings_from({}, file, {}).durable_views
    assert settings_from({}, environment={"UNIRANK_SERVE_DURABLE_IMPRESSIONS": "1"}).durable_views


def test_a_flag_out_of_range_is_named() -> None:
    with pytest.raises(ArgumentError, match="port"):
        settings_from({"port": 70000}, environment={})


def test_a_wrong_setting_is_told_its_rule_and_its_value(tmp_path: Path) -> None:
    rule = r"port must be an integer of at most 65535, got 99999$"
    with pytest.raises(ArgumentError, match=f"^{rule}"):
        settings_from({"port": 99999}, environment={})
    file = tmp_path / "serve.toml"
    file.write_text("port = 99999")
    with pytest.raises(ArgumentError, match=f"^settings in .*: {rule}"):
        settings_from({}, file, environment={})


def test_the_environment_names_the_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text("port = 1")
    second.write_text("port = 2")
    environment = {"UNIRANK_SERVE_CONFIG": str(first)}
    assert settings_from({}, environment=environment).port == 1
    assert settings_from({}, second, environment).port == 2


def test_the_file_of_the_how_to_page_is_read(tmp_path: Path) -> None:
    (text,) = re.findall(
        r"```toml\n(.*?)```", (DOCS / "how_to/serve_postgresql.md").read_text(), re.S
    )
    file = tmp_path / "serve.toml"
    file.write_text(text)
    assert settings_from({}, file, {}).durable_views
