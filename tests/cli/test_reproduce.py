"""`unirank reproduce` runs what it can, says what it left out, and writes a report."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from unirank.lab import reproduction
from unirank.lab.blocks import Block

SMALL = ("--n-rounds", "1e3", "--n-games", "2")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No data, no network, and no long measurements."""
    monkeypatch.setenv("UNIRANK_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(reproduction, "TIMED_ROUNDS", 100)


@pytest.mark.slow
def test_the_report_is_written_with_its_figures(unirank: Run) -> None:
    code, out, _ = unirank("reproduce", *SMALL)
    assert code == 0
    assert "left out: kdd-pbm: param_KDD.txt is not on this machine" in out
    assert "wrote reproduction/report.md" in out
    text = Path("reproduction/report.md").read_text()
    assert "- yandex-cm: param_Yandex_CM.txt is not on this machine" in text
    assert "| simul-cm |" in text
    for name in ("regret", "regret-common"):
        for ending in ("png", "svg", "pdf", "json"):
            assert Path(f"reproduction/{name}.{ending}").stat().st_size > 1000
        assert f"({name}.png)" in text


@pytest.mark.slow
def test_the_second_time_nothing_is_played(unirank: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unirank("reproduce", *SMALL, "--no-common")[0] == 0
    before = Path("reproduction/report.md").read_text().split("## Time")[0]

    def not_again(blocks: list[Block], *_: object, **__: object) -> None:
        assert not blocks

    monkeypatch.setattr("unirank.lab.runs.play_blocks", not_again)
    assert unirank("reproduce", *SMALL, "--no-common")[0] == 0
    assert Path("reproduction/report.md").read_text().split("## Time")[0] == before
    assert not Path("reproduction/regret-common.png").exists()


def test_nothing_to_report_on_is_an_error(unirank: Run) -> None:
    code, _, err = unirank("reproduce", *SMALL, "--no-play")
    assert code == 2
    assert "results must hold games to report on, none in 'results'" in err


def test_a_scale_at_which_nothing_can_be_tested_is_refused_before_playing(unirank: Run) -> None:
    for scale, sentence in (
        (("--n-games", "1"), "n_games must be >= 2, got 1"),
        (("--n-rounds", "50"), "n_rounds must be >= 1000, got 50"),
    ):
        code, _, err = unirank("reproduce", *scale)
        assert (code, sentence in err) == (2, True)
        assert not Path("results").exists()
