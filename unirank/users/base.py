"""The base class of click models: parameters, compiled functions, and a thin object around them.

A click model's file defines a `Parameters` NamedTuple and two compiled functions,

    click(model, ranking, rng, clicks)                one user's clicks, by position
    expected_clicks(model, ranking, expected) -> sum  exact click probabilities, by position

and a third one, which `unirank.lab.theory` needs to compare two items of a ranking:

    expected_after_click(model, ranking, position, expected)

It fills `expected` below `position` with the click probabilities given a click at `position`. A
fourth one is needed to measure regret in other objectives than clicks (`objective.py`):

    first_click(model, ranking, chances) -> sum       probability of the first click, by position

The random numbers of a user are addressed by item: draw i decides the click on item i, and draw
n_items + i whether the user reads on past it. So two policies that show a user the same item in the
same place see the same click.
"""

import json
import sys
from collections.abc import Callable, Sequence
from math import perm
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import bind
from unirank.policies.kernels.randomness import LARGEST_ROUND, MOST_ITEMS, USERS, address
from unirank.policies.kernels.shuffling import game_order
from unirank.registry import Registry, imported
from unirank.users.objective import CLICKS, first_click_kernel, value_kernel
from unirank.users.search import all_rankings, fill_values

registry: Registry[type["ClickModel"]] = Registry("click model")

MOST_RANKINGS = 5_000_000  # an exhaustive search beyond this is refused


class ClickKernels(NamedTuple):
    """The compiled functions of a click model."""

    click: Callable[..., None]
    expected_clicks: Callable[..., float]
    expected_after_click: Callable[..., None] | None = None
    first_click: Callable[..., float] | None = None


