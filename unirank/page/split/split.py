"""An honest A/B test between policies, or between a policy and today's order.

Honest means: a session stays in its arm; the shares are checked; the interval of the difference
may be watched and the test stopped at any time; and a visitor with many views is one visitor.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from os import PathLike
from secrets import token_bytes
from threading import RLock
from typing import Any, Self

import numpy as np

from unirank import arguments
from unirank.errors import ArgumentError, StateFileError
from unirank.page.loading import class_of
from unirank.page.split.assignment import Assigned, Assignment, checked_shares
from unirank.page.split.counts import ArmCounts, Counts
from unirank.page.split.report import SplitReport, reported
from unirank.page.split.split_file import SavedMoment, SavedSplit, read_split, write_split
from unirank.page.state_file import LARGEST
from unirank.policies import Policy, Ranking
from unirank.policies.base.options import ItemId
from unirank.policies.base.snapshot import from_saved_array, to_saved_array

PER_DECADE = 20  # moments of the history
MOST_ARMS = 100


@dataclass(frozen=True, slots=True)
class SplitRanking:
    """A list that an arm of a split gave: what to show, from which arm, and the token for both."""

    arm: str
    ranking: Ranking
    _assignment: Assignment
    _assigned: Assigned

    @property
    def items(self) -> tuple[ItemId, ...]:
        return self.ranking.items

    @property
    def token(self) -> str:
        """A short text to send along with the page; `split.update(token, clicks)` takes it."""
        return self._assignment.sealed(self._assigned, self.ranking.token)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[ItemId]:
        return iter(self.items)


class Split:
    """An A/B test: each session sees one arm, and the arms' clicks per view are compared.

    Parameters
    ----------
    arms
        Policies by name, the one to compare with first. From then on use them through the split.
    shares
        Share of the sessions of each arm, {"today": 0.1}; arms left out share the rest equally.
    key
        A secret that decides which session is in which arm: with the same key, every process
        decides the same. By default a fresh one.
    expected_views
        Answered views after which you expect to decide; there the interval is tightest. Choose it
        before the test.

    Examples
    --------
    >>> today = {"items": ["tea", "mug", "pot"], "n_positions": 2}
    >>> from unirank import UniRank
    >>> from unirank.policies import Oracle
    >>> arms = {"today": Oracle(**today, ranking=["mug", "tea"]), "new": UniRank(**today)}
    >>> split = Split(arms, shares={"today": 0.1}, key="spring")
    >>> shown = split.rank(session="visitor 7")
    >>> shown.arm
    'new'
    >>> split.update(shown.token, clicks=[])
    >>> split.report().differences[0].sentence
    'new - today: too few clicks yet to tell'
    """

    def __init__(
        self,
        arms: Mapping[str, Policy],
        *,
        shares: Mapping[str, float] | None = None,
        key: str | bytes | None = None,
        expected_views: int = 5000,
    ) -> None:
        self.arms = _checked_arms(arms)
        self.names = tuple(self.arms)
        self.shares = checked_shares(self.names, shares)
        self.expected_views = arguments.integer("expected_views", expected_views, 1)
        self._assignment = Assignment(_checked_key(key), self.shares)
        self._policies = list(self.arms.values())
        self._n_positions = max(policy.n_positions for policy in self._policies)
        self._counts = Counts(len(self.arms))
        self._history: list[tuple[ArmCounts, ...]] = []
        self._lock = RLock()

    def arm_of(self, session: str | int) -> str:
        """The arm of a session, always the same."""
        return self.names[self._assignment.of(session).arm]

    def rank(self, session: str | int, **how: Any) -> SplitRanking:
        """Choose what this session is shown.

        Parameters
        ----------
        session
            The visit or visitor that must stay in one arm.
        how
            Arguments of the policy's `rank`, such as available.

        Returns
        -------
        SplitRanking
            The list, with its arm and token.
        """
        assigned = self._assignment.of(session)
        with self._lock:
            ranking = self._policies[assigned.arm].rank(**how)
            self._counts.give(assigned.arm)
        return SplitRanking(self.names[assigned.arm], ranking, self._assignment, assigned)

    def update(
        self,
        shown: SplitRanking | str,
        clicks: Iterable[ItemId] | None = None,
        *,
        rewards: Mapping[ItemId, float] | None = None,
    ) -> None:
        """Learn from the answer to a list or its token, and count it.

        Answer views without clicks, too, `clicks=[]`: what is never answered is not counted.
        Graded feedback is counted as it is, so that the report is in rewards per view.

        Parameters
        ----------
        shown
            What `rank` gave, or its token.
        """
        given: Ranking | str
        if isinstance(shown, SplitRanking):
            assigned, given = shown._assigned, shown.ranking
        elif isinstance(shown, str):
            assigned, given = self._assignment.unsealed(shown, len(self.names))
        else:
            raise ArgumentError(
                f"shown must be what split.rank() gave, or its token, got {shown!r:.60}"
            )
        if isinstance(clicks, Iterable) and not isinstance(clicks, str | bytes | Mapping):
            clicks = list(clicks)
        with self._lock:
            self._policies[assigned.arm].update(given, clicks, rewards=rewards)
            n_clicks = len(set(clicks or ())) if rewards is None else sum(rewards.values())
            self._counts.answer(assigned, float(n_clicks))
            self._note()

    def _note(self) -> None:
        """Keep the counts of about 20 moments per decade of views, for the figure."""
        n_views = self._counts.n_views
        due = round(10 ** (_step(n_views) / PER_DECADE))
        if n_views == due and n_views >= 10:
            self._history.append(self._arm_counts())

    def _arm_counts(self) -> tuple[ArmCounts, ...]:
        return tuple(self._counts.of_arm(arm) for arm in range(len(self.names)))

    def report(self) -> SplitReport:
        """Where the test stands; look as often as you like."""
        with self._lock:
            return self._reported(self._arm_counts())

    def history(self) -> list[SplitReport]:
        """The reports of about 20 moments per decade of views, and of now."""
        with self._lock:
            moments = [*self._history, self._arm_counts()]
        return [self._reported(moment) for moment in moments]

    def _reported(self, counts: tuple[ArmCounts, ...]) -> SplitReport:
        settings = self._n_positions, self.expected_views
        return reported(self.names, self.shares, list(counts), *settings)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the test and its policies, atomically; read them back with `Split.load`."""
        with self._lock:
            counts = self._counts
            saved = SavedSplit(
                names=list(self.names),
                shares=self.shares,
                key=self._assignment.key,
                expected_views=self.expected_views,
                policies=[policy.to_saved() for policy in self._policies],
                given=to_saved_array(counts.given),
                views=to_saved_array(counts.views),
                clicks=to_saved_array(counts.clicks),
                first=to_saved_array(counts.first),
                history=[SavedMoment([astuple(a) for a in moment]) for moment in self._history],
            )
        write_split(saved, path)

    @classmethod
    def load(cls, path: str | PathLike[str], *, token_key: str | bytes | None = None) -> Self:
        """Read what `save` wrote; it goes on where it was."""
        saved = read_split(path)
        try:
            policies = [
                class_of(each, LARGEST).from_saved(each, token_key) for each in saved.policies
            ]
            split = cls(
                dict(zip(saved.names, policies, strict=True)),
                shares=dict(zip(saved.names, saved.shares, strict=True)),
                key=saved.key,
                expected_views=saved.expected_views,
            )
            split._restore(saved)
        except (ArgumentError, TypeError, ValueError, MemoryError) as error:
            raise StateFileError(f"{str(path)!r} is not a valid split: {error}") from None
        return split

    def _restore(self, saved: SavedSplit) -> None:
        counts = self._counts
        for name in ("given", "views", "clicks", "first"):
            here = getattr(counts, name)
            there = from_saved_array(name, getattr(saved, name), here.dtype)
            if there.shape != here.shape or not (there >= 0).all() or not np.isfinite(there).all():
                raise ArgumentError(f"{name} must be {here.shape} counts")
            here[...] = there
        if counts.first.max() > len(self.names):
            raise ArgumentError("first must name arms")
        counts.n_views = int(counts.views.sum())
        self._history = [tuple(ArmCounts(*arm) for arm in moment.arms) for moment in saved.history]
        if any(len(moment) != len(self.names) for moment in self._history):
            raise ArgumentError("history must have every arm")


def _step(n_views: int) -> int:
    """The number of the moment that comes nearest to this many views."""
    return round(float(np.log10(n_views)) * PER_DECADE)


def _checked_arms(arms: Mapping[str, Policy]) -> dict[str, Policy]:
    if not isinstance(arms, Mapping) or not 2 <= len(arms) <= MOST_ARMS:
        raise ArgumentError(f"arms must be a dict of 2..{MOST_ARMS} policies, got {arms!r:.60}")
    for name, policy in arms.items():
        if not isinstance(name, str) or not isinstance(policy, Policy):
            raise ArgumentError(f"arms must be policies by name, got {name!r}: {policy!r:.60}")
    if len({id(policy) for policy in arms.values()}) < len(arms):
        raise ArgumentError("arms must be different policies, got one twice: give a copy")
    return dict(arms)


def _checked_key(key: str | bytes | None) -> bytes:
    if key is None:
        return token_bytes(16)
    content = key.encode() if isinstance(key, str) else key
    if not isinstance(content, bytes) or not 1 <= len(content) <= 64:
        raise ArgumentError("key must be a text or bytes, of 1..64 bytes")
    return content
