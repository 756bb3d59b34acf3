"""Wrong arguments to everything public: each call gives an answer or one sentence.

A call gets one remarkable value for one of its arguments, and right ones for the others.
"""

from collections.abc import Callable
from copy import copy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import unirank as ur
from tests.attack.logs import ended, log
from tests.attack.mutation import FIELDS
from tests.attack.state_files import played
from tests.attack.target import Outcome, Target, check_sentence, require
from unirank.policies import registry as policies
from unirank.users import registry as click_models

ROUNDS: dict[str, Any] = {"n_rounds": 50, "n_games": 1, "n_workers": 1}
HOSTILE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 7, 10**9, 2**31, 2**63, 2**64, -(2**63), 10**400, 1.5, -0.5, 0.0),
    *(float("nan"), float("inf"), 1e308, 5e-324, 1j, "", "x", "\0", "a\nb", "x" * 5000, b"", b"x"),
    *([], [[]], [1], [1, 1], [0.5, 0.5], [None], ["a", "b"], [float("nan")], [2.0], [-1], (), {}),
    *({"a": 1}, {1, 2}, frozenset(), range(3), range(10**9), object(), int, len, ..., Path("x")),
    *(np.array(3), np.array([0.5, 0.2]), np.zeros((2, 2)), np.zeros(0), np.array(["a"]), np.nan),
    *(np.int64(3), np.float32(0.5), np.array([1, 2]), np.array(None), iter([1, 2]), Path("/")),
)


def value(draw: Random) -> Any:
    found = draw.choice(HOSTILE)
    return copy(found) if isinstance(found, list | dict | np.ndarray) else found


def new_policy(draw: Random, folder: Path) -> Outcome:
    cls = policies[draw.choice(policies.names())]
    shared = ("items", "n_positions", "seed", "max_pending", "position_order", "token_key")
    right = {"items": 5, "n_positions": 2, **cls.example_options(tuple(range(5)), 2)}
    name = draw.choice((*shared, *cls.declared))
    policy = cls(**{**right, name: value(draw)})
    policy.update(policy.rank(), [])
    policy.save(folder / "state")
    ur.load(folder / "state")
    return Outcome.ACCEPTED


def use(draw: Random, folder: Path) -> Outcome:
    """Call a method of a policy; a refusal must leave it usable."""
    policy = copy(played(draw.choice(policies.names())))
    shown = policy.rank()
    wrong = value(draw)
    calls: list[Callable[[], Any]] = [
        lambda: policy.update(wrong, []),
        lambda: policy.update(shown, wrong),
        lambda: policy.update(shown, rewards=wrong),
        lambda: policy.update(shown, rewards={shown.items[0]: wrong}),
        lambda: policy.click(shown, wrong),
        lambda: policy.click(wrong, shown.items[0]),
        lambda: policy.close(wrong),
        lambda: policy.rank(wrong),
        lambda: policy.rank_many(wrong),
        lambda: policy.learn(wrong, shown.memory, []),
        lambda: policy.learn(shown.items, wrong, []),
        lambda: policy.learn(shown.items, shown.memory, wrong),
        lambda: policy.add(wrong),
        lambda: policy.remove(wrong),
        lambda: policy.merge(wrong),
        lambda: ur.load(folder / "state", largest=wrong),
        lambda: ur.load(folder / "state", token_key=wrong),
    ]
    policy.save(folder / "state")
    try:
        draw.choice(calls)()
    finally:
        after = policy.rank()
        require(len(set(after.items)) == policy.n_positions, f"the list {after.items} is no list")
        policy.update(after, [])
    return Outcome.ACCEPTED


def users(draw: Random, folder: Path) -> Outcome:
    """Make users and play a short game with them."""
    name = draw.choice(click_models.names())
    right: dict[str, Any] = {**RIGHT[name], "coupling": "common"} if name == "pbm" else RIGHT[name]
    made = click_models[name](**{**right, draw.choice(list(right)): value(draw)})
    ur.simulate("random", made, n_positions=1, **ROUNDS)
    return Outcome.ACCEPTED


