"""Segments of visitors: each visitor belongs to one segment, and clicks as the users of it do.

Which segment the visitor of a round belongs to is a random number of the users' stream, at a place
of its own. So every policy meets the same visitors, and the clicks of a visitor are those that the
segment's own click model gives to the user of that round.

The parameters of all segments lie in one array per field, with the segments along its first axis:
compiled code is the same for two segments and for two hundred.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.kernels.compiling import (
    allocates,
    bind,
    compiled,
    compiled_allocating,
)
from unirank.policies.kernels.randomness import (
    DRAW_BITS,
    USERS,
    Rng,
    at_round,
    stream_key,
    uniform,
)
from unirank.policies.plain.assignment import best_assignment
from unirank.users.base import ClickKernels, ClickModel, registry
from unirank.users.objective import CLICKS
from unirank.users.position_based import PBM

Context = Mapping[str, str]  # factor -> level

SEGMENT_DRAW = 2**DRAW_BITS - 1  # clicks read the first two numbers per item
SUM_TOLERANCE = 1e-9  # of the shares, which people add up in decimals


class Parameters(NamedTuple):
    shares: NDArray[np.float64]  # (n_segments,)
    ends: NDArray[np.float64]  # (n_segments,) sums of the shares up to each segment
    stacked: tuple[NDArray[Any], ...]  # each field of the click model, (n_segments, ...)


@compiled
def segment_of(model: Parameters, rng: Rng) -> int:
    """Number of the segment that the visitor of a round belongs to."""
    place = uniform(rng, SEGMENT_DRAW)
    segment = 0
    for other in range(model.ends.size - 1):  # without a jump: which it is cannot be foreseen
        segment += place >= model.ends[other]
    return segment


@compiled
def count_visitors(
    model: Parameters, key: np.uint64, rounds: NDArray[np.int64], counts: NDArray[np.int64]
) -> None:
    """Count the visitors of each segment (column) in the first rounds[r] rounds (row r)."""
    round_ = 0
    for row in range(rounds.size):
        if row > 0:
            for segment in range(model.shares.size):
                counts[row, segment] = counts[row - 1, segment]
        while round_ < rounds[row]:
            round_ += 1
            counts[row, segment_of(model, at_round(key, round_))] += 1


def bound_later(*_: Any) -> Any:
    """Placeholder for the functions that `bind` puts in."""
    raise AssertionError("the kernels of segments must be bound to a click model")


rest = fields = named = bound_later  # how one segment's parameters are taken out
in_segment = click_there = chances_there = after_click_there = bound_later


# Compiled code cannot loop over a tuple of arrays of different types: each field takes a function
# of its own, which calls that of the fields before it.


def first_field(stacked: Any, segment: int) -> Any:
    return (stacked[0][segment],)


def next_field(stacked: Any, segment: int) -> Any:
    return rest(stacked[:-1], segment) + (stacked[-1][segment],)  # noqa: RUF005 - numba reads no *


def named_fields(model: Parameters, segment: int) -> Any:
    """Parameters of one segment, as its click model reads them."""
    return named(*fields(model.stacked, segment))


def click(
    model: Parameters, ranking: NDArray[np.int64], rng: Rng, clicks: NDArray[np.bool_]
) -> None:
    click_there(in_segment(model, segment_of(model, rng)), ranking, rng, clicks)


@compiled_allocating
def mean_chances(
    model: Parameters, ranking: NDArray[np.int64], chances: NDArray[np.float64]
) -> float:
    """Mean over the segments of a chance at each position, and of its sum."""
    there = np.empty(ranking.size)
    chances[:] = 0.0
    total = 0.0
    for segment in range(model.shares.size):
        share = model.shares[segment]
        total += share * chances_there(in_segment(model, segment), ranking, there)
        for position in range(ranking.size):
            chances[position] += share * there[position]
    return total


@compiled_allocating
def expected_after_click(
    model: Parameters, ranking: NDArray[np.int64], position: int, expected: NDArray[np.float64]
) -> None:
    """Who has clicked at `position` is the likelier of a segment, the more it clicks there."""
    there = np.empty(ranking.size)
    expected[:] = 0.0
    clicked = 0.0
    for segment in range(model.shares.size):
        users = in_segment(model, segment)
        chances_there(users, ranking, there)
        weight = model.shares[segment] * there[position]
        if weight > 0.0:
            clicked += weight
            after_click_there(users, ranking, position, there)
            for below in range(position + 1, ranking.size):
                expected[below] += weight * there[below]
    if clicked > 0.0:
        for below in range(position + 1, ranking.size):
            expected[below] /= clicked


@cache
def reader(users: Any, parameters: Any, *, allocating: bool) -> Any:
    """Return the kernel that takes one segment's parameters out of the stacked ones.

    `users` is a class of click models, `parameters` that of its parameters. The kernel returns
    parts of arrays: `allocating` says whether its callers may create arrays.
    """
    kind = compiled_allocating if allocating else compiled
    label = f"segments-of-{users.name}"
    taken = bind(kind(first_field), label)
    for _ in parameters._fields[1:]:
        taken = bind(kind(next_field), label, rest=taken)
    return bind(kind(named_fields), label, fields=taken, named=parameters)


@cache
def kernels_of(users: Any, parameters: Any) -> ClickKernels:
    """Return the kernels of segments whose users are of one click model."""
    label = f"segments-of-{users.name}"
    there = users.kernels
    mean_of = {"in_segment": reader(users, parameters, allocating=True)}
    first_click = after_click = None
    if there.first_click is not None:
        first_click = bind(mean_chances, label, **mean_of, chances_there=there.first_click)
    if there.expected_after_click is not None:
        mean_there = {**mean_of, "chances_there": there.expected_clicks}
        after_click = bind(
            expected_after_click, label, **mean_there, after_click_there=there.expected_after_click
        )
    in_segment = reader(users, parameters, allocating=allocates(there.click))
    return ClickKernels(
        bind(click, label, in_segment=in_segment, click_there=there.click),
        bind(mean_chances, label, **mean_of, chances_there=there.expected_clicks),
        after_click,
        first_click,
    )


@registry.register("segments")
class Segments(ClickModel):
    """Visitors of several segments, each with a context, a share and a click model of its own.

    `expected_clicks` and `best_ranking` are those of all visitors together: the mean over the
    segments, and the best one list for all. `best_rankings` has the best list of each segment,
    against which `simulate` measures regret.

    Parameters
    ----------
    contexts
        What can be known of the visitors of each segment: factors with their levels, such as
        {"device": "mobile"}. All have the same factors.
    shares
        The share of the visitors who belong to each segment: positive numbers that sum to 1.
    users
        The click model of each segment. All are of one class, with as many items and positions.

    Examples
    --------
    >>> from unirank.users import PBM
    >>> looks = [1.0, 0.5]
    >>> users = Segments(
    ...     contexts=[{"device": "mobile"}, {"device": "desktop"}],
    ...     shares=[0.7, 0.3],
    ...     users=[PBM([0.5, 0.1, 0.3], looks), PBM([0.1, 0.5, 0.3], looks)],
    ... )
    >>> users.best_ranking(2)
    (0, 2)
    >>> users.best_rankings(2)
    [(0, 2), (1, 2)]
    """

    per_item = ()
    contexts: tuple[dict[str, str], ...]
    shares: NDArray[np.float64]  # (n_segments,)
    users: tuple[ClickModel, ...]

    def __init__(
        self,
        contexts: Sequence[Context],
        shares: Sequence[float],
        users: Sequence[ClickModel | dict[str, Any]],
    ) -> None:
        found = _contexts(contexts)
        models = _users(users, len(found))
        checked = _shares(shares, len(found))
        parameters = Parameters(checked, np.cumsum(checked), stacked(_parameters(models)))
        super().__init__(
            parameters,
            models[0].n_positions,
            contexts=found,
            shares=checked,
            users=models,
        )
        self.settings["contexts"] = [dict(context) for context in found]
        self.settings["users"] = [model.to_dict() for model in models]
        there: Any = type(models[0])
        its_parameters: Any = type(models[0].parameters)
        self.kernels = kernels_of(there, its_parameters)

    @property
    def factors(self) -> tuple[str, ...]:
        """Names of what is known of a visitor, such as "device"."""
        return tuple(self.contexts[0])

    def best_rankings(self, n_positions: int, objective: str = CLICKS) -> list[tuple[int, ...]]:
        """Return the best ranking of each segment."""
        return [model.best_ranking(n_positions, objective) for model in self.users]

    def visitors(self, rounds: Iterable[int], *, seed: int, game: int = 0) -> NDArray[np.int64]:
        """Count the visitors of each segment among those of the first rounds of a game.

        Parameters
        ----------
        rounds
            Numbers of rounds, ascending.
        seed
            The seed of the simulation.
        game
            The number of the game.

        Returns
        -------
        array of int
            By number of rounds (row) and segment (column).
        """
        upto = np.array(list(rounds), np.int64)
        counts = np.zeros((len(upto), len(self.users)), np.int64)
        count_visitors(self.parameters, stream_key(seed, game, USERS), upto, counts)
        return counts

    def reader(self, *, allocating: bool) -> Any:
        """Return the kernel that takes one segment's parameters out of those of all."""
        there: Any = type(self.users[0])
        its_parameters: Any = type(self.users[0].parameters)
        return reader(there, its_parameters, allocating=allocating)

    def item_order(self, seed: int, game: int) -> NDArray[np.int64]:
        return self.users[0].item_order(seed, game)

    def shuffled(self, order: NDArray[np.int64]) -> Parameters:
        moved = [model.shuffled(order) for model in self.users]
        return self.parameters._replace(stacked=stacked(moved))

    def _count_items(self) -> int:
        return self.users[0].n_items

    def _best_ranking(self, n_positions: int) -> NDArray[np.int64]:
        agreed = self._agreed_ranking(n_positions, CLICKS)
        if agreed is not None:
            return agreed
        if not isinstance(self.users[0], PBM):
            return super()._best_ranking(n_positions)
        weights = np.zeros((n_positions, self.n_items))  # each item adds its own, wherever it is
        for share, model in zip(self.shares, self.users, strict=True):
            there = model.parameters
            weights += share * np.outer(there.examination[:n_positions], there.attraction)
        return np.array(best_assignment(weights.tolist()))

    def _best_first_click(self, n_positions: int, objective: str) -> NDArray[np.int64]:
        agreed = self._agreed_ranking(n_positions, objective)
        if agreed is not None:
            return agreed
        return super()._best_first_click(n_positions, objective)

    def _agreed_ranking(self, n_positions: int, objective: str) -> NDArray[np.int64] | None:
        """Return the best ranking of all segments if it is one and the same, else None."""
        first, *others = self.best_rankings(n_positions, objective)
        return np.array(first) if all(other == first for other in others) else None


