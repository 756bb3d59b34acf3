"""How to rank: one file per policy."""

from unirank.policies.base import Policy, registry
from unirank.policies.batch_rank import BatchRank
from unirank.policies.bc_mp_ts import BCMPTS
from unirank.policies.bubble_rank import BubbleRank
from unirank.policies.cascade_kl_ucb import CascadeKLUCB
from unirank.policies.cascade_ucb1 import CascadeUCB1
from unirank.policies.dcm_kl_ucb import DCMKLUCB
from unirank.policies.epsilon_greedy import EpsilonGreedy
from unirank.policies.grab import GRAB
from unirank.policies.kl_comb_ucb import KLCombUCB1
from unirank.policies.mp_ts import MPTS
from unirank.policies.oracle import Oracle
from unirank.policies.osub import OSUB
from unirank.policies.pb_mhb import PBMHB
from unirank.policies.pbm_pie import PBMPIE
from unirank.policies.pbm_ts import PBMTS
from unirank.policies.pbm_ucb import PBMUCB
from unirank.policies.random_order import RandomOrder
from unirank.policies.ranking import Ranking
from unirank.policies.rba import RBA
from unirank.policies.reordered import Reordered
from unirank.policies.s_grab import SGRAB
from unirank.policies.sam import SAM
from unirank.policies.top_rank import TopRank
from unirank.policies.uni_rank import UniRank

__all__ = [
    "BCMPTS",
    "DCMKLUCB",
    "GRAB",
    "MPTS",
    "OSUB",
    "PBMHB",
    "PBMPIE",
    "PBMTS",
    "PBMUCB",
    "RBA",
    "SAM",
    "SGRAB",
    "BatchRank",
    "BubbleRank",
    "CascadeKLUCB",
    "CascadeUCB1",
    "EpsilonGreedy",
    "KLCombUCB1",
    "Oracle",
    "Policy",
    "RandomOrder",
    "Ranking",
    "Reordered",
    "TopRank",
    "UniRank",
    "registry",
]
