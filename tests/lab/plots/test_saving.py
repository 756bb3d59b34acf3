"""Figures as files."""

from pathlib import Path

import pytest

from tests.lab.plots.curves import curves
from unirank import ArgumentError
from unirank.lab.plots.regret_curve import plot_regret
from unirank.lab.plots.saving import save_figure, targets


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_figure_is_the_same_file(ending: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.{ending}" for n in range(2)]
    for path in paths:
        save_figure(plot_regret({"One": curves(), "Two": curves()}), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_file_does_not_depend_on_those_written_before(tmp_path: Path) -> None:
    figure = plot_regret({"tiny": curves()})
    for name in ("a.svg", "a.png", "a.pdf", "b.svg", "b.png", "b.pdf"):
        save_figure(figure, tmp_path / name)
    for ending in ("png", "svg", "pdf"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


def test_a_name_without_ending_is_all_three() -> None:
    assert targets([Path("a/fig")]) == [Path("a/fig.png"), Path("a/fig.svg"), Path("a/fig.pdf")]
    assert targets([Path("fig.svg"), Path("fig.svg"), Path("b.png")]) == [
        Path("fig.svg"), Path("b.png"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["figure.gif", "figure.PNG"])
def test_an_unknown_format_is_refused(name: str) -> None:
    with pytest.raises(ArgumentError, match=r"out must end in \.png, \.svg, \.pdf"):
        targets([Path(name)])
    with pytest.raises(ArgumentError, match=r"out must end in"):
        save_figure(plot_regret({"tiny": curves()}), Path(name))


@pytest.mark.parametrize("name", [".", ".png"])
def test_a_file_needs_a_name(name: str) -> None:
    with pytest.raises(ArgumentError, match="out must be the name of a file"):
        targets([Path(name)])
