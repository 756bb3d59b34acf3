"""Every policy in ordinary Python, as its paper states it: read these first.

Each is a `PlainPolicy` and works wherever the compiled edition does, as `plain-unirank` or
`unirank.plain.UniRank`; only slower. Tests compare both editions ranking by ranking, and where they
could differ, the plain edition decides.
"""

from typing import TYPE_CHECKING

from unirank.plain.cascading import DCMKLUCB as DCMKLUCB
from unirank.plain.cascading import CascadeKLUCB as CascadeKLUCB
from unirank.plain.cascading import CascadeUCB1 as CascadeUCB1
from unirank.plain.grab import GRAB as GRAB
from unirank.plain.grab import SGRAB as SGRAB
from unirank.plain.kl_comb_ucb import KLCombUCB1 as KLCombUCB1
from unirank.plain.oracle import Oracle as Oracle
from unirank.plain.osub import OSUB as OSUB
from unirank.plain.random_order import RandomOrder as RandomOrder
from unirank.plain.top_rank import TopRank as TopRank
from unirank.plain.uni_rank import UniRank as UniRank

if not TYPE_CHECKING:
    __all__ = sorted(name for name, value in vars().items() if isinstance(value, type))
