"""`Rounds` numbers the rounds of a policy in a program and matches late clicks to their rankings.

`policy.rank()` and the other methods of `unirank/policies/base/on_page.py` call the methods of
`Rounds`. The policy itself knows rankings, memories and clicks; `Rounds` keeps

    round        the number of the last one given
    unanswered   the rankings whose clicks may still come (`unanswered.py`), found by ranking,
                 token or number (`matching.py`)
    lineage      which copy of the policy gave which rounds (`lineage.py`), for tokens
    elsewhere    which rounds of other copies were answered here (`answered_elsewhere.py`)
    learning     what this copy learnt itself, for merging (`merging.py`)
    lock         threads that share the policy wait for each other
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from os import PathLike
from threading import RLock
from time import time
from typing import Any
from weakref import ref

import msgspec

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.page.answered_elsewhere import AnsweredElsewhere
from unirank.page.lineage import Forks, Lineage
from unirank.page.matching import matched
from unirank.page.merging import Learning, Point, check_alike, merge_into
from unirank.page.rankings import Rankings
from unirank.page.rewards import checked_rewards, rounded
from unirank.page.saved_policy import restored, to_saved
from unirank.page.state_file import SavedPolicy, write_payload
from unirank.page.token import Token
from unirank.page.unanswered import UnansweredRounds
from unirank.policies.base.batch import choose
from unirank.policies.base.options import ItemId
from unirank.policies.base.policy import Policy
from unirank.policies.base.ranking import Ranking


class Rounds:
    """The rounds of one policy; threads may share them."""

    def __init__(
        self, policy: Policy, max_pending: int, token_key: str | bytes | None = None
    ) -> None:
        # Weak, because the policy has its rounds: so both are freed once nobody uses the policy,
        # and its memory does not wait for the garbage collector.
        self._policy = ref(policy)
        self.lock = RLock()
        self.round = 0  # the last one given
        most = arguments.integer("max_pending", max_pending, 1)
        self.unanswered = UnansweredRounds(most, policy.n_items, policy.n_positions)
        self.elsewhere = AnsweredElsewhere()
        self.lineage = Lineage(_checked_key(token_key))
        self.learning = Learning()
        self.made_in = Forks.count  # when these rounds were made; -1: loaded from a file
        policy._guard = self.lock

    @property
    def policy(self) -> Policy:
        policy = self._policy()
        assert policy is not None, "rounds are used through their policy"
        return policy

    # Giving lists.

    def rank(self, available: Iterable[ItemId] | None) -> Ranking:
        """Choose the list of the next round, and remember it until its clicks come."""
        policy = self.policy
        with self.lock:
            numbers = policy._choice(available)
            number = self.round + 1
            if self.lineage.process != Forks.count:
                self._begin_epoch(number)
            shown = policy._chosen(number, numbers, self.lineage.seal)
            self.round, policy._recalled = number, number if numbers is None else 0
            _, ranking, memory = shown._given
            self.unanswered.add(number, ranking, memory)
            return shown

    def rank_many(self, n: int) -> Sequence[Ranking]:
        """Choose the lists of the next n rounds, in one compiled loop if the policy can."""
        policy = self.policy
        with self.lock:
            n = arguments.integer("n", n, 1, self.unanswered.most, "max_pending=")
            if policy.removed or not policy._is_compiled_whole():
                return [self.rank(None) for _ in range(n)]
            first = self.round + 1
            if self.lineage.process != Forks.count:
                self._begin_epoch(first)
            chosen = choose(policy, first, n)
            policy._ranking[:] = chosen.rankings[-1]
            self.round = policy._recalled = self.round + n
            self.unanswered.add_many(chosen.rankings, chosen.memories)
            return Rankings(chosen, first, self.lineage.seal, policy._page)

    def _begin_epoch(self, number: int) -> None:
        """Begin an epoch at this round, with a new seed if the old one was drawn elsewhere."""
        if self.policy._seed_was_drawn and self.made_in != Forks.count:
            self.policy._draw_seed()
        self.made_in = Forks.count
        if self.learning.process != Forks.count:
            self._learn_apart()
        self.lineage.begin(number)

    # Taking answers.

    def update(
        self,
        shown: Ranking | str | int,
        clicks: Iterable[ItemId] | None,
        rewards: Mapping[ItemId, float] | None,
    ) -> None:
        """Learn from the clicks of a round, given by this copy or another: once."""
        policy = self.policy
        with self.lock:
            found = matched(self, shown)
            if isinstance(found, Token):
                policy._answered[:] = found.ranking
                self._set_answer(policy, found.round, clicks, rewards)
                policy._learn_recalled(found.memory)
                self.elsewhere.add(found.epoch, found.round)
                return
            number, ranking, memory = self.unanswered[found]
            policy._answered[:] = ranking
            self._set_answer(policy, number, clicks, rewards)
            if number != policy._recalled:
                policy.recall(policy._answered, memory)
                policy._recalled = number
            policy._learn_held()
            self.unanswered.remove(found)

    def _set_answer(
        self,
        policy: Policy,
        number: int,
        clicks: Iterable[ItemId] | None,
        rewards: Mapping[ItemId, float] | None,
    ) -> None:
        """Write the clicks or rewards of this round into the policy's `_clicks`."""
        shown = policy._answered.tolist()
        if rewards is None:
            policy._set_clicks(shown, clicks)
            for item in self.unanswered.clicked.get(number, ()):
                policy._clicks[shown.index(item)] = True
            return
        if clicks is not None:
            raise ArgumentError("update must be given clicks or rewards, got both")
        graded = checked_rewards(rewards)
        policy._set_clicks(shown, graded, "rewards")
        numbers = [policy._catalogue.number_of(item) for item in graded]
        found = [n for n in numbers if n is not None]  # all are shown
        clicked = rounded(dict(zip(found, graded.values(), strict=True)), policy.seed, number)
        policy._clicks[:] = [item in clicked for item in shown]

    def click(self, shown: Ranking | str | int, item: ItemId) -> None:
        """Note one click; `close` or `update` learns from it."""
        policy = self.policy
        with self.lock:
            found = matched(self, shown)
            if isinstance(found, Token):
                raise ArgumentError(
                    f"click needs the copy that gave round {found.round}: where several processes "
                    "answer, collect the clicks and call update(token, clicks) once"
                )
            number, ranking, _ = self.unanswered[found]
            policy._answered[:] = ranking
            policy._set_clicks(policy._answered.tolist(), [item], "item")
            clicked = self.unanswered.clicked.setdefault(number, set())
            clicked.update(policy._answered[policy._clicks].tolist())

    def close(self, older_than: float) -> int:
        """Learn from the rounds given so many seconds ago or earlier; return how many."""
        moment = time() - arguments.non_negative("older_than", older_than)
        with self.lock:
            numbers = self.unanswered.given_until(moment)
            for number in numbers:
                self.update(number, [], None)
            return len(numbers)

    # What this copy learns itself, kept for a later merge.

    def before_change(self, n_items: int | None = None) -> None:
        """Note a change of the policy before it happens; `n_items` is given if an item is added."""
        if self.learning.process != Forks.count:
            self._learn_apart()
        self.learning.n_changes += 1
        if n_items is not None:
            self.unanswered.allow_items(n_items)

    def _learn_apart(self) -> None:
        """After a fork, learn apart from here on: the parent process goes on as before."""
        point = Point(self.learning.known(self.round), deepcopy(self.policy.statistics()))
        self.learning.begin(point, self.round)

    def merge(self, other: Policy) -> None:
        """Add what another copy learnt apart, each round once."""
        check_alike(self, other)
        theirs = other._on_page()
        with theirs.lock:  # one lock at a time: two threads may merge both ways
            snapshot, points = theirs.copied_policy(), theirs.learning.points
        with self.lock:
            if self.learning.process != Forks.count:
                self._learn_apart()
            merge_into(self, snapshot._on_page(), points)
            self.policy._recalled = 0

    # Copies and files.

    def copied_policy(self) -> Any:
        """A copy of the policy, with rounds that go on from here under an epoch of their own."""
        with self.lock:
            key = self.lineage.seal.key or None
            return restored(type(self.policy), to_saved(self), key)

    def to_saved(self) -> SavedPolicy:
        """The policy and its rounds as plain data."""
        with self.lock:
            return to_saved(self)

    @staticmethod
    def from_saved(cls: type[Any], saved: SavedPolicy, token_key: str | bytes | None) -> Any:
        """A policy of this class with its rounds, as `to_saved` described them."""
        return restored(cls, saved, token_key)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the policy and its rounds to a file."""
        with self.lock:
            payload = msgspec.msgpack.encode(to_saved(self, copy=False))
        write_payload(payload, path)


def _checked_key(key: str | bytes | None) -> bytes:
    if key is None:
        return b""
    if not isinstance(key, str | bytes) or not key:
        raise ArgumentError("token_key must be a text or bytes, not empty")
    return key.encode() if isinstance(key, str) else key
