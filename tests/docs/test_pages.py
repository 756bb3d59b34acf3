"""Pages run: their examples print what they say, their links lead somewhere, none is lost."""

import doctest
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from site_links import as_in_the_site

import unirank as ur
from tests.docs.sources import DOCS, GENERATED, ROOT, WRITTEN, name_of
from unirank import users
from unirank.cli.main import main
from unirank.lab.checks.policy import CHECKS
from unirank.lab.experiment import Experiment, PolicyEntry, ProblemSource, parsed

READ_IN_A_CHECKOUT = [*ROOT.glob("*.md"), ROOT / "benchmarks/README.md", *WRITTEN]
EXAMPLES = {path.stem for path in ROOT.glob("examples/*.py")}


TUTORIAL = {
    "first_explore": "06_your_own_policy.py",
    "fast_first_explore": "11_make_it_fast.py",
    "choosers": "13_your_own_click_model.py",
}


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with the files that the tutorial says to save."""
    for module, example in TUTORIAL.items():
        shutil.copy(ROOT / "examples" / example, tmp_path / f"{module}.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in TUTORIAL:
        sys.modules.pop(module, None)
    if "chooser" in users.registry.names():
        users.registry.remove("chooser")


@pytest.mark.usefixtures("workplace")
@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_the_examples_of_a_page_run(path: Path) -> None:
    failed, _ = doctest.testfile(str(path), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_the_links_of_a_page_lead_somewhere(path: Path) -> None:
    text = as_in_the_site(path.read_text(), str(path.parent.relative_to(DOCS)))
    for target in re.findall(r"\]\(([^)#\s]+)[)#]", text):
        assert target.startswith("https://") or leads_somewhere(path.parent / target), target


@pytest.mark.parametrize("path", READ_IN_A_CHECKOUT, ids=lambda path: path.name)
def test_the_links_of_a_page_lead_somewhere_in_a_checkout(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[)#]", path.read_text()):
        there = (path.parent / target).resolve()
        assert target.startswith("https://") or is_in_a_checkout(there), f"{target} of {path}"


def is_in_a_checkout(path: Path) -> bool:
    """Whether a file is there that no build of the documentation wrote."""
    built = {"gallery", "generated"} & set(path.relative_to(ROOT).parts)
    return path.exists() and not built


def leads_somewhere(path: Path) -> bool:
    """Whether a file is there, or will be when the site is built."""
    inside = path.resolve().relative_to(DOCS)
    if inside.parts[0] == "gallery":
        named = re.search(r"\d\d_[a-z_]+[a-z]", inside.name)
        return inside.name == "index.rst" or (named is not None and named[0] in EXAMPLES)
    if inside.parts[:2] == ("reference", "generated"):
        name = inside.stem.removeprefix("unirank.")  # of a page that autosummary writes
        return str(inside.relative_to("reference/generated")) in GENERATED or hasattr(ur, name)
    return (DOCS / inside).exists()


@pytest.mark.parametrize("path", sorted(GENERATED))
def test_the_links_of_a_generated_page_lead_somewhere(path: str) -> None:
    folder = (DOCS / "reference/generated" / path).parent
    for target in re.findall(r"(?<!\\)\]\(([^)#\s]+)\)", GENERATED[path]):
        assert target.startswith("https://") or leads_somewhere(folder / target), target


def test_what_a_page_includes_is_in_the_file() -> None:
    for path in WRITTEN:
        for file, options in re.findall(
            r"```{include} (\S+)\n(.*?)```", path.read_text(), re.DOTALL
        ):
            text = (path.parent / file).read_text()
            for marker in re.findall(r':(?:start-after|end-before): "(.+)"', options):
                assert marker in text, f"{name_of(path)} includes {file}, which has no {marker!r}"
                text = text.partition(marker)[2]


def test_every_page_is_in_a_table_of_contents() -> None:
    listed = {DOCS / "index.md"}
    for path in WRITTEN:
        for block in re.findall(r"```{toctree}\n:hidden:\n\n(.*?)```", path.read_text(), re.DOTALL):
            listed |= {(path.parent / f"{entry}.md").resolve() for entry in block.split()}
    assert set(WRITTEN) <= listed


def test_a_block_of_examples_ends_with_the_blank_line_that_doctest_needs() -> None:
    for path in WRITTEN:
        for block in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL):
            assert block.endswith("\n\n"), f"{name_of(path)}: {block}"


def test_the_question_of_the_tutorial_is_a_valid_one() -> None:
    text = (DOCS / "tutorial/first_experiment.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert parsed("ten_items", block).question == tomllib.loads(block)["question"]


@pytest.mark.parametrize(
    "path", ["first_explore:FirstExplore", "fast_first_explore:FastFirstExplore"]
)
@pytest.mark.usefixtures("workplace")
def test_the_tutorials_policies_keep_the_contract(
    path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of("check", path) == 0
    assert capsys.readouterr().out.count("  holds  ") == len(CHECKS)


def test_the_tutorials_click_model_keeps_the_contract_and_is_run(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of("check", "choosers:Chooser") == 0
    assert "fails" not in capsys.readouterr().out
    text = (DOCS / "tutorial/your_own_click_model.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (workplace / "comparing.toml").write_text(block)
    named = block.replace("choosers:Chooser", "chooser")
    (workplace / "named.toml").write_text(named)
    small = ("--n-rounds", "100", "--n-games", "1")
    assert code_of("run", "comparing.toml", *small) == 0
    assert code_of("run", "named.toml", "--import", "choosers", *small) == 0
    assert code_of("plot", "results") == 0


def test_the_tutorials_policy_is_run_and_plotted(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = "first_explore:FirstExplore(explore=50)"
    assert (
        code_of("run", "simul-pbm", "--policy", policy, "--n-rounds", "100", "--n-games", "2") == 0
    )
    assert "FirstExplore (explore=50)" in capsys.readouterr().out
    assert code_of("plot", "results/simul-pbm") == 0
    assert (workplace / "regret.png").stat().st_size > 1000


@pytest.mark.usefixtures("workplace")
def test_the_gain_on_a_log_is_what_the_page_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = DOCS / "how_to" / "gain_on_a_log.md"
    doctest.testfile(str(path), module_relative=False)  # writes log.csv
    capsys.readouterr()
    monkeypatch.setenv("COLUMNS", "80")
    command, *_ = re.findall(r"^unirank (gain .*)$", path.read_text(), re.MULTILINE)
    assert code_of(*command.split()) == 0
    printed = {line.rstrip() for line in capsys.readouterr().out.splitlines()}
    block, *_ = re.findall(r"```text\n(.*?)```", path.read_text(), re.DOTALL)
    assert len(block.splitlines()) > 10
    assert set(block.splitlines()) <= printed


def code_of(*words: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(words)
    return end.value.code


def test_every_key_of_an_experiment_is_documented_and_the_sweep_is_complete() -> None:
    text = (DOCS / "how_to" / "experiments.md").read_text()
    keys, policies, problems = (part.split("\n\n")[0] for part in text.split("|---|---|---|")[1:4])
    documented = [
        set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
        for table in (keys, policies, problems)
    ]
    assert documented == [
        {*Experiment.__struct_fields__, "like"} - {"name"},  # its name is that of the file
        set(PolicyEntry.__struct_fields__),
        set(ProblemSource.__struct_fields__),
    ]
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert len(parsed("explore", block).users_by_problem()) == 2