def stacked(parameters: Sequence[Any]) -> tuple[NDArray[Any], ...]:
    """Put the parameters of the segments into one array per field."""
    return tuple(np.stack(values) for values in zip(*parameters, strict=True))


def _contexts(contexts: object) -> tuple[dict[str, str], ...]:
    given = arguments.plain_list("contexts", contexts)
    if not given:
        raise ArgumentError("contexts must have one for each segment, got []")
    for number, context in enumerate(given):
        named = f"contexts[{number}]"
        if not isinstance(context, Mapping) or not all(
            isinstance(text, str) for pair in context.items() for text in pair
        ):
            raise ArgumentError(
                f"{named} must be factors with their levels, all texts, such as "
                f'{{"device": "mobile"}}, got {arguments.shown(context)}'
            )
        if context.keys() != given[0].keys():
            raise ArgumentError(
                f"{named} must have the factors of the first, {sorted(given[0])}, "
                f"got {sorted(context)}"
            )
        if dict(context) in given[:number]:
            raise ArgumentError(
                f"{named} must differ from those before: put segments that cannot be told apart "
                f"into one, got {dict(context)} again"
            )
    return tuple({factor: context[factor] for factor in given[0]} for context in given)


def _shares(shares: object, n_segments: int) -> NDArray[np.float64]:
    found = arguments.probabilities("shares", arguments.plain_list("shares", shares), (n_segments,))
    if (found == 0).any():
        raise ArgumentError(f"shares must be above 0: leave such segments out, got {shares!r:.80}")
    total = float(found.sum())
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise ArgumentError(
            f"shares must sum to 1, got {found.tolist()}, which sum to {total:g}: divide each by it"
        )
    return found


