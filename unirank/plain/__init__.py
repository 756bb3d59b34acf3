"""Every policy in ordinary Python, as its paper states it: read these first.

Each is a `PlainPolicy` and works wherever the compiled edition does, as `plain-unirank` or
`unirank.plain.UniRank`; only slower. Tests compare both editions ranking by ranking, and where they
could differ, the plain edition decides.
"""

from typing import TYPE_CHECKING

from unirank.plain.batch_rank import BatchRank as BatchRank
from unirank.plain.bc_mp_ts import BCMPTS as BCMPTS
from unirank.plain.bubble_rank import BubbleRank as BubbleRank
from unirank.plain.cascading import DCMKLUCB as DCMKLUCB
from unirank.plain.cascading import CascadeKLUCB as CascadeKLUCB
from unirank.plain.cascading import CascadeUCB1 as CascadeUCB1
from unirank.plain.epsilon_greedy import EpsilonGreedy as EpsilonGreedy
from unirank.plain.grab import GRAB as GRAB
from unirank.plain.grab import SGRAB as SGRAB
from unirank.plain.kl_comb_ucb import KLCombUCB1 as KLCombUCB1
from unirank.plain.match_rank import MatchRank as MatchRank
from unirank.plain.mp_ts import MPTS as MPTS
from unirank.plain.oracle import Oracle as Oracle
from unirank.plain.osub import OSUB as OSUB
from unirank.plain.pb_mhb import PBMHB as PBMHB
from unirank.plain.pbm_pie import PBMPIE as PBMPIE
from unirank.plain.pbm_ts import PBMTS as PBMTS
from unirank.plain.pbm_ucb import PBMUCB as PBMUCB
from unirank.plain.random_order import RandomOrder as RandomOrder
from unirank.plain.rba import RBA as RBA
from unirank.plain.sam import SAM as SAM
from unirank.plain.top_rank import TopRank as TopRank
from unirank.plain.uni_rank import UniRank as UniRank

if not TYPE_CHECKING:
    __all__ = sorted(name for name, value in vars().items() if isinstance(value, type))
