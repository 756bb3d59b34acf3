"""What the first attack and three first walks found, each shown again: what it prints now.

    python -m tests.attack.findings > docs/development/first_attack.md

What was printed before is told as it was found; what is printed now is what this program has just
seen. Rows about pages and figures name the page, and the test that looks at it.
"""

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable
from copy import copy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

import unirank as ur
from tests.attack.logs import ended
from unirank.cli.main import main as command_line
from unirank.markdown import markdown_table
from unirank.policies.kernels import cache_folder

ROOT = Path(__file__).parents[2]
HEAD = """# The first attack, row by row

An attack on the library (mutated files, kills, misuse) and three first walks by new users found
nineteen things. *Before* is what they saw. *Now* is what `python -m tests.attack.findings` saw when
it wrote this page; `...` stands for what was cut. *Held by* is a test, under `tests`, that fails
without the mending. `CONTRIBUTING.md` says how to attack again; `benchmarks/attack.txt` is the last
attack at full scale.

"""
LONGEST = 320  # characters of what is printed now


class Finding(NamedTuple):
    """One number of the list: what showed it, what it did, what it does, and what holds it."""

    shown_by: str
    before: str
    now: Callable[[], str]
    held_by: str


def told(*words: str) -> str:
    """Status and last line of a command line that is refused."""
    status, errors = ended(words)
    return f"status {status}: {errors.strip().splitlines()[-1]}"


def printed(*words: str) -> str:
    """What a command line writes to standard output, whatever its status."""
    text = io.StringIO()
    with (
        contextlib.redirect_stdout(text),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(SystemExit),
    ):
        command_line(list(words))
    return text.getvalue()


def lines_with(text: str, *parts: str) -> str:
    """The lines that have one of the parts."""
    return "; ".join(
        line.strip() for line in text.splitlines() if any(part in line for part in parts)
    )


def refused(do: Callable[[], object]) -> str:
    """The sentence of an error, or what came instead."""
    try:
        return f"no error: {do()!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def write_logs() -> None:
    """Logs of 3,000 sessions of three items: with an open quote, and in one order only."""
    draw = Random(1)
    header = "session,query,position,item,click"
    pages = [draw.sample(range(1, 7), 3) for _ in range(3000)]
    for name, shown in (("log", pages), ("quote", pages), ("one_order", [[1, 2, 3]] * 3000)):
        rows = [
            f"{session},q,{position},i{item},{int(draw.random() < 0.1 * item / position)}"
            for session, page in enumerate(shown, 1)
            for position, item in enumerate(page, 1)
        ]
        if name == "quote":
            rows[4500] = rows[4500].replace(",i", ',"i', 1)
        Path(f"{name}.csv").write_text("\n".join([header, *rows, ""]))
    Path("fractions.csv").write_text(
        "query,item,position,impressions,clicks\nq,a,1,10,2\nq,b,2,9,1\n"
        "q,a,1,10.7,2\nq,a,1,10,2.5\nq,a,1.6,10,2\n"
    )
    Path("from_0.csv").write_text(f"{header}\n1,q,0,a,0\n1,q,1,b,1\n")
    Path("dice.py").write_text(
        "import numpy as np\nimport unirank as ur\n\n\nclass Dice(ur.PlainPolicy):\n"
        "    def start(self): pass\n"
        "    def rank(self, rng): return np.random.permutation(self.n_items)[: self.n_positions]\n"
        "    def update(self, ranking, clicks): pass\n"
    )
    Path("deep.toml").write_text("a = " + "[" * 100_000)
    os.mkdir("open")
    os.chmod("open", 0o777)


