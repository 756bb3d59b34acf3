"""Processes that are killed with SIGKILL at random moments, and what they leave.

`unirank run`, killed and started again, ends with the bytes of a run that nobody disturbed. A file
that `save` was writing holds the policy as one of the calls saved it. Nothing that was temporary is
left after the next start. A file that is younger than `files.YOUNG` seconds may belong to a process
that has just begun, so the attack makes all files older before that start.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.attack.target import Outcome, Target, require
from tests.policies.situations import contents
from unirank import UniRank, load

ROOT = Path(__file__).parents[2]
SECONDS = 120  # that an undisturbed process may take
EXPERIMENT = """\
question = "Does it survive?"
version = 1
n_positions = 3
n_rounds = 300_000
n_games = 20
[click_model]
click_model = "pbm"
attraction = [0.5, 0.4, 0.3, 0.2, 0.1]
examination = [1.0, 0.8, 0.6]
[[policies]]
policy = "random"
[[policies]]
policy = "unirank"
"""
SAVING = """
import sys
from unirank import UniRank
policy = UniRank(200, 5, seed=1)
for n in range(100_000):
    shown = policy.rank()
    policy.update(shown, shown.items[: n % 2])
    policy.save("state")
    if n == 0:
        sys.stdout.write("begun")
        sys.stdout.close()
"""


def started(
    words: Sequence[str], folder: Path, output: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        stdout=output,
        stderr=subprocess.DEVNULL,
    )


def killed(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Kill a process that we started after some time, unless it is over."""
    if not is_over(process, seconds):
        process.send_signal(signal.SIGKILL)
        process.wait()


def is_over(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a process ends within some time."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def run(folder: Path) -> subprocess.Popen[bytes]:
    words = ["-m", "unirank", "run", "mine.toml", "--n-workers", "2", "--out", "results"]
    return started(words, folder)


def files_in(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@cache
def undisturbed() -> dict[str, bytes]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine.toml").write_text(EXPERIMENT)
        require(run(folder).wait(SECONDS) == 0, "the undisturbed run has failed")
        return files_in(folder)


def killed_runs(draw: Random, folder: Path) -> Outcome:
    (folder / "mine.toml").write_text(EXPERIMENT)
    for _ in range(draw.choice((1, 1, 2))):
        process = run(folder)
        if draw.random() < 0.8:  # not while it starts
            while not (folder / "results").exists() and not is_over(process, 0.01):
                pass
        killed(process, draw.uniform(0, 0.6))
    age(folder)
    require(run(folder).wait(SECONDS) == 0, "the killed run cannot be continued")
    found, whole = files_in(folder), undisturbed()
    require(found.keys() == whole.keys(), f"other files: {sorted(found.keys() ^ whole.keys())}")
    wrong = [name for name in whole if found[name] != whole[name]]
    require(not wrong, f"other bytes in {wrong}")
    return Outcome.EQUAL


def killed_saves(draw: Random, folder: Path) -> Outcome:
    with started(["-c", SAVING], folder, subprocess.PIPE) as process:
        require(process.stdout and process.stdout.read(5) == b"begun", "it did not begin")
        killed(process, draw.uniform(0, 0.2))
    loaded = load(folder / "state")
    policy = UniRank(200, 5, seed=1)
    for n in range(loaded.round):
        shown = policy.rank()
        policy.update(shown, shown.items[: n % 2])
    require(contents(loaded) == contents(policy), f"round {loaded.round} was saved otherwise")
    age(folder)
    words = ["-c", "import unirank; unirank.load('state').save('state')"]
    require(started(words, folder).wait(SECONDS) == 0, "it cannot be saved again")
    require(list(files_in(folder)) == ["state"], f"left behind: {sorted(files_in(folder))}")
    return Outcome.EQUAL


def age(folder: Path) -> None:
    for path in folder.rglob("*"):
        os.utime(path, (0, 0))


TARGETS = [
    Target("kill-run", 150, 1, killed_runs, seconds=400),
    Target("kill-save", 100, 1, killed_saves, seconds=400),
]