class ClickModel:
    """How people click on a ranking; see the subclasses.

    The constructor's arguments are attributes, such as `users.attraction`; they cannot change.

    Parameters
    ----------
    parameters
        What the compiled functions read: the NamedTuple of the model's file.
    n_positions
        The longest ranking that the parameters describe.
    settings
        The arguments of the subclass's constructor.

    Attributes
    ----------
    n_items
        Number of items.
    n_positions
        The longest ranking that the parameters describe.
    """

    name: ClassVar[str]
    kernels: ClickKernels  # of the class, unless they depend on the parameters
    per_item: ClassVar[tuple[str, ...]] = ("attraction",)  # parameters that follow the items
    attraction: NDArray[np.float64]  # (n_items,)

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "name" not in vars(cls):  # not inherited: a subclass may click otherwise
            cls.name = cls.__name__

    def __init__(self, parameters: Any, n_positions: int, **settings: Any) -> None:
        vars(self).update(settings)
        self.parameters = parameters
        self.n_items = arguments.integer("n_items", self._count_items(), 1, MOST_ITEMS)
        self.n_positions = n_positions
        self.settings = {key: _plain(value) for key, value in settings.items()}

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self).get("settings", ()):
            raise AttributeError(f"{name} of a click model cannot change: make a new click model")
        super().__setattr__(name, value)

    def _count_items(self) -> int:
        return len(self.parameters.attraction)

    def draw_clicks(
        self, ranking: Sequence[int], *, seed: int, game: int = 0, round: int = 1
    ) -> NDArray[np.bool_]:
        """Clicks of one user by position: the user of that round of that game of that seed.

        Returns
        -------
        array of bool
            Whether each position was clicked.
        """
        shown = self._ranking(ranking)
        clicks = np.zeros(len(shown), np.bool_)
        game = arguments.integer("game", game, 0, arguments.LARGEST_SEED)
        round = arguments.integer("round", round, 1, LARGEST_ROUND)
        rng = address(arguments.seed(seed), game, USERS, round)
        self.kernels.click(self.parameters, shown, rng, clicks)
        return clicks

    def expected_clicks(self, ranking: Sequence[int]) -> NDArray[np.float64]:
        """Exact probability of a click at each position."""
        shown = self._ranking(ranking)
        expected = np.zeros(len(shown))
        self.kernels.expected_clicks(self.parameters, shown, expected)
        return expected

    def first_click(self, ranking: Sequence[int]) -> NDArray[np.float64]:
        """Exact probability that the first click, the topmost one, is at each position."""
        shown = self._ranking(ranking)
        chances = np.zeros(len(shown))
        first_click_kernel(self)(self.parameters, shown, chances)
        return chances

    def joint_clicks(self, ranking: Sequence[int]) -> NDArray[np.float64]:
        """Exact probability of a click at both of two positions; the diagonal is each one's."""
        shown = self._ranking(ranking)
        joint = np.diag(self.expected_clicks(ranking))
        expected = np.zeros(len(shown))
        after_click = self.second_click()
        for k in range(len(shown)):
            after_click(self.parameters, shown, k, expected)
            joint[k, k + 1 :] = joint[k + 1 :, k] = joint[k, k] * expected[k + 1 :]
        return joint

    def second_click(self) -> Callable[..., None]:
        """Return the kernel `expected_after_click`, which a model may lack."""
        if self.kernels.expected_after_click is None:
            raise ArgumentError(
                f"click model {self.name!r} cannot compare two items of a ranking: add "
                f"expected_after_click to its ClickKernels, got None"
            )
        return self.kernels.expected_after_click

    def value(self, ranking: Sequence[int], objective: str = CLICKS) -> float:
        """Exact expected number of clicks on the whole ranking, or its value in an objective."""
        shown = self._ranking(ranking)
        value = value_kernel(self, objective)
        return float(value(self.parameters, shown, np.zeros(len(shown))))

    def best_ranking(self, n_positions: int, objective: str = CLICKS) -> tuple[int, ...]:
        """Return a ranking of `n_positions` items with the largest value."""
        n_positions = self.check_n_positions(n_positions)
        value_kernel(self, objective)  # for its error only, before a long search
        if objective == CLICKS:
            best = self._best_ranking(n_positions)
        else:
            best = self._best_first_click(n_positions, objective)
        return tuple(int(item) for item in best)

    def best_value(self, n_positions: int, objective: str = CLICKS) -> float:
        """Return the value of the best ranking."""
        return self.value(self.best_ranking(n_positions, objective), objective)

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        """Search all rankings for the most clicked; a model with a closed form overrides this."""
        return self.search(np.arange(self.n_items), n_positions)

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        """As `_best_ranking`, for the objectives "any-click" and "first-click"."""
        return self.search(np.arange(self.n_items), n_positions, objective)

    def search(
        self, items: NDArray[np.int64], n_positions: int, objective: str = CLICKS
    ) -> NDArray[np.int64]:
        """Try all rankings of some items; return the first of the best.

        Parameters
        ----------
        items
            Indices of the items to rank.
        """
        n_rankings = perm(len(items), n_positions)
        if n_rankings > MOST_RANKINGS:
            raise ArgumentError(
                f"best_ranking must be given here: {self.name} has no closed form and "
                f"{n_positions} of {len(items)} items make {n_rankings:,} rankings to search, "
                f"more than {MOST_RANKINGS:,}; pass best_ranking=[...] to measure regret against it"
            )
        best, most = np.empty(0, np.int64), -1.0
        for places in all_rankings(len(items), n_positions):
            rankings = items[places]
            values = self.values(rankings, objective)
            if values.max() > most:
                best, most = rankings[values.argmax()], values.max()
        return best

    def values(self, rankings: NDArray[np.int64], objective: str = CLICKS) -> NDArray[np.float64]:
        """Exact value of each row of an array of valid rankings.

        Parameters
        ----------
        rankings
            One ranking of item indices per row.
        """
        fill: Any = bind(fill_values, self.name, value=value_kernel(self, objective))
        values = np.zeros(len(rankings))
        fill(self.parameters, rankings, np.zeros(rankings.shape[1]), values)
        return values

    def check_n_positions(self, n_positions: int) -> int:
        """Return `n_positions` if this model describes rankings that long."""
        n_items = arguments.integer("n_positions", n_positions, 1, self.n_items, "n_items=")
        return arguments.integer(
            "n_positions", n_items, 1, self.n_positions, "positions of the click model="
        )

    def item_order(self, seed: int, game: int) -> NDArray[np.int64]:
        """Order of the items in one game: a policy's item n is this click model's order[n]."""
        return game_order(self.n_items, seed, game)

    def shuffled(self, order: NDArray[np.int64]) -> Any:
        """Compiled parameters of the same model with items renamed: new item n is old order[n].

        Parameters
        ----------
        order
            Old item indices in their new order.
        """
        moved = {field: getattr(self.parameters, field)[order] for field in self.per_item}
        return self.parameters._replace(**moved)

    def to_dict(self) -> dict[str, Any]:
        return {"click_model": self.spelling(), **self.settings}

    @classmethod
    def spelling(cls) -> str:
        """How `from_dict` finds the class: its registered name, or module:Class."""
        known = cls.name in registry.names() and registry[cls.name] is cls
        return cls.name if known else f"{cls.__module__}:{cls.__qualname__}"

    def to_json(self) -> str:
        return json.dumps(self.to_dict())

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Self:
        """Inverse of `to_dict`; `ClickModel.from_dict` accepts any model.

        Parameters
        ----------
        fields
            The name of the model under "click_model", and its parameters.
        """
        if not isinstance(fields, dict) or "click_model" not in fields:
            raise ArgumentError(f"a click model needs the key 'click_model', got {fields!r:.80}")
        settings = {key: value for key, value in fields.items() if key != "click_model"}
        model = click_model_class(fields["click_model"])
        if not issubclass(model, cls):
            raise ArgumentError(f"click_model must be {cls.name!r}, got {model.name!r}")
        try:
            return model(**settings)
        except TypeError as error:
            reason = str(error).split("__init__() ")[-1]
            raise ArgumentError(f"click model {model.name!r}: {reason}") from None

    @classmethod
    def from_json(cls, text: str) -> Self:
        try:
            fields = json.loads(text)
        except ValueError as error:
            raise ArgumentError(f"click model is not valid JSON: {error}") from None
        return cls.from_dict(fields)

    def __repr__(self) -> str:
        fields = ", ".join(f"{key}={value!r}" for key, value in self.settings.items())
        return f"{type(self).__name__}({fields})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def _ranking(self, ranking: Sequence[int]) -> NDArray[np.int64]:
        items = [
            arguments.integer(f"ranking[{k}]", item, 0, self.n_items - 1, "n_items-1=")
            for k, item in enumerate(ranking)
        ]
        arguments.integer("len(ranking)", len(items), 1, self.n_positions, "n_positions=")
        if len(set(items)) < len(items):
            raise ArgumentError(f"ranking must not repeat an item, got {items}")
        return np.array(items, np.int64)


def click_model_class(name: str) -> type[ClickModel]:
    """Return the class that a registered name or "module:Class" stands for.

    The module must have been imported: a file of results never makes us import anything.
    """
    if not isinstance(name, str) or ":" not in name:
        return registry[name]
    module = name.partition(":")[0]
    if module not in sys.modules:
        raise ArgumentError(f"click model {name!r} is not known yet: import {module} first")
    cls = imported(name)
    if not (isinstance(cls, type) and issubclass(cls, ClickModel)):
        raise ArgumentError(f"click_model must be a name or a ClickModel class, got {name!r}")
    return cls


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value
