"""Typed facts about a policy, and the registry of policies by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from unirank.errors import ArgumentError
from unirank.policies.base.options import HORIZON, Option
from unirank.registry import Registry

if TYPE_CHECKING:
    from unirank.policies.base.declared import Declared
    from unirank.policies.base.policy import Policy

Clicks = Literal["any", "position-based", "cascade", "dependent clicks", "no position bias"]
C = TypeVar("C", bound="type[Policy]")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts that tables show and that code decides on."""

    spelled: str = ""  # its name in tables and legends, if it is not that of the class
    paper: str = ""
    clicks: Clicks = "any"  # the click models that its theory covers
    position_order: bool = False  # needs positions by decreasing examination
    assumes: str = ""  # anything else that must be known of the page
    lists: str = ""  # which lists it shows
    regret: str = ""  # its bound
    logarithmic: bool = False  # whether that bound grows like log T
    availability: bool = False  # rank(available=...) chooses among these only
    catalogue: bool = False  # add and remove items
    merge: bool = False  # statistics are counters: copies that ran apart become one
    start: bool = False  # start=...: it begins with an order, and can learn that it is wrong
    forgetting: bool = False  # half_life=...: old clicks count less and less


class PolicyRegistry(Registry["type[Policy]"]):
    """Names of policies. Plain editions have names of their own, which lists leave out."""

    def __init__(self) -> None:
        super().__init__("policy")
        self.plain: Registry[type[Policy]] = Registry("plain policy")

    def register(self, name: str, **facts: object) -> Callable[[C], C]:
        """Class decorator: make the class known as `name`, with the `Facts` given here."""

        def add(cls: C) -> C:
            cls.facts = Facts(**facts)  # type: ignore[arg-type]
            super(PolicyRegistry, self).register(name, **table_row(cls))(cls)
            return cls

        return add

    def register_plain(self, compiled: "type[Policy]") -> Callable[[C], C]:
        """Class decorator: make the class known as the plain edition of a compiled policy."""

        def add(cls: C) -> C:
            cls.facts = compiled.facts
            self.plain.register(f"plain-{compiled.name}", **table_row(cls))(cls)
            return cls

        return add

    def __getitem__(self, name: str) -> "type[Policy]":
        if isinstance(name, str) and name.startswith("plain-"):
            known = self._entries.get(name.removeprefix("plain-"))
            is_plain = known is not None and not known.cls.kernels.compiled
            return known.cls if known is not None and is_plain else self.plain[name]
        return super().__getitem__(name)


registry = PolicyRegistry()


def display_name(policy: str) -> str:
    """Return how people write the name of a registered policy: "PB-MHB" of "pb-mhb".

    Command lines, files and JSON keep the registered name. The name of any other class is its own.
    """
    name = policy.removeprefix("plain-")
    if name not in registry.names():
        return policy
    cls = registry[name]
    spelled = cls.facts.spelled or cls.__name__
    return spelled if name == policy else f"{spelled}, plain"


def display_label(policy: str, label: str) -> str:
    """Return a label with the policy's name, if it begins with it, as people write it."""
    if label == policy or label.startswith(f"{policy} ("):
        return display_name(policy) + label[len(policy) :]
    return label


ABILITIES = {
    "availability": "available",
    "catalogue": "add/remove",
    "merge": "merge",
    "start": "start",
    "forgetting": "half-life",
}  # facts -> columns


def names_with(fact: str) -> list[str]:
    """Registered policies of which this fact is true."""
    return [entry.name for entry in registry if getattr(entry.cls.facts, fact)]


def require_fact(cls: "type[Declared]", fact: str, what: str) -> None:
    """Raise an ArgumentError that names the policies that can, unless this one can."""
    if not getattr(cls.facts, fact):
        raise ArgumentError(f"{cls.name} cannot {what}; these can: {', '.join(names_with(fact))}")


def table_row(cls: "type[Policy]") -> dict[str, str]:
    """Return the columns of the table of policies, from facts and options."""
    facts, options = cls.facts, cls.declared.values()
    given = [o.kind.knows for o in options if o.needed and o.kind.knows and not _is_horizon(o)]
    may = [o.kind.knows for o in options if not o.needed and o.kind.knows and not _is_horizon(o)]
    order = ["position order"] if facts.position_order else []
    knows = [*given, *order, *may, *filter(None, [facts.assumes])]
    horizon = [o for o in options if _is_horizon(o)]
    return {
        "paper": facts.paper,
        "clicks": facts.clicks,
        "knows": ", ".join(knows) or "nothing",
        "horizon": "no" if not horizon else "yes" if horizon[0].needed else "optional",
        "lists": facts.lists,
        "regret": facts.regret,
        **{column: "yes" if getattr(facts, fact) else "no" for fact, column in ABILITIES.items()},
    }


def _is_horizon(option: Option) -> bool:
    return option.kind is HORIZON
