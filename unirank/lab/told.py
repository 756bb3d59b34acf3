"""What an experiment may tell a policy: the option value "told" stands for the problem's own.

horizon = "told"      the rounds of a game
examination = "told"  the examination of the positions
ranking = "told"      the best ranking
"""

from collections.abc import Mapping
from typing import Any

from unirank.click_models import ClickModel
from unirank.errors import UnknownNameError

TOLD = "told"
KNOWN = ("horizon", "examination", "ranking")


def fact(option: str, users: ClickModel, n_positions: int, n_rounds: int) -> Any:
    """What one option is for these users."""
    if option == "horizon":
        return n_rounds
    if option == "ranking":
        return list(users.best_ranking(n_positions))
    # Other models have no examination of a position alone: all that is reached is looked at.
    return users.settings.get("examination", [1.0] * n_positions)[:n_positions]


def told(
    options: Mapping[str, Any], users: ClickModel, n_positions: int, n_rounds: int
) -> dict[str, Any]:
    """Options with every "told" replaced by what it stands for."""
    found = dict(options)
    for option, value in options.items():
        if value == TOLD:
            if option not in KNOWN:
                raise UnknownNameError('option that can be "told":', option, KNOWN)
            found[option] = fact(option, users, n_positions, n_rounds)
    return found
