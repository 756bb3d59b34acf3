"""Writing the reference touches what changed, and nothing else."""

from pathlib import Path

from reference_pages import pages, write_pages


def test_pages_are_written_once_and_stale_ones_removed(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    stale = tmp_path / "policies" / "gone.md"
    stale.write_text("# gone")
    write_pages(tmp_path)
    written = {str(path.relative_to(tmp_path)): path for path in tmp_path.rglob("*.md")}
    assert written.keys() == pages().keys()
    before = {name: path.stat().st_mtime_ns for name, path in written.items()}
    written["api.md"].write_text("edited")
    write_pages(tmp_path)
    after = {name: path.stat().st_mtime_ns for name, path in written.items()}
    assert [name for name in before if before[name] != after[name]] == ["api.md"]
    assert written["api.md"].read_text() == pages()["api.md"]
