"""An experiment as blocks of games: what is played, saved, resumed and sent to a worker."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import msgspec

from unirank.click_models import ClickModel
from unirank.lab.experiment import Entry, Experiment
from unirank.lab.told import TOLD, told
from unirank.policies import registry
from unirank.simulation import Trace, simulate
from unirank.simulation.checkpoints import SPACINGS
from unirank.simulation.needs import check_needs
from unirank.simulation.specs import described

GAMES_PER_BLOCK = 5  # a killed run loses at most this many games per worker


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One policy on one problem of an experiment: whose games belong together."""

    experiment: str
    experiment_version: int
    policy: str
    options: dict[str, Any]
    curve: str
    problem: str
    part: str = ""  # as Trace.part
    click_model: dict[str, Any]
    n_positions: int
    n_rounds: int
    seed: int
    checkpoints: str  # their spacing

    @property
    def label(self) -> str:
        """As `Trace.label`."""
        return self.curve or described(self.policy, self.options)


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """Some games of a curve, plain data that any worker understands."""

    curve: Curve
    games: list[int]  # consecutive
    module: str = "unirank"  # whose import registers the policy

    @property
    def rounds(self) -> int:
        return len(self.games) * self.curve.n_rounds


def curves_of(
    experiment: Experiment, entries: Sequence[Entry], *, n_rounds: int, seed: int
) -> list[Curve]:
    """Every policy on every problem, if it can be played there."""
    problems = experiment.users_by_problem()
    parts = experiment.parts()
    for entry in entries:
        for users in problems.values():
            check_needs(registry[entry.policy], users, experiment.n_positions)
    labels = [label_of(entry, problems.values()) for entry in entries]
    return [
        Curve(
            experiment=experiment.name,
            experiment_version=experiment.version,
            policy=entry.policy,
            options=told(entry.options, users, experiment.n_positions, n_rounds),
            curve=label,
            problem=problem,
            part=parts[problem],
            click_model=users.to_dict(),
            n_positions=experiment.n_positions,
            n_rounds=n_rounds,
            seed=seed,
            checkpoints=experiment.checkpoints,
        )
        for entry, label in zip(entries, labels, strict=True)
        for problem, users in problems.items()
    ]


def label_of(entry: Entry, problems: Collection[ClickModel]) -> str:
    """What legends call a policy; "" if its options say it, the same for every problem."""
    if entry.label or len(problems) == 1 or TOLD not in entry.options.values():
        return entry.label
    return described(entry.policy, entry.options)


def blocks_of(curve: Curve, games: Iterable[int]) -> list[Block]:
    """These games in blocks of consecutive numbers."""
    blocks: list[Block] = []
    for game in sorted(games):
        last = blocks[-1].games if blocks else []
        if last and last[-1] == game - 1 and len(last) < GAMES_PER_BLOCK:
            last.append(game)
        else:
            module = registry[curve.policy].__module__
            blocks.append(Block(curve=curve, games=[game], module=module))
    return blocks


def play(
    block: Block, watch: Callable[[int, int], None] | None = None, *, skip: bool = True
) -> Trace:
    """Play the games of a block on one core. The same bits wherever this runs."""
    import_module(block.module)  # in a new process, a policy of one's own is not known yet
    curve = block.curve
    trace = simulate(
        (curve.policy, curve.options),
        ClickModel.from_dict(curve.click_model),
        n_positions=curve.n_positions,
        n_rounds=curve.n_rounds,
        n_games=len(block.games),
        first_game=block.games[0],
        seed=curve.seed,
        checkpoints=SPACINGS[curve.checkpoints](curve.n_rounds).tolist(),
        n_workers=1,
        skip=skip,
        progress=False,
        watch=watch,
    )
    return replace(
        trace,
        experiment=curve.experiment,
        experiment_version=curve.experiment_version,
        problem=curve.problem,
        part=curve.part,
        curve=curve.curve,
    )
