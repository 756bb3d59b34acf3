"""Every twin by the name of its policy, built from the same options: for the table of times."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.reference.cascading import CascadeKLUCBTwin, CascadeUCB1Twin, DCMKLUCBTwin
from tests.reference.grab import GRABTwin, SGRABTwin
from tests.reference.kl_comb_ucb import KLCombUCB1Twin
from tests.reference.osub import OSUBTwin

Build = Callable[[int, int, Mapping[str, Any]], Any]


def seeded(cls: Callable[..., Any], **fixed: Any) -> Build:
    def build(n_items: int, n_positions: int, options: Mapping[str, Any]) -> Any:
        return cls(n_items, n_positions, seed=0, **fixed, **options)

    return build


TWINS: dict[str, Build] = {
    "cascade-kl-ucb": seeded(CascadeKLUCBTwin),
    "cascade-ucb1": seeded(CascadeUCB1Twin),
    "dcm-kl-ucb": seeded(DCMKLUCBTwin),
    "grab": seeded(GRABTwin),
    "kl-comb-ucb": seeded(KLCombUCB1Twin),
    "osub": seeded(OSUBTwin),
    "s-grab": seeded(SGRABTwin),
}