def flipped_bits() -> str:
    users = ur.CM([0.5, 0.3, 0.1])
    trace = ur.simulate("random", users, n_positions=2, n_rounds=100, n_games=5, progress=False)
    trace.save("shard.parquet")
    content, draw, wrong, sentence = Path("shard.parquet").read_bytes(), Random(0), 0, ""
    for _ in range(3000):
        changed = bytearray(content)
        changed[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
        Path("flipped.parquet").write_bytes(changed)
        try:
            wrong += not np.array_equal(ur.Trace.load("flipped.parquet").regret, trace.regret)
        except ur.ArgumentError as error:
            sentence = str(error)
    return f"{wrong} of 3,000 load with wrong numbers: {sentence}"


def two_files_of_pbm() -> str:
    for name in ("one", "two"):
        printed("fit", "log.csv", "--format", "sessions", "--out", f"{name}.json")
        words = ("--policy", "random", "--n-rounds", "100", "--n-games", "1", "--out", "both")
        printed("run", f"{name}.json", *words)
    printed("plot", "both", "--table", "both.md")
    return "panels " + ", ".join(re.findall(r"^## (.*)", Path("both.md").read_text(), re.MULTILINE))


def shared_by_threads() -> str:
    found = []
    for name in ("osub", "grab"):
        policy = ur.policies.registry[name](6, 3, seed=1)
        seen: list[Any] = []

        def work(policy: Any = policy, seen: list[Any] = seen) -> None:
            for _ in range(1000):
                shown = policy.rank()
                seen.append(shown)
                policy.update(shown, [shown.items[0]])

        threads = [Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        twice = len(seen) - len({one.round for one in seen})
        repeated = sum(len(set(one.items)) < 3 for one in seen)
        found.append(f"{name} {len(seen):,} lists, {twice} rounds twice, {repeated} items twice")
    return "; ".join(found)


def pending_rounds() -> str:
    policy = ur.UniRank(10, 5, seed=1)
    for _ in range(100_000):
        policy.rank()
    policy.save("pending")
    same = ur.load("pending").rank().items == policy.rank().items
    return f"a file of {Path('pending').stat().st_size:,} bytes, the same after loading: {same}"


def copied() -> str:
    policy = ur.UniRank(3, 2, seed=1)
    twin, other = copy(policy), ur.UniRank(3, 2, seed=1)
    for _ in range(20):
        shown = twin.rank()
        twin.update(shown, [shown.items[0]])
    return f"a copy that learnt left the original as it was: {policy.leader == other.leader}"


def saved_through_a_link() -> str:
    policy = ur.UniRank(3, 2, seed=1)
    policy.save("real")
    os.chmod("real", 0o640)
    os.symlink("real", "link")
    policy.save("link")
    return f"link kept: {Path('link').is_symlink()}, mode {os.stat('real').st_mode & 0o777:o}"


def read_of(log: str, *more: str) -> str:
    """What `unirank fit` says of the lines of a log, without the time that they took."""
    text = printed("fit", log, "--format", "sessions", *more)
    return re.sub(r" in [\d.]+ s \(.*? rows/s\)", "", lines_with(text, "read ", "left out"))


FINDINGS = [
    Finding(
        '`unirank fit` of a log with one item written `"i5`',
        "status 0; 30,001 of 90,000 rows were read",
        lambda: read_of("quote.csv"),
        "logs/reading/test_engine_duckdb.py::test_an_open_quote_loses_its_own_line_only",
    ),
    Finding(
        "3,000 single-bit flips in a shard",
        "2,111 loaded with wrong numbers",
        flipped_bits,
        "simulation/test_trace_file.py::test_a_single_changed_bit_is_noticed_wherever_it_is",
    ),
    Finding(
        "`unirank plot` of two fitted files that both hold pbm",
        "one panel, the other result dropped",
        two_files_of_pbm,
        "cli/test_panels.py::test_panels_of_one_title_are_told_apart_by_their_experiment",
    ),
    Finding(
        "`unirank fit` of a log in one order only, `--out`",
        "no warning, 0.4625 for every item",
        lambda: told("fit", "one_order.csv", "--format", "sessions", "--out", "x.json"),
        "logs/estimators/test_identifiability.py::test_a_fit_says_what_its_log_cannot_tell_apart",
    ),
    Finding(
        "`fit --n-items -3`; impressions 10.7, clicks 2.5; `update(shown, {'tea': 0.0})`",
        "three items dropped; rounded; a click",
        lambda: "; ".join(
            [
                told("fit", "log.csv", "--format", "sessions", "--n-items", "-3"),
                told("fit", "fractions.csv", "--format", "counts"),
                refused(lambda: answered({"tea": 0.0})),
            ]
        ),
        "logs/reading/test_expressions.py::test_whole_numbers_only",
    ),
    Finding(
        "`ur.UniRank({'tea', 'mug'}, 1)`; `copy.copy(policy)`",
        "lists by hash seed; shared state",
        lambda: f"{refused(lambda: ur.UniRank({'tea'}, 1))}; {copied()}",
        "page/test_matching.py::test_a_copy_has_a_state_of_its_own",
    ),
    Finding(
        "four threads share a policy",
        "segfaults, items twice, rounds twice",
        shared_by_threads,
        "policies/base/test_threads.py::test_threads_learn_what_one_thread_would",
    ),
    Finding(
        "100,000 unanswered rounds, saved and loaded",
        "6.8 s to load; `rank()` 6 us, then 100 us",
        pending_rounds,
        "page/test_unanswered.py::test_many_rounds_take_little_room",
    ),
    Finding(
        "`ur.UniRank(10**9, 2)`; `ur.load('/dev/zero')`; `run --n-games 1e9`",
        "23 GB and killed; no end; no end",
        lambda: "; ".join(
            [
                re.sub(r", this machine.*", "", refused(lambda: ur.UniRank(10**9, 2))),
                refused(lambda: ur.load("/dev/zero")),
                told("run", "simul-cm", "--n-games", "1e9"),
            ]
        ),
        "policies/base/test_policy.py::test_more_items_than_fit_in_memory_are_refused_at_once",
    ),
    Finding(
        "TOML nested 100,000 deep; `policy.save('')`; `bench --twin json:loads`",
        "tracebacks",
        lambda: "; ".join(
            [
                told("run", "deep.toml"),
                refused(lambda: ur.UniRank(3, 2).save("")),
                told("bench", "--twin", "json:loads"),
            ]
        ),
        "logs/reading/test_bad_lines.py::test_bad_lines_are_counted_by_kind_and_change_nothing_else",
    ),
    Finding(
        "60 kills of `unirank run`; `save()` to a link",
        "184 MB of temporary files; a plain file in its place",
        lambda: f"kill-run of the attack leaves none; {saved_through_a_link()}",
        "test_files.py::test_what_a_killed_process_left_is_removed_by_the_next",
    ),
    Finding(
        "a file planted in a cache folder that others may write",
        "it was executed",
        lambda: f"`open`, mode 777, is used: {cache_folder.usable(os.path.abspath('open'))}",
        "kernels/test_cache_folder.py::test_what_others_have_planted_is_not_loaded",
    ),
    Finding(
        "which policy shall I take?",
        "no page",
        lambda: "[Which policy?](../how_to/which_policy.md), and `unirank advise`",
        "cli/test_advise.py::test_the_table_and_the_advice_are_printed",
    ),
    Finding(
        "`unirank check` of a policy that draws from numpy",
        "fails, without the cure",
        lambda: lines_with(printed("check", "dice:Dice"), "two runs"),
        "checks/test_random_sources.py::test_a_plain_policy_is_told_the_line_and_the_generator",
    ),
    Finding(
        "a sweep over options and sizes; `plot --table x.csv`",
        "loops of one's own; not possible",
        lambda: (
            "[TOML keys and a sweep](../how_to/experiments.md); `ur.sweep` has the columns "
            + ", ".join(sweep_columns())
        ),
        "lab/test_sweep.py::test_every_combination_has_its_rows",
    ),
    Finding(
        "`make docs`",
        "no meanings, cut-off tables, plain formulas",
        lambda: "every parameter with type, default and meaning; MathML; no outside address",
        "docs/test_parameters.py::test_a_public_parameter_has_a_meaning",
    ),
    Finding(
        "`unirank fit` of a log whose positions count from 0",
        "an error without the remedy",
        lambda: told("fit", "from_0.csv", "--format", "sessions"),
        "logs/reading/test_bad_lines.py::test_the_error_shows_the_line_and_names_the_remedy",
    ),
    Finding(
        "`regret-linear.png`",
        "unreadable below 10^5 rounds",
        lambda: "a linear axis begins where a curve leaves 0",
        "plots/test_panels.py::test_a_linear_scale_begins_in_the_decade_in_which_curves_leave_0",
    ),
    Finding(
        "what would it have gained on my log?",
        "no command",
        lambda: lines_with(
            printed("gain", "log.csv", "--format", "sessions", "--policy", "random"),
            *("predicts", "nearly", "model's"),
        ),
        "cli/test_gain.py::test_orders_are_compared_and_the_answer_is_called_a_models",
    ),
]


def answered(clicks: Any) -> None:
    policy = ur.UniRank(["tea", "mug", "pot"], 2, seed=1)
    policy.update(policy.rank(), clicks)


def sweep_columns() -> list[str]:
    table = ur.sweep(["random"], ur.CM([0.5, 0.2]), n_positions=1, n_rounds=10, n_games=2)
    return list(table.columns[:5])


def page() -> str:
    """Show every finding again, in an empty folder; return the page."""
    here = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            write_logs()
            rows = [row(number, finding) for number, finding in enumerate(FINDINGS, 1)]
        finally:
            os.chdir(here)
    header = ("#", "shown by", "before", "now", "held by")
    return HEAD + markdown_table(header, rows) + "\n"


def row(number: int, finding: Finding) -> list[str]:
    now = " ".join(finding.now().split())
    sys.stderr.write(f"{number}\n")
    return [
        str(number),
        finding.shown_by,
        finding.before,
        now if len(now) <= LONGEST else f"{now[:LONGEST]}...",
        f"`{finding.held_by}`",
    ]


if __name__ == "__main__":
    sys.stdout.write(page())
