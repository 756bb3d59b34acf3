"""The command: help for everything, one line for every error."""

import subprocess
import sys
from pathlib import Path

import pytest

import unirank as ur
from tests.cli.conftest import Run
from unirank.cli.main import COMMANDS, GROUPS, app


def test_help_describes_every_command(unirank: Run) -> None:
    code, out, _ = unirank("--help")
    assert code == 0
    for name in COMMANDS:
        (line,) = [row for row in out.splitlines() if f"│ {name} " in row]
        assert len(line.strip("│ ").split()) > 3, f"{name} has no description"


def test_help_has_groups_that_begin_with_a_page_in_service(unirank: Run) -> None:
    _, out, _ = unirank("--help")
    words = [title for group, names in GROUPS.items() for title in (f"╭─ {group} ─", *names)]
    places = [out.index(word if "─" in word else f"│ {word} ") for word in words]
    assert places == sorted(places)
    assert next(iter(GROUPS)) == "Serve a page"


def test_each_command_is_described_by_one_sentence() -> None:
    for name in COMMANDS:
        (sentence,) = app[name].help.partition("\n\n")[0].splitlines()
        assert sentence.endswith(".")
        assert not set(".;") & set(sentence[:-1]), f"{name}: {sentence}"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_each_of_its_options(name: str, unirank: Run) -> None:
    code, out, _ = unirank(name, "--help")
    assert code == 0
    for line in out.splitlines():
        if line.startswith("│ --"):
            assert len(line.strip("│ ").split("  ", 1)) == 2, f"no help: {line}"


def test_the_version_is_the_packages(unirank: Run) -> None:
    assert unirank("--version")[1].strip() == ur.__version__


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rnu"], 'Unknown command "rnu"'),
        (["run", "simul-pmb"], "unknown experiment 'simul-pmb'; did you mean 'simul-pbm'?"),
        (["run", "--n-rounds", "0"], "n_rounds must be in 1..1099511627775, got 0"),
        (
            ["run", "--n-rounds", "1.5"],
            "must be a whole number, such as 1000, 1e6 or 10^6, got 1.5",
        ),
        (["run", "--seed", "-1"], "seed must be in 0..9223372036854775807, got -1"),
        (["run", "--policy", "unirnak"], "unknown policy 'unirnak'; did you mean 'unirank'?"),
        (["run", "--out", "/dev/null/x"], "out must be a folder that can be written"),
        (["plot", "nowhere"], "results must be traces or folders of them, got 'nowhere'"),
        (["plot", "nowhere", "--out", "new/x.png"], "results must be traces or folders of them"),
        (["bench", "--n-rounds", "0"], "n_rounds must be in 1..1099511627775, got 0"),
        (["run", "--n-workers", "0"], "n_workers must be in 1..10000, got 0"),
        (["run", "--n-games", "1e9"], "n_games must be in 1..1000000, got 1000000000"),
        (["run", "--n-games", "1e6"], "n_games must be at most 125,000 for experiment 'simul-pbm'"),
        (["run", "--seed", "9" * 10_000], "Invalid value for --seed"),
        (
            ["fit", "log.csv"],
            "fit needs --format, one of: yandex-search, yandex-relpred, kdd, sess",
        ),
        (["list", "polices"], 'Invalid value "polices" for KIND'),
        (["check", "no_module:Mine"], "cannot import 'no_module'"),
        (["bench", "no_module:Mine", "--n-rounds", "10"], "cannot import 'no_module'"),
    ],
)
def test_errors_are_one_line_and_exit_2(words: list[str], sentence: str, unirank: Run) -> None:
    code, out, err = unirank(*words)
    assert code == 2
    assert out == ""
    assert list(Path.cwd().iterdir()) == [], "nothing may be written"
    assert err.startswith("unirank: ")
    assert err.count("\n") == 1
    assert sentence in err
    assert len(err) < 1100


def test_a_full_disk_is_one_line() -> None:
    line = [sys.executable, "-m", "unirank", "list", "experiments"]
    with open("/dev/full", "w") as full:
        found = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert found.returncode == 1
    assert found.stderr == "unirank: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("words", [("--import", "named"), ("--import=named",)])
def test_an_imported_module_makes_its_names_known(
    words: tuple[str, ...], unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("named.py").write_text(
        "import unirank as ur\n"
        "@ur.policies.registry.register('named')\n"
        "class Named(ur.PlainPolicy):\n"
        "    def rank(self, rng): return range(self.n_positions)\n"
        "    def update(self, ranking, clicks): pass\n"
    )
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.delitem(sys.modules, "named", raising=False)
    scale = ("--n-rounds", "100", "--n-games", "1")
    assert unirank("run", "simul-pbm", "--policy", "named", *scale)[0] == 2
    try:
        code, out, _ = unirank("run", *words, "simul-pbm", "--policy", "named", *scale)
        assert (code, "Named" in out) == (0, True)
    finally:
        ur.policies.registry.remove("named")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--import", "nothing", "list"], "cannot import 'nothing': ModuleNotFoundError"),
        (["list", "--import"], "--import needs the name of a module"),
        (["list", "--import", "--json"], "--import needs the name of a module"),
    ],
)
def test_an_import_that_fails_is_one_line(words: list[str], sentence: str, unirank: Run) -> None:
    code, out, err = unirank(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"unirank: {sentence}")