def _users(users: object, n_segments: int) -> tuple[ClickModel, ...]:
    given = arguments.plain_list("users", users)
    if len(given) != n_segments:
        raise ArgumentError(
            f"users must be one click model for each of the {n_segments} contexts, got {len(given)}"
        )
    models = [ClickModel.from_dict(each) if isinstance(each, dict) else each for each in given]
    first = models[0]
    for number, model in enumerate(models):
        if not isinstance(model, ClickModel) or isinstance(model, Segments):
            raise ArgumentError(
                f"users[{number}] must be a click model of one segment, "
                f"got {arguments.shown(model)}"
            )
        if type(model) is not type(first):
            raise ArgumentError(
                f"users must be of one click model, got {first.name!r} and {model.name!r}"
            )
        for size in ("n_items", "n_positions"):
            if getattr(model, size) != getattr(first, size):
                raise ArgumentError(
                    f"users must have the same {size}, got {getattr(first, size)} and "
                    f"{getattr(model, size)}"
                )
    return tuple(models)


def _parameters(models: Sequence[ClickModel]) -> list[Any]:
    """Parameters of click models that are numbers and arrays of numbers, which can be stacked."""
    for name, value in models[0].parameters._asdict().items():
        if np.asarray(value).dtype.kind not in "biuf":
            raise ArgumentError(
                f"users must be click models whose parameters are numbers or arrays of numbers, "
                f"got {name}={value!r:.60} of {models[0].name!r}"
            )
    return [model.parameters for model in models]
