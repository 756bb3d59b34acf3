"""To which round an answer belongs: it comes with the ranking, its token or its round number.

A round that this copy of the policy gave waits in `rounds.unanswered`, by row. A token of another
copy brings all that is needed to learn from it; `rounds.elsewhere` sees to it that this is done
once.
"""

from typing import TYPE_CHECKING

import numpy as np

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.page.token import Token, unsealed
from unirank.policies.base.ranking import Ranking

if TYPE_CHECKING:
    from unirank.page.rounds import Rounds


def matched(rounds: "Rounds", shown: Ranking | str | int) -> int | Token:
    """Row of a round that waits for its answer here, or what to learn from another copy's."""
    mine = rounds.lineage.seal
    if isinstance(shown, Ranking) and hasattr(shown, "_given"):
        seal, numbers, memory = shown._given
        if seal is mine:
            return rounds.unanswered.find(shown.round)
        if seal is not None:
            ranking = np.frombuffer(numbers, np.int64)
            return matched_token(
                rounds, Token(seal.policy, seal.epoch, shown.round, ranking, memory)
            )
    if isinstance(shown, str):
        return matched_token(rounds, unsealed(shown, mine.key, rounds.policy.n_positions))
    number = shown.round if isinstance(shown, Ranking) else shown
    row = rounds.unanswered.find(arguments.integer("round", number, 1, rounds.round, "last round="))
    if isinstance(shown, Ranking):
        given = rounds.policy._page(rounds.unanswered[row][1])
        if tuple(shown.items) != given:
            raise ArgumentError(
                f"shown must be a ranking this policy gave: round {number} was {given!r}, "
                f"got {shown.items!r}"
            )
    return row


def matched_token(rounds: "Rounds", token: Token) -> int | Token:
    """Like `matched`, of a token."""
    mine, number = rounds.lineage.seal, token.round
    if token.policy != mine.policy:
        raise ArgumentError(
            f"shown must be a ranking this policy gave: round {number} is of policy "
            f"{token.policy:016x}, this is {mine.policy:016x}"
        )
    if number <= rounds.round and rounds.lineage.epoch_of(number) == token.epoch:
        row = rounds.unanswered.find(number)
        _, ranking, memory = rounds.unanswered[row]
        if not np.array_equal(ranking, token.ranking) or memory != token.memory:
            raise ArgumentError(f"token must be unchanged: round {number} was another list")
        return row
    if token.epoch == mine.epoch:
        raise ArgumentError(f"round must be in 1..last round={rounds.round}, got {number}")
    rounds.elsewhere.check(token.epoch, number)
    numbers = token.ranking.tolist()
    if max(numbers) >= rounds.policy.n_items or len(set(numbers)) < len(numbers):
        raise ArgumentError("token must name different items of this policy")
    return token
