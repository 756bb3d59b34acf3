"""How to rank: one file per policy."""

from unirank.policies.base import Policy, registry
from unirank.policies.random_order import RandomOrder
from unirank.policies.ranking import Ranking
from unirank.policies.top_rank import TopRank
from unirank.policies.uni_rank import UniRank

__all__ = ["Policy", "RandomOrder", "Ranking", "TopRank", "UniRank", "registry"]
