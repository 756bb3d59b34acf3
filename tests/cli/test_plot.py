"""`unirank plot` turns traces into a figure."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def results(unirank: Run) -> None:
    unirank("run", "simul-pbm", "simul-cm", "--n-rounds", "100", "--n-games", "2")


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize("name", ["a.png", "b.svg", "c.pdf"])
def test_the_figure_is_written_in_the_format_of_its_name(name: str, unirank: Run) -> None:
    code, out, _ = unirank("plot", "results", "--out", name)
    assert (code, out.strip()) == (0, f"wrote {name}")
    magic = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[name[-3:]]
    assert Path(name).read_bytes().startswith(magic)


@pytest.mark.usefixtures("results")
def test_one_panel_per_folder_in_the_given_order(unirank: Run) -> None:
    unirank("plot", "results/simul-pbm", "results/simul-cm", "--out", "both.svg")
    text = Path("both.svg").read_text()
    assert text.index("simul-pbm") < text.index("simul-cm")


def test_a_folder_without_traces_is_an_error(unirank: Run) -> None:
    Path("empty").mkdir()
    code, _, err = unirank("plot", "empty")
    assert code == 2
    assert "results must hold traces (*.parquet), none in 'empty'" in err
    assert not Path("regret.png").exists()


def test_a_broken_file_is_an_error(unirank: Run) -> None:
    Path("x.parquet").write_bytes(b"PAR1 not really")
    code, _, err = unirank("plot", "x.parquet")
    assert code == 2
    assert "cannot read a trace from 'x.parquet'" in err
