"""Pages that MatchRank's first algorithm made keep what they show: their `least_doubt` is 0.

Migration 0009 writes the option into the settings of such pages and into their log. Here are the
two places that the migration does not reach: snapshots, and requests of shops that send the options
of a page as they made it.
"""

from typing import Any

from msgspec import structs

from unirank.policies.base.snapshot import PolicySnapshot
from unirank.server.api import PageSettings

MATCHRANK = ("matchrank", "plain-matchrank")
LEAST_DOUBT = 0.0


def is_first(policy: PolicySnapshot) -> bool:
    """Whether the first algorithm of MatchRank wrote this snapshot."""
    return policy.policy in MATCHRANK and policy.algorithm == 1


def with_least_doubt(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with the least doubt of the first algorithm, if they have none."""
    return {"least_doubt": LEAST_DOUBT, **options}


def settings_meant(sent: PageSettings, there: PageSettings) -> PageSettings:
    """Return what a request means on a page: a page's least doubt of 0 stays if none is sent."""
    is_old = there.policy in MATCHRANK and there.options.get("least_doubt") == LEAST_DOUBT
    if not is_old or sent.policy != there.policy:
        return sent
    return structs.replace(sent, options=with_least_doubt(sent.options))
