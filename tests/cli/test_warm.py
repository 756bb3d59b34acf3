"""`unirank warm` leaves compiled code behind that the next process finds."""

import os
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Run

FIRST_RANKING = """
import unirank
policy = unirank.policies.RandomOrder(5, 2, seed=1)
policy.rank()
print(sum(policy._serve.stats.cache_misses.values()))
"""


def in_process(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, *command], env=settings, capture_output=True, text=True, check=True
    )


def test_the_next_process_compiles_nothing(tmp_path: Path) -> None:
    told = in_process(tmp_path, "-m", "unirank", "warm", "random")
    assert told.stdout.startswith(f"random: compiled into {tmp_path}")
    assert told.stderr == "compiling random, once for this machine\n"
    assert in_process(tmp_path, "-c", FIRST_RANKING).stdout == "0\n"
    assert in_process(tmp_path, "-m", "unirank", "warm", "random").stderr == ""


def test_plain_policies_have_nothing_to_compile(unirank: Run) -> None:
    told = "plain-unirank: plain Python, nothing to compile\n"
    assert unirank("warm", "plain-unirank")[:2] == (0, told)


def test_games_of_an_experiment_are_compiled_too(unirank: Run) -> None:
    code, out, _ = unirank("warm", "oracle", "--experiment", "simul-pbm")
    assert (code, out[:22]) == (0, "oracle: compiled into ")


def test_a_wrong_name_is_one_line(unirank: Run) -> None:
    told = "unirank: unknown policy 'unrank'; did you mean 'unirank'?\n"
    assert unirank("warm", "unrank") == (2, "", told)