RIGHT: dict[str, dict[str, Any]] = {
    "pbm": {"attraction": [0.5, 0.4, 0.1], "examination": [1.0, 0.5]},
    "cm": {"attraction": [0.5, 0.4, 0.1]},
    "dcm": {"attraction": [0.5, 0.4, 0.1], "stop_after_click": [0.5, 0.4]},
    "dbn": {"attraction": [0.5, 0.4], "satisfaction": [0.5, 0.1], "abandon": 0.1},
    "ccm": {
        "attraction": [0.5, 0.4],
        "continue_no_click": 0.9,
        "continue_click_not_relevant": 0.5,
        "continue_click_relevant": 0.2,
    },
    "segments": {
        "contexts": [{"device": "phone"}, {"device": "desk"}],
        "shares": [0.7, 0.3],
        "users": [ur.CM([0.5, 0.4]), ur.CM([0.1, 0.4])],
    },
    "ubm": {
        "attraction": [0.5, 0.4],
        "examination_by_rank_and_last_click": [[1.0, 0.5], [0.5, 0.5]],
    },
}


def simulate(draw: Random, folder: Path) -> Outcome:
    right: dict[str, Any] = {
        "policy": "random",
        "users": ur.CM([0.5, 0.3, 0.1]),
        "n_positions": 2,
        "seed": 1,
        "checkpoints": None,
        "first_game": 0,
        "best_ranking": None,
        "progress": False,
        "objective": "clicks",
        "skip": True,
        **ROUNDS,
    }
    name = draw.choice(list(right))
    wrong = value(draw)
    if name == "n_rounds" and isinstance(wrong, int) and wrong > 10**6:
        wrong = -wrong  # a long game is no misuse
    ur.simulate(**{**right, name: wrong})
    return Outcome.ACCEPTED


COMMANDS = {  # with options that take a value
    ("run", "simul-cm", "--n-rounds", "50", "--n-games", "1", "--policy", "random"): (
        *("--n-rounds", "--n-games", "--seed", "--policy", "--n-workers", "--engine", "--out"),
        *("--objective", "--against", "--scheduler"),
    ),
    ("fit", "log.csv", "--format", "counts"): (
        *("--format", "--model", "--n-items", "--n-positions", "--max-bad", "--columns", "--query"),
        *("--first-position", "--memory", "--n-threads", "--backend", "--held-out", "--prior"),
        *("--n-starts", "--tolerance", "--preset", "--seed", "--out", "--figure", "--n-queries"),
    ),
    ("plot", "results"): ("--out", "--y", "--panel", "--against", "--objective", "--table"),
    ("list", "policies"): ("--format",),
    ("bounds", "simul-cm"): ("--n-rounds", "--n-positions"),
    ("check", "random"): ("--option",),
    ("advise", "--items", "4", "--positions", "2", "--visits", "100"): (
        *("--items", "--positions", "--visits"),
    ),
}
SMALL = {"--n-rounds": "10", "--n-games": "2", "--n-starts": "1"}  # larger ones are no misuse


def command_line(draw: Random, folder: Path) -> Outcome:
    """A command with one word changed or added: status 0 or 2, and then one line."""
    (folder / "log.csv").write_text(log("counts"))
    given = draw.choice(list(COMMANDS))
    words = [str(folder / word) if word == "log.csv" else word for word in given]
    words += ["--out", str(folder / "out")] if words[0] in ("run", "plot") else []
    option, wrong = draw.choice(COMMANDS[given]), draw.choice(FIELDS)
    if draw.random() < 0.7:
        words += [option, SMALL.get(option, wrong) if wrong.isdigit() else wrong]
    else:
        place = draw.randrange(1, len(words))
        words[place] = wrong if not wrong.isdigit() else words[place]
    status, told = ended(words)
    require(status in (0, 2), f"{words}: status {status}, {told!r:.200}")
    if status == 0:
        return Outcome.ACCEPTED
    check_sentence(told)
    return Outcome.REFUSED


TARGETS = [
    Target("misuse-new", 3_000, 150, new_policy),
    Target("misuse-use", 3_000, 150, use),
    Target("misuse-users", 1_500, 80, users),
    Target("misuse-simulate", 1_500, 60, simulate),
    Target("misuse-command", 800, 12, command_line, seconds=120),
]
