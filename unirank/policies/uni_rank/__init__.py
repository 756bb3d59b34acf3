"""UniRank: an ordered partition of the items, explored only in its neighbourhood."""

from unirank.policies.uni_rank.leader import elicit_leader
from unirank.policies.uni_rank.policy import UniRank

__all__ = ["UniRank", "elicit_leader"]
