"""The plan of games: what is to be played. A trace is what was played."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from unirank.lab.simulation.game import Game
from unirank.lab.simulation.known_values import with_known_values
from unirank.lab.simulation.needs import check_needs
from unirank.lab.simulation.segment_game import SegmentGame
from unirank.lab.simulation.trace import Trace
from unirank.policies.base.policy import Policy
from unirank.policies.base.specs import (
    class_path,
    described,
    in_game,
    own_class_path,
    policy_class,
)
from unirank.registry import imported
from unirank.users.base import ClickModel
from unirank.users.objective import CLICKS, value_kernel
from unirank.users.segments import Segments


@dataclass(frozen=True, eq=False, kw_only=True)
class GamePlan:
    """One policy on one problem: all that the games of a trace have in common.

    Fields are checked by `plan_games`, not here. A field that `Trace` has means the same there.
    """

    policy: type[Policy]
    options: dict[str, Any]
    users: ClickModel
    n_positions: int
    n_rounds: int
    seed: int
    checkpoints: NDArray[np.int64]
    given_best: tuple[Any, ...] = ()  # what regret is measured against; by default the best ranking
    skip: bool = True
    objective: str = CLICKS
    experiment: str = ""
    experiment_version: int = 0
    problem: str = ""
    part: str = ""
    curve: str = ""

    @property
    def label(self) -> str:
        """Name in legends and folders, as `Trace.label`."""
        return self.curve or described(self.policy.name, self.options)

    @cached_property
    def best_ranking(self) -> tuple[Any, ...]:
        """What regret is measured against; the best ranking of each, where there are segments."""
        if self.given_best:
            return self.given_best
        if isinstance(self.users, Segments):
            return tuple(self.users.best_rankings(self.n_positions, self.objective))
        return self.users.best_ranking(self.n_positions, self.objective)

    def new_policy(self, order: NDArray[np.int64]) -> Policy:
        """Make the policy of one game, its item options renumbered by `order`."""
        options = in_game(self.policy, self.options, order)
        return self.policy(self.users.n_items, self.n_positions, seed=self.seed, **options)

    def new_game(self, number: int) -> Game:
        policy = self.new_policy(self.users.item_order(self.seed, number))
        given: dict[str, Any] = {
            "seed": self.seed,
            "game": number,
            "checkpoints": self.checkpoints,
            "skip": self.skip,
            "objective": self.objective,
        }
        if isinstance(self.users, Segments):
            bests = zip(self.users.users, self.best_ranking, strict=True)
            values = [model.value(best, self.objective) for model, best in bests]
            return SegmentGame(policy, self.users, best_values=values, **given)
        best_value = self.users.value(self.best_ranking, self.objective)
        return Game(policy, self.users, best_value=best_value, **given)

    def recipe(self) -> dict[str, Any]:
        """Return the recipe of a trace of these games, by the names of its attributes."""
        return {
            "experiment": self.experiment,
            "experiment_version": self.experiment_version,
            "policy": self.policy.name,
            "policy_class": own_class_path(self.policy),
            "algorithm": self.policy.algorithm,
            "options": dict(self.options),
            "curve": self.curve,
            "problem": self.problem,
            "part": self.part,
            "click_model": self.users.to_dict(),
            "click_model_class": own_class_path(type(self.users)),
            "n_positions": self.n_positions,
            "n_rounds": self.n_rounds,
            "seed": self.seed,
            "objective": self.objective,
        }

    def trace(
        self, regret: Mapping[int, NDArray[np.float64]], *, interrupted: bool = False
    ) -> Trace:
        """Return the trace of some games, given their regret by game number."""
        return Trace(
            **self.recipe(),
            best_ranking=[
                int(best) if isinstance(best, SupportsIndex) else list(map(int, best))
                for best in self.best_ranking
            ],
            games=np.array(sorted(regret), np.int64),
            rounds=self.checkpoints,
            regret=np.stack([regret[number] for number in sorted(regret)]),
            interrupted=interrupted,
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the plan without classes, for another process, which may not know them yet."""
        return {
            **{one.name: getattr(self, one.name) for one in fields(self)},
            "policy": class_path(self.policy),
            "users": self.users.to_dict(),
            "users_classes": [class_path(one) for one in classes_of(self.users)],
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "GamePlan":
        """Inverse of `to_plain`; import the policies and click models that are not ours."""
        content = dict(plain)
        for path in content.pop("users_classes"):
            imported(path)
        content["policy"] = policy_class(content["policy"])
        content["users"] = ClickModel.from_dict(content["users"])
        return cls(**content)


def classes_of(users: ClickModel) -> list[type[ClickModel]]:
    """Return the class of a click model, and that of the segments in it."""
    there = [type(users.users[0])] if isinstance(users, Segments) else []
    return [type(users), *there]


def plan_games(
    policy: type[Policy],
    options: Mapping[str, Any],
    users: ClickModel,
    *,
    n_positions: int,
    n_rounds: int,
    objective: str = CLICKS,
    **others: Any,
) -> GamePlan:
    """Check that the policy can play with these users; return its plan, told values filled in.

    `others` are further fields of the plan.
    """
    check_needs(policy, options, users, n_positions)
    value_kernel(users, objective)  # raises the error for users that it cannot measure
    return GamePlan(
        policy=policy,
        options=with_known_values(policy, options, users, n_positions, n_rounds, objective),
        users=users,
        n_positions=n_positions,
        n_rounds=n_rounds,
        objective=objective,
        **others,
    )
