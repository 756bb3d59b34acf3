"""Every twin by the name of its policy, built from the same options: for the table of times."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.reference.batch_rank import BatchRankTwin
from tests.reference.bubble_rank import BubbleRankTwin
from tests.reference.cascading import CascadeKLUCBTwin, CascadeUCB1Twin, DCMKLUCBTwin
from tests.reference.epsilon_greedy import EpsilonGreedyTwin
from tests.reference.grab import GRABTwin, SGRABTwin
from tests.reference.kl_comb_ucb import KLCombUCB1Twin
from tests.reference.oracle import OracleTwin
from tests.reference.osub import OSUBTwin
from tests.reference.pb_mhb import PBMHBTwin
from tests.reference.pbm_pie import PBMPIETwin
from tests.reference.pbm_ts import PBMTSTwin
from tests.reference.pbm_ucb import PBMUCBTwin
from tests.reference.posterior_sampling import BCMPTSTwin, MPTSTwin
from tests.reference.random_order import RandomTwin
from tests.reference.rba import RBATwin
from tests.reference.sam import SAMTwin
from tests.reference.top_rank import TopRankTwin
from tests.reference.uni_rank import UniRankTwin

Build = Callable[[int, int, Mapping[str, Any]], Any]


def seeded(cls: Callable[..., Any], **fixed: Any) -> Build:
    def build(n_items: int, n_positions: int, options: Mapping[str, Any]) -> Any:
        return cls(n_items, n_positions, seed=0, **fixed, **options)

    return build


def examined(cls: Callable[..., Any]) -> Build:
    def build(n_items: int, n_positions: int, options: Mapping[str, Any]) -> Any:
        return cls(n_items, options["examination"], seed=0)

    return build


TWINS: dict[str, Build] = {
    "batchrank": seeded(BatchRankTwin),
    "bc-mp-ts": seeded(BCMPTSTwin),
    "bubblerank": seeded(BubbleRankTwin),
    "cascade-kl-ucb": seeded(CascadeKLUCBTwin),
    "cascade-ucb1": seeded(CascadeUCB1Twin),
    "dcm-kl-ucb": seeded(DCMKLUCBTwin),
    "epsilon-greedy": seeded(EpsilonGreedyTwin, exploration=100.0),
    "grab": seeded(GRABTwin),
    "kl-comb-ucb": seeded(KLCombUCB1Twin),
    "mp-ts": seeded(MPTSTwin),
    "oracle": lambda _, __, options: OracleTwin(options["ranking"]),
    "osub": seeded(OSUBTwin),
    "pb-mhb": seeded(PBMHBTwin),
    "pbm-pie": examined(PBMPIETwin),
    "pbm-ts": seeded(PBMTSTwin),
    "pbm-ucb": examined(PBMUCBTwin),
    "random": seeded(RandomTwin),
    "rba": seeded(RBATwin, bandit="ucb1"),
    "s-grab": seeded(SGRABTwin),
    "sam": lambda n_items, n_positions, options: SAMTwin(n_items, n_positions, **options),
    "toprank": seeded(TopRankTwin),
    "unirank": seeded(UniRankTwin),
}
