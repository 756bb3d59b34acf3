"""Why MatchRank shows what it shows, in words and numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from textwrap import wrap

import numpy as np
from numpy.typing import NDArray

from unirank.policies.match_rank.guard import (
    LEAST_CHANCE,
    PRIOR_SPREAD,
    n_slots_of,
    overrules,
    swap_chance,
)
from unirank.policies.match_rank.state import State

ItemId = int | str
WIDTH = 1.96  # standard deviations to each side: 95 %
MOST_BELOW, MOST_LISTS = 5, 2  # written; the fields hold more
LINE = 100  # letters, unless an item's id is longer
MODEL = "the model: click rate in position 1, and examination, the part that a position keeps of it"
UNTESTED = "no differing click yet"
TESTS = "the tests: neighbours swapped by lot; differing clicks are counted as of a fair coin"


@dataclass(frozen=True)
class Belief:
    """What the model believes of an item or a position: the most likely value, a 95 % interval."""

    of: ItemId
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_short(self.value)} ({_short(self.low)} to {_short(self.high)})"


@dataclass(frozen=True)
class PairTest:
    """What the tests saw of two items, of which the leader has `ahead` above `behind`.

    `odds` are those that `behind` is better, from the tests alone; `z` is the evidence for `ahead`
    in standard deviations. `decided`: the tests alone order the two, whichever of them the model
    prefers; `overrules`: it prefers `behind`. `chance`: that the next round shows them the other
    way round to test them, if it draws the leader.
    """

    ahead: ItemId
    behind: ItemId
    on_page: bool  # both of them, or only `ahead`
    gain: float
    spread: float
    z: float
    odds: float
    decided: bool
    overrules: bool
    chance: float

    @property
    def comparisons(self) -> float:
        """How many differing clicks, in a test by a fair coin, would tell as much."""
        return 4.0 * self.spread

    @property
    def wins(self) -> float:
        """How many of them went to `ahead`."""
        return 2.0 * self.spread + self.gain

    def __str__(self) -> str:
        if self.comparisons == 0.0:
            return f"{self.ahead} > {self.behind}: {UNTESTED}"
        words = (
            f"{self.ahead} > {self.behind}: the first won {self.wins:.1f} of "
            f"{self.comparisons:.1f} differing clicks, "
        )
        if self.overrules:
            return words + "which overrules the model"
        if self.decided:
            return words + "which decides"
        return words + f"{_percent(self.odds / (1.0 + self.odds))} that the second is better"


@dataclass(frozen=True)
class Explanation:
    """What MatchRank believes as the next round begins, what its tests saw, and what it may show.

    Positions are in the order of their examination, which is 1 for the first by definition;
    attraction is the click rate of an item there.
    """

    leader: tuple[ItemId, ...]
    n_rounds: int
    attraction: tuple[Belief, ...]  # items of the leader, then the others from the best
    examination: tuple[Belief, ...]  # positions 1, 2, ...
    tests: tuple[PairTest, ...]  # neighbours in the leader; its last item against each other one
    z_to_decide: float  # evidence by which tests overrule the model
    n_draws: int  # lists that were drawn from the model
    kept: float  # share of these draws that are the leader
    other_lists: tuple[tuple[tuple[ItemId, ...], float], ...]  # the rest, most frequent first

    @property
    def leader_chance(self) -> float:
        """Chance that the next round shows the leader as it stands."""
        return self.kept - self.test_chance

    @property
    def test_chance(self) -> float:
        """Chance that it shows the leader with one pair swapped, to test that pair."""
        return self.kept * sum(test.chance for test in self.tests)

    @property
    def neighbours(self) -> tuple[PairTest, ...]:
        """Tests of neighbours in the leader, from the first position down."""
        return tuple(test for test in self.tests if test.on_page)

    @property
    def challengers(self) -> tuple[PairTest, ...]:
        """Tests of items that are not on the page: the likeliest first, those not tested last."""
        outside = (test for test in self.tests if not test.on_page)
        return tuple(sorted(outside, key=lambda test: (test.comparisons == 0.0, -test.odds)))

    @property
    def known(self) -> str:
        """What the policy knows, in words; not what the next round shows."""
        return "\n".join(map(_wrapped, [*self._model_lines(), *self._test_lines()]))

    def __str__(self) -> str:
        return "\n".join([self.known, *map(_wrapped, self._next_lines())])

    def _model_lines(self) -> list[str]:
        name = max(len(str(belief.of)) for belief in self.attraction)
        value = max(len(str(belief)) for belief in self.attraction)
        lines = [f"leader after {_rounds(self.n_rounds)}: {_list(self.leader)}"]
        lines.append(MODEL)
        for number, belief in enumerate(self.attraction[: len(self.leader)]):
            seen = str(self.examination[number]) if number else "1"
            words = f"{belief.of:<{name}}  {belief!s:<{value}}  examination {seen}"
            lines.append(f"  {number + 1:>2}  {words}")
        rest = self.attraction[len(self.leader) :]
        lines += [f"   -  {belief.of:<{name}}  {belief}" for belief in rest[:MOST_BELOW]]
        if len(rest) > MOST_BELOW:
            lines.append(f"   -  and {len(rest) - MOST_BELOW:,} more items, none with more")
        return lines

    def _test_lines(self) -> list[str]:
        if not self.tests:
            return []
        tested = [test for test in self.challengers if test.comparisons > 0.0]
        lines = [TESTS]
        lines += [f"  {test}" for test in [*self.neighbours, *tested[:MOST_BELOW]]]
        last = self.leader[-1]
        if len(tested) > MOST_BELOW:
            more = f"{len(tested) - MOST_BELOW:,} more items"
            lines.append(f"  {last} > {more}, none likelier to be better")
        untested = [str(test.behind) for test in self.challengers[len(tested) :]]
        if untested:
            named, left_out = untested[:MOST_BELOW], len(untested) - MOST_BELOW
            more = f" and {left_out:,} more items" if left_out > 0 else ""
            lines.append(f"  {last} > {', '.join(named)}{more}: {UNTESTED}")
        return lines

    def _next_lines(self) -> list[str]:
        lines = ["the next round shows"]
        lines.append(f"  {_percent(self.leader_chance):>6}  the leader")
        if self.kept < 1.0:
            most = [f"{_list(x)} ({_percent(share)})" for x, share in self.other_lists[:MOST_LISTS]]
            words = "another list drawn from the model, such as " + " or ".join(most)
            lines.append(f"  {_percent(1.0 - self.kept):>6}  {words}")
        if self.test_chance > 0.0:
            likely = sorted(self.tests, key=lambda test: -test.chance)[:MOST_LISTS]
            most = [
                f"{test.behind} {'over' if test.on_page else 'instead of'} {test.ahead} "
                f"({_percent(self.kept * test.chance)})"
                for test in likely
            ]
            words = "the leader with one pair under test, such as " + " or ".join(most)
            lines.append(f"  {_percent(self.test_chance):>6}  {words}")
        return lines


def explanation_of(
    state: State, items: Sequence[ItemId], lists: NDArray[np.int64], leader: NDArray[np.int64]
) -> Explanation:
    """Explain the round that `state` is about to draw, of which `lists` are other draws."""
    on_page = leader.tolist()
    order = [*on_page, *(i for i in state.order.tolist() if i not in set(on_page))]
    attraction, examination = beliefs(state)
    kept = int((lists == leader).all(axis=1).sum())
    drawn = Counter(map(tuple, lists.tolist()))
    del drawn[tuple(on_page)]
    return Explanation(
        leader=tuple(items[i] for i in on_page),
        n_rounds=int(state.now["rounds"][0]),
        attraction=tuple(Belief(items[i], *attraction[i]) for i in order),
        examination=tuple(Belief(k + 1, *row) for k, row in enumerate(examination)),
        tests=tests_of(state, items, order),
        z_to_decide=z_of_odds(float(state.now["doubt"][0]) ** 2),
        n_draws=len(lists),
        kept=kept / len(lists),
        other_lists=tuple(
            (tuple(items[i] for i in found), n / len(lists)) for found, n in drawn.most_common()
        ),
    )


def z_of_odds(odds: float) -> float:
    """Return z with odds Phi(-z) / Phi(z)."""
    odds = max(odds, LEAST_CHANCE)
    return -NormalDist().inv_cdf(odds / (1.0 + odds))


def beliefs(state: State) -> tuple[list[list[float]], list[list[float]]]:
    """Return (value, low, high) of each item's attraction and of each position's examination.

    The variance of a log attraction is 1 / W given the positions, and that of the positions times
    its share in them. The ends are those of the formula that lists are drawn by.
    """
    covariance = np.zeros_like(state.root)
    sums = np.tri(state.step.size - 1)  # of the falls of b, which b is
    factor = sums @ np.linalg.inv(np.triu(state.root[1:, 1:])).T
    covariance[1:, 1:] = factor @ factor.T
    of_items = state.deviation**2 + np.einsum("ik,kl,il->i", state.share, covariance, state.share)
    attraction = _interval(np.exp(state.log_attraction), of_items)
    examination = _interval(np.exp(state.log_examination), np.diag(covariance))
    return attraction.tolist(), examination.tolist()


def _interval(value: NDArray[np.float64], variance: NDArray[np.float64]) -> NDArray[np.float64]:
    ends = [1.0 - variance / 9.0 + side * np.sqrt(variance) / 3.0 for side in (-WIDTH, WIDTH)]
    low, high = (value * np.maximum(end, 0.0) ** 3 for end in ends)
    return np.stack([value, low, np.minimum(high, 1.0)], axis=1)


def tests_of(state: State, items: Sequence[ItemId], order: Sequence[int]) -> tuple[PairTest, ...]:
    """Tests of the leader, the first items of `order`, with its neighbours."""
    n_positions = state.step.size
    n_slots, n_outside = n_slots_of(state), len(order) - n_positions
    pairs = [(slot, order[slot - 1], order[slot]) for slot in range(1, n_positions)]
    pairs += [(n_positions, order[n_positions - 1], item) for item in order[n_positions:]]
    found = []
    for slot, above, other in pairs:
        gain, spread = float(state.gain[above, other]), float(state.spread[above, other])
        decided = bool(overrules(state, other, above))
        chance = float(swap_chance(state, above, other)) / n_slots
        found.append(
            PairTest(
                ahead=items[above],
                behind=items[other],
                on_page=slot < n_positions,
                gain=gain,
                spread=spread,
                z=gain / float(np.sqrt(spread + PRIOR_SPREAD)),
                odds=float(state.odds[above, other]),
                decided=decided,
                overrules=decided and state.log_attraction[above] < state.log_attraction[other],
                chance=chance if slot < n_positions else chance / n_outside,
            )
        )
    return tuple(found)


def _wrapped(line: str) -> str:
    """Break a line that is too long at spaces; what follows is indented more."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    if len(line) <= LINE:
        return line
    broken = wrap(
        line, LINE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(broken)


def _list(items: Sequence[ItemId]) -> str:
    return " > ".join(map(str, items))


def _rounds(number: int) -> str:
    return f"{number:,} round{'' if number == 1 else 's'}"


def _short(number: float) -> str:
    return f"{number:.2f}" if number >= 0.1 else f"{number:.2g}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else f"{100 * share:.1g} %"
