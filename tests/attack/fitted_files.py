"""Fitted files (JSON) and experiments (TOML), which people may edit.

Changed, they are refused, or valid: a fitted file is written and read again as it is, and all of
its users can be made; the games of an experiment can be played.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from tests.attack.mutation import VALUES, mutated, reshaped, rewritten
from tests.attack.target import Outcome, Target, require
from tests.lab.datasets.fitted import CONTENT
from unirank.lab.datasets import load_problems, read_fitted, write_fitted
from unirank.lab.experiment import load_experiment
from unirank.lab.runs import planned, play_runs

MOST_ITEMS = 200  # of a problem that is played
EXPERIMENT = """\
question = "How much regret?"
version = 2
n_positions = 2
n_rounds = 1000
n_games = 3
seed = 4
checkpoints = "log"
coupling = "common"
objective = "clicks"
source = "nowhere"

[[problems]]
name = "one"
part = "left"
click_model = { click_model = "pbm", attraction = [0.5, 0.4, 0.1], examination = [1.0, 0.5] }

[[problems]]
name = "two"
click_model = { click_model = "cm", attraction = [0.5, 0.4, 0.1] }

[[problems]]
dataset = "fitted.json"
model = "pbm"
n_queries = 1

[[policies]]
policy = "random"
label = "Random"

[[policies]]
policy = "unirank"
options = { early = "explore", max_pending = 10 }
"""


def fitted_bytes(draw: Random, folder: Path) -> Outcome:
    content = json.dumps(CONTENT, indent=1).encode()
    return fitted(mutated(content, draw), folder)


def fitted_parts(draw: Random, folder: Path) -> Outcome:
    return fitted(json.dumps(reshaped(CONTENT, draw)).encode(), folder)


def fitted(content: bytes, folder: Path) -> Outcome:
    path = folder / "fitted.json"
    path.write_bytes(content)
    found = read_fitted(path)
    write_fitted(folder / "again.json", found.models, source=found.source)
    again = read_fitted(folder / "again.json")
    require(again.models == found.models, "written and read again, its models differ")
    for model in found.models:
        for users in load_problems(str(path), click_model=model).values():
            users.best_ranking(1)
    return Outcome.ACCEPTED


def experiment(draw: Random, folder: Path) -> Outcome:
    (folder / "fitted.json").write_text(json.dumps(CONTENT))
    if draw.random() < 0.5:
        content = rewritten(EXPERIMENT, "=,[ ", draw)
    else:
        content = with_another_value(draw).encode()
    (folder / "mine.toml").write_bytes(content)
    found = load_experiment(str(folder / "mine.toml"))
    run = planned(found, n_rounds=20, n_games=1, out=folder)
    if all(users.n_items <= MOST_ITEMS for users in found.users_by_problem().values()):
        play_runs([run], shown=False, n_workers=1)
        require(len(run.traces()) == len(run.plans), "a curve is missing")
    return Outcome.ACCEPTED


def with_another_value(draw: Random) -> str:
    """The experiment with another value of one of its keys."""
    lines = EXPERIMENT.split("\n")
    place = draw.choice([n for n, line in enumerate(lines) if "=" in line])
    key = lines[place].split("=")[0]
    lines[place] = f"{key}= {toml(draw.choice(VALUES))}"
    return "\n".join(lines)


def toml(value: Any) -> str:
    """A value as TOML; JSON's texts, lists and numbers are TOML, too."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


TARGETS = [
    Target("fitted-bytes", 3_000, 100, fitted_bytes),
    Target("fitted-parts", 3_000, 100, fitted_parts),
    Target("experiment", 3_000, 80, experiment),
]
