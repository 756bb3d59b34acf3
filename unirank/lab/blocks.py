"""Curves and blocks of games: the units that are played, saved and sent to a worker."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from unirank.lab.experiment import Experiment, PolicyEntry, import_class
from unirank.lab.simulation import Trace
from unirank.lab.simulation.checkpoints import SPACINGS
from unirank.lab.simulation.games import GamePlan
from unirank.lab.simulation.known_values import label_as_asked, with_known_values
from unirank.lab.simulation.needs import check_needs
from unirank.lab.simulation.scheduler import started
from unirank.policies.base.specs import class_path, described, policy_class
from unirank.registry import imported
from unirank.users import ClickModel
from unirank.users.objective import CLICKS, value_kernel

GAMES_PER_BLOCK = 5  # saved together


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One policy on one problem of an experiment, as plain data that any worker understands."""

    experiment: str
    experiment_version: int
    policy: str
    policy_class: str  # "module:Class"; of the trace, too, if it is not ours
    options: dict[str, Any]
    curve: str
    problem: str
    part: str = ""  # as Trace.part
    click_model: dict[str, Any]
    click_model_class: str  # "module:Class"
    n_positions: int
    n_rounds: int
    seed: int
    checkpoints: str  # their spacing
    objective: str = CLICKS

    @property
    def label(self) -> str:
        """As `Trace.label`."""
        return self.curve or described(self.policy, self.options)

    def plan(self, *, skip: bool = True) -> GamePlan:
        """Return what its games have in common; a worker imports classes of your own."""
        imported(self.click_model_class)
        import_class(self.click_model)
        return GamePlan(
            policy=policy_class(self.policy_class),
            options=self.options,
            users=ClickModel.from_dict(self.click_model),
            n_positions=self.n_positions,
            n_rounds=self.n_rounds,
            seed=self.seed,
            checkpoints=SPACINGS[self.checkpoints](self.n_rounds),
            skip=skip,
            objective=self.objective,
        )


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """Some games of a curve."""

    curve: Curve
    games: list[int]  # consecutive

    @property
    def rounds(self) -> int:
        return len(self.games) * self.curve.n_rounds

    def trace(self, plan: GamePlan, regret: Mapping[int, NDArray[np.float64]]) -> Trace:
        """The trace of its games, from their regret by number."""
        return plan.trace(
            regret,
            experiment=self.curve.experiment,
            experiment_version=self.curve.experiment_version,
            problem=self.curve.problem,
            part=self.curve.part,
            curve=self.curve.curve,
        )


def curves_of(
    experiment: Experiment,
    entries: Sequence[PolicyEntry],
    *,
    n_rounds: int,
    seed: int,
    objective: str = CLICKS,
) -> list[Curve]:
    """Return a curve for each policy and problem; check that each policy can play there."""
    problems = experiment.users_by_problem()
    parts = experiment.parts()
    n_positions = experiment.n_positions
    curves = []
    for entry in entries:
        cls = policy_class(entry.policy)
        label = label_of(experiment, entry)
        for problem, users in problems.items():
            check_needs(cls, entry.options, users, n_positions)
            value_kernel(users, objective)  # raises the error for one that cannot be measured
            known = with_known_values(cls, entry.options, users, n_positions, n_rounds, objective)
            curve = Curve(
                experiment=experiment.name,
                experiment_version=experiment.version,
                policy=cls.name,
                policy_class=class_path(cls),
                options=known,
                curve=label,
                problem=problem,
                part=parts[problem],
                click_model=users.to_dict(),
                click_model_class=class_path(type(users)),
                n_positions=n_positions,
                n_rounds=n_rounds,
                seed=seed,
                checkpoints=experiment.checkpoints,
                objective=objective,
            )
            curves.append(curve)
    return curves


def label_of(experiment: Experiment, entry: PolicyEntry) -> str:
    """Return the label for legends: the entry's own, or the one that the experiment gives it.

    "" if there is none: then name and options are the label, as everywhere.
    """
    cls = policy_class(entry.policy)
    for known in experiment.policies:
        same = policy_class(known.policy) is cls and known.options == entry.options
        if same and not entry.label:
            return known.label or label_as_asked(cls.name, entry.options)
    return entry.label or label_as_asked(cls.name, entry.options)


def blocks_of(curve: Curve, games: Iterable[int]) -> list[Block]:
    """Put games into blocks of consecutive numbers."""
    blocks: list[Block] = []
    for game in sorted(games):
        last = blocks[-1].games if blocks else []
        if last and last[-1] == game - 1 and len(last) < GAMES_PER_BLOCK:
            last.append(game)
        else:
            blocks.append(Block(curve=curve, games=[game]))
    return blocks


def play(block: Block, *, skip: bool = True) -> Trace:
    """Play the games of a block one after the other. The same bits wherever this runs."""
    plan = block.curve.plan(skip=skip)
    regret = {}
    for number in block.games:
        planned = plan.planned(number)
        game = started(planned.new)
        game.advance(planned.n_rounds)
        regret[number] = game.regret
    return block.trace(plan, regret)
