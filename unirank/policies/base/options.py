"""Options of a policy: annotated class attributes, declared once.

    class UniRank(Policy):
        early: Literal["leader", "explore"] = "leader"
        budget: Literal["kl-ucb", "ln"] = "kl-ucb"

The constructor, its signature, validation, help, the table of needs, experiments and state files
all follow from these lines. An annotation is `int`, `float`, `bool`, `str`, `list[...]`,
`Literal[...]`, one of the kinds below, or one of these `| None`. An option without a default must
be given. A policy reads its options as `self.early`; they cannot change after construction.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.errors import ArgumentError

ItemId = int | str
Check = Callable[[str, Any], Any]  # (name, value) -> the value to keep, or an ArgumentError


@dataclass(frozen=True)
class Kind:
    """How an option is checked, and what the user of a policy must know to give it."""

    check: Check
    knows: str = ""
    meaning: str = ""  # for a parameter whose class says nothing else
    example: Callable[[tuple[ItemId, ...], int], Any] | None = None  # of (items, n_positions)
    holds_items: bool = False  # its value is a list of item ids
    item_axes: int = 0  # 1: its value has a number for each item; 2: for each pair of items


def _item_list(name: str, value: Any) -> list[ItemId]:
    if isinstance(value, str | bytes | int):
        raise ArgumentError(f"{name} must be a list of item ids, got {value!r}")
    return list(arguments.item_ids(value, name))


def _factors(name: str, value: Any) -> list[str]:
    found = [value] if isinstance(value, str) else arguments.plain_list(name, value)
    for factor in found:
        if not isinstance(factor, str):
            raise ArgumentError(
                f"{name} must be names of factors, such as ['device'], got {arguments.shown(value)}"
            )
    if len(set(found)) < len(found):
        raise ArgumentError(f"{name} must name each factor once, got {arguments.shown(value)}")
    return found


HORIZON = Kind(
    arguments.horizon,
    knows="horizon",
    meaning="Number of rounds to come.",
    example=lambda items, n_positions: 1000,
)
EXAMINATION = Kind(
    lambda name, value: arguments.probabilities(name, value).tolist(),
    knows="examination",
    meaning="Probability that users look at each position, nowhere increasing.",
    example=lambda items, n_positions: [1.0 / (1 + k) for k in range(n_positions)],
)
BEST_RANKING = Kind(
    _item_list,
    knows="the best ranking",
    example=lambda items, n_positions: list(items[:n_positions]),
    holds_items=True,
)
FACTORS = Kind(
    _factors,
    knows="the context",
    example=lambda items, n_positions: ["device"],
)
START_LIST = Kind(_item_list, knows="a start list", holds_items=True)
PER_ITEM = Kind(
    lambda name, value: arguments.numbers(name, value).tolist(),
    meaning="One number for each item, in the order of `items`.",
    example=lambda items, n_positions: [1.0 / (1 + n) for n in range(len(items))],
    item_axes=1,
)
PER_PAIR = Kind(
    lambda name, value: arguments.numbers(name, value, (None, None)).tolist(),
    meaning="A table with a row and a column for each item, in the order of `items`.",
    example=lambda items, n_positions: np.eye(len(items)).tolist(),
    item_axes=2,
)

Horizon = Annotated[int, HORIZON]  # rounds to come
Examination = Annotated[list[float], EXAMINATION]  # chance that each position is looked at
BestRanking = Annotated[list[ItemId], BEST_RANKING]
StartList = Annotated[list[ItemId], START_LIST]
PerItem = Annotated[list[float], PER_ITEM]
PerPair = Annotated[list[list[float]], PER_PAIR]
Factors = Annotated[list[str], FACTORS]  # what may differ between visitors
Positive = Annotated[float, Kind(arguments.positive)]
NonNegative = Annotated[float, Kind(arguments.non_negative)]
Probability = Annotated[float, Kind(arguments.probability)]
Count = Annotated[int, Kind(lambda name, value: arguments.integer(name, value, 1))]


class Option:
    """One declared option; read it on the policy, or on the class for its default."""

    REQUIRED: ClassVar = inspect.Parameter.empty

    def __init__(self, name: str, annotation: Any, default: Any = REQUIRED) -> None:
        self.name = name
        self.annotation = annotation
        self.default = default
        self.needed = default is self.REQUIRED
        self.kind = _kind(name, _without_none(annotation))
        self._may_be_none = annotation is not _without_none(annotation)

    def checked(self, value: Any, n_items: int | None = None) -> Any:
        """Return the value to keep; raise ArgumentError for one that breaks the rule.

        Without `n_items`, a value with numbers for each item may have any number of them.
        """
        if value is None and self._may_be_none:
            return None
        kept = self.kind.check(self.name, value)
        if n_items is None:
            return kept
        if self.kind.item_axes and np.shape(kept) != (n_items,) * self.kind.item_axes:
            wanted = (
                f"n_items={n_items} " + ("numbers", "rows and columns")[self.kind.item_axes - 1]
            )
            got = " x ".join(map(str, np.shape(kept)))
            raise ArgumentError(f"{self.name} must have {wanted}, one for each item, got {got}")
        return kept

    def reordered(self, value: Any, order: NDArray[np.int64]) -> Any:
        """Return a value with numbers for each item as it reads where item n is old order[n]."""
        if value is None or not self.kind.item_axes:
            return value
        kept = self.checked(value, len(order))
        return np.asarray(kept)[np.ix_(*[order] * self.kind.item_axes)].tolist()

    def __get__(self, policy: Any, cls: type[Any]) -> Any:
        if policy is not None:
            return policy.options[self.name]
        if self.needed:
            raise AttributeError(f"option {self.name} of {cls.__name__} has no default")
        return self.default

    def __set__(self, policy: Any, value: Any) -> None:
        raise AttributeError(
            f"{self.name} is an option of {type(policy).__name__}: give it to the constructor"
        )


def declared_options(cls: type[Any], inherited: Mapping[str, Option]) -> dict[str, Option]:
    """Return the options of a class: those of its parents, then those of its own annotations."""
    annotations = {
        name: annotation
        for name, annotation in inspect.get_annotations(cls, eval_str=True).items()
        if not (name.startswith("_") or annotation is ClassVar)
        and str(get_origin(annotation)) != "typing.ClassVar"
    }
    found = dict(inherited)
    for name, option in inherited.items():  # a subclass may assign another default
        if name in vars(cls) and name not in annotations:
            found[name] = Option(name, option.annotation, vars(cls)[name])
    for name, annotation in annotations.items():
        found[name] = Option(name, annotation, vars(cls).get(name, Option.REQUIRED))
    return found


def check_new_item(
    item: ItemId, declared: Mapping[str, Option], options: Mapping[str, Any]
) -> None:
    """Raise ArgumentError if an option has numbers for each item: it has none for a new one."""
    for name, option in declared.items():
        if option.kind.item_axes and options[name] is not None:
            raise ArgumentError(
                f"item must be known where {name} has numbers for each item, got {item!r}: make a "
                f"new policy with {name} for all items"
            )


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        rest = [part for part in get_args(annotation) if part is not NoneType]
        return rest[0] if len(rest) == 1 else annotation
    return annotation


def _kind(name: str, annotation: Any) -> Kind:
    """Return the kind of an annotation; a plain type becomes a kind that checks the type."""
    for part in getattr(annotation, "__metadata__", ()):
        if isinstance(part, Kind):
            return part
    if get_origin(annotation) is Literal:
        known = get_args(annotation)
        return Kind(lambda name, value: arguments.choice(name, value, known))
    plain: dict[Any, Check] = {
        int: arguments.whole_number,
        float: arguments.number,
        bool: arguments.truth,
        str: arguments.text,
        list: arguments.plain_list,
    }
    kind = get_origin(annotation) or annotation
    if kind not in plain:
        raise TypeError(
            f"option {name} must be annotated with int, float, bool, str, list, Literal[...] or a "
            f"kind of unirank.policies.base.options, got {annotation!r}"
        )
    return Kind(plain[kind])
