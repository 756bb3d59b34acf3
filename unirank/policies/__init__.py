"""How to rank: a folder for each policy; `base` is what all share."""

from typing import TYPE_CHECKING

from unirank.policies.base.facts import registry as registry
from unirank.policies.base.plain_policy import PlainPolicy as PlainPolicy
from unirank.policies.base.policy import Policy as Policy
from unirank.policies.base.ranking import Ranking as Ranking
from unirank.policies.batch_rank.policy import BatchRank as BatchRank
from unirank.policies.bc_mp_ts.policy import BCMPTS as BCMPTS
from unirank.policies.bubble_rank.policy import BubbleRank as BubbleRank
from unirank.policies.cascading.cascade_kl_ucb import CascadeKLUCB as CascadeKLUCB
from unirank.policies.cascading.cascade_ucb1 import CascadeUCB1 as CascadeUCB1
from unirank.policies.cascading.dcm_kl_ucb import DCMKLUCB as DCMKLUCB
from unirank.policies.counter.policy import Counter as Counter
from unirank.policies.epsilon_greedy.policy import EpsilonGreedy as EpsilonGreedy
from unirank.policies.grab.policy import GRAB as GRAB
from unirank.policies.grab.s_grab import SGRAB as SGRAB
from unirank.policies.kl_comb_ucb.policy import KLCombUCB1 as KLCombUCB1
from unirank.policies.match_rank.policy import MatchRank as MatchRank
from unirank.policies.mp_ts.policy import MPTS as MPTS
from unirank.policies.oracle.policy import Oracle as Oracle
from unirank.policies.osub.paper import OSUB as OSUB
from unirank.policies.pb_mhb.policy import PBMHB as PBMHB
from unirank.policies.pbm_pie.policy import PBMPIE as PBMPIE
from unirank.policies.pbm_ts.policy import PBMTS as PBMTS
from unirank.policies.pbm_ucb.policy import PBMUCB as PBMUCB
from unirank.policies.per_context.policy import PerContext as PerContext
from unirank.policies.random_order.policy import RandomOrder as RandomOrder
from unirank.policies.rba.policy import RBA as RBA
from unirank.policies.sam.paper import SAM as SAM
from unirank.policies.top_rank.policy import TopRank as TopRank
from unirank.policies.uni_rank.policy import UniRank as UniRank

# One line per policy above is all that an export takes.
if not TYPE_CHECKING:  # type checkers read the lines themselves
    __all__ = sorted(name for name, value in vars().items() if isinstance(value, type))
