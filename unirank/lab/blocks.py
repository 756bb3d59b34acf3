"""Blocks of games: the unit that is played, saved as one shard, and sent to a worker."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unirank.lab.experiment import Experiment, PolicyEntry
from unirank.lab.simulation import Trace
from unirank.lab.simulation.checkpoints import SPACINGS
from unirank.lab.simulation.known_values import label_as_asked
from unirank.lab.simulation.plan import GamePlan, plan_games
from unirank.lab.simulation.scheduler import started
from unirank.policies.base.specs import policy_class
from unirank.users.objective import CLICKS

GAMES_PER_BLOCK = 5


@dataclass(frozen=True)
class Block:
    """Some games of a plan."""

    plan: GamePlan
    games: list[int]  # consecutive

    @property
    def rounds(self) -> int:
        return len(self.games) * self.plan.n_rounds

    def to_plain(self) -> dict[str, Any]:
        """Return the block as `play_plain` takes it."""
        return {"plan": self.plan.to_plain(), "games": self.games}


def plans_of(
    experiment: Experiment,
    entries: Sequence[PolicyEntry],
    *,
    n_rounds: int,
    seed: int,
    objective: str = CLICKS,
    skip: bool = True,
) -> list[GamePlan]:
    """Return a plan for each policy and problem; check that each policy can play there."""
    checkpoints = SPACINGS[experiment.checkpoints](n_rounds)
    plans = []
    for entry in entries:
        cls = policy_class(entry.policy)
        label = label_of(experiment, entry)
        for part, problem, users in experiment.problems_found:
            plan = plan_games(
                cls,
                entry.options,
                users,
                n_positions=experiment.n_positions,
                n_rounds=n_rounds,
                seed=seed,
                checkpoints=checkpoints,
                skip=skip,
                objective=objective,
                experiment=experiment.name,
                experiment_version=experiment.version,
                problem=problem,
                part=part,
                curve=label,
            )
            plans.append(plan)
    return plans


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


def blocks_of(plan: GamePlan, games: Iterable[int]) -> list[Block]:
    """Put games into blocks of consecutive numbers."""
    blocks: list[Block] = []
    for game in sorted(games):
        last = blocks[-1].games if blocks else []
        if last and last[-1] == game - 1 and len(last) < GAMES_PER_BLOCK:
            last.append(game)
        else:
            blocks.append(Block(plan, [game]))
    return blocks


def play(block: Block) -> Trace:
    """Play the games of a block one after the other. The same bits wherever this runs."""
    regret = {}
    for number in block.games:
        game = started(block.plan, number)
        game.advance(block.plan.n_rounds)
        regret[number] = game.regret
    return block.plan.trace(regret)


def play_plain(block: Mapping[str, Any]) -> Trace:
    """Play a block that came as plain data.

    A worker that cannot import a class of the user's own says so here, in an error that reaches
    the user; a class in the block itself would fail before, while the block is unpacked.
    """
    return play(Block(GamePlan.from_plain(block["plan"]), block["games"]))
