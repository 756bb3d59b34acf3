"""What a class of policies declares: its name, facts, kernels and options, checked once per class.

The constructor, its signature, help texts, tables, experiments and state files follow from it.
"""

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.policies.base.facts import Facts, require_fact
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.base.options import ItemId, Option, declared_options

SHARED_OPTIONS = ("max_pending", "position_order")  # options of every policy, besides the seed
NEEDED_FACTS = {"start": "start", "trust": "start", "half_life": "forgetting"}  # by option
TAKEN = {
    *("items", "n_items", "n_positions", "seed", "options", "round", "state", "token_key"),
    "context",  # of a plain policy: the visitor of the round
    *SHARED_OPTIONS,
    *NEEDED_FACTS,
}


class Declared:
    """The declarations of a class of policies; `Policy` derives from it."""

    name: ClassVar[str]
    facts: ClassVar[Facts] = Facts()
    algorithm: ClassVar[int] = 1  # raised when equal seeds and clicks begin to give other rankings
    kernels: ClassVar[PolicyKernels]
    declared: ClassVar[dict[str, Option]] = {}  # the options, by name
    item_options: ClassVar[tuple[str, ...]] = ()  # those that are lists of items
    pair_bytes: ClassVar[int] = 0  # of the state, for each pair of items
    kept_pairs: ClassVar[str] = ""  # table of the state with which a restricted one is kept
    __signature__: ClassVar[inspect.Signature]

    @classmethod
    def _declare(cls, policy: type[Any]) -> None:
        """Read the declarations of a new class, which derives from `policy`."""
        if "__init__" in vars(cls):
            raise TypeError(
                f"{cls.__name__} must not define __init__: declare options as annotated attributes "
                "(depth: int = 3) and build the state in initial_state(), or start() of a "
                "PlainPolicy; what __init__ keeps on self would be lost by save()"
            )
        if "name" not in vars(cls):
            cls.name = cls.__name__
        cls.declared = declared_options(cls, cls.declared)
        for name, option in cls.declared.items():
            if hasattr(policy, name) or name in TAKEN:
                raise TypeError(f"{cls.__name__} must not call an option {name!r}: it is taken")
            setattr(cls, name, option)
        cls.item_options = tuple(n for n, o in cls.declared.items() if o.kind.holds_items)
        cls.__signature__ = _signature(cls, policy)

    @classmethod
    def option_names(cls, *, needed: bool = False) -> list[str]:
        """Names of the options, those of every policy included; or of those without a default."""
        own = [name for name, option in cls.declared.items() if option.needed or not needed]
        able = [name for name, fact in NEEDED_FACTS.items() if getattr(cls.facts, fact)]
        return own if needed else [*own, *able, *SHARED_OPTIONS]

    @classmethod
    def check_options(cls, options: Mapping[str, Any]) -> None:
        """Raise ArgumentError for unknown or missing options."""
        for option in options:
            if option in NEEDED_FACTS:
                require_fact(cls, NEEDED_FACTS[option], f"use {option}")
            arguments.choice(f"option of {cls.name}:", option, cls.option_names())
        needed = [name for name in cls.option_names(needed=True) if name not in options]
        if needed:
            example = ", ".join(f'"{name}": ...' for name in needed)
            raise ArgumentError(
                f"policy {cls.name!r} needs {', '.join(needed)}: "
                f'pass ("{cls.name}", {{{example}}}), '
                f"or on the command line {cls.name}({'=..., '.join(needed)}=...)"
            )

    @classmethod
    def example_options(cls, items: tuple[ItemId, ...], n_positions: int) -> dict[str, Any]:
        """Options with which the contract is checked: at least those that are needed."""
        return {
            name: option.kind.example(items, n_positions)
            for name, option in cls.declared.items()
            if option.needed and option.kind.example
        }

    @classmethod
    def memory_needed(cls, n_items: int, n_positions: int) -> int:
        """Bytes of such a policy, roughly, and rather too many than too few."""
        return n_items * (300 + 150 * n_positions) + cls.pair_bytes * n_items**2


def _signature(cls: type[Declared], policy: type[Any]) -> inspect.Signature:
    """The constructor's signature, with the declared options in place of **options."""
    shared = inspect.signature(policy.__init__).parameters.values()
    first = [p for p in shared if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"]
    last = [p for p in shared if p.kind is p.KEYWORD_ONLY]
    own = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=option.annotation,
        )
        for name, option in cls.declared.items()
    ]
    return inspect.Signature([*first, *own, *last])
