"""Every policy in ordinary Python, as its paper states it: read these first.

Each is a `PlainPolicy` and works wherever the compiled edition does, as `plain-unirank` or
`unirank.papers.UniRank`; only slower. Tests compare both editions ranking by ranking, and where
they could differ, the plain edition decides.
"""

from typing import TYPE_CHECKING

from unirank.policies.batch_rank.paper import BatchRank as BatchRank
from unirank.policies.bc_mp_ts.paper import BCMPTS as BCMPTS
from unirank.policies.bubble_rank.paper import BubbleRank as BubbleRank
from unirank.policies.cascading.paper import DCMKLUCB as DCMKLUCB
from unirank.policies.cascading.paper import CascadeKLUCB as CascadeKLUCB
from unirank.policies.cascading.paper import CascadeUCB1 as CascadeUCB1
from unirank.policies.counter.paper import Counter as Counter
from unirank.policies.epsilon_greedy.paper import EpsilonGreedy as EpsilonGreedy
from unirank.policies.grab.paper import GRAB as GRAB
from unirank.policies.grab.paper import SGRAB as SGRAB
from unirank.policies.kl_comb_ucb.paper import KLCombUCB1 as KLCombUCB1
from unirank.policies.match_rank.paper import MatchRank as MatchRank
from unirank.policies.mp_ts.paper import MPTS as MPTS
from unirank.policies.oracle.paper import Oracle as Oracle
from unirank.policies.osub.paper import OSUB as OSUB
from unirank.policies.pb_mhb.paper import PBMHB as PBMHB
from unirank.policies.pbm_pie.paper import PBMPIE as PBMPIE
from unirank.policies.pbm_ts.paper import PBMTS as PBMTS
from unirank.policies.pbm_ucb.paper import PBMUCB as PBMUCB
from unirank.policies.random_order.paper import RandomOrder as RandomOrder
from unirank.policies.rba.paper import RBA as RBA
from unirank.policies.sam.paper import SAM as SAM
from unirank.policies.top_rank.paper import TopRank as TopRank
from unirank.policies.uni_rank.paper import UniRank as UniRank

if not TYPE_CHECKING:
    __all__ = sorted(name for name, value in vars().items() if isinstance(value, type))
