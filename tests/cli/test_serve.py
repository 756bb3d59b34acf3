"""`unirank serve`: flags reach the settings; the service itself is tested in tests/server."""

from pathlib import Path

import pytest

from unirank.cli.main import main
from unirank.server import run
from unirank.server.settings import Settings


@pytest.mark.parametrize("durable", ["--durable-views", "--durable-impressions"])
def test_flags_and_the_file_make_the_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, durable: str
) -> None:
    found: list[Settings] = []
    monkeypatch.setattr(run, "run", found.append)
    file = tmp_path / "serve.toml"
    file.write_text("tick = 2.0\nport = 1\n")
    with pytest.raises(SystemExit):
        main(["serve", "--port", "9", durable, "--config", str(file)])
    (settings,) = found
    assert (settings.port, settings.tick, settings.durable_views) == (9, 2.0, True)


def test_a_wrong_flag_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--port", "99999"])
    assert capsys.readouterr().err.count("\n") == 1
