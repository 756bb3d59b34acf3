"""Why MatchRank shows what it shows, in words and numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from unirank.policies.base.explanation import Belief, Example, Explanation, Pair, Try
from unirank.policies.base.leader import ItemId, Leader
from unirank.policies.base.words import clicks, in_order, percent, wrapped
from unirank.policies.match_rank.guard import (
    LEAST_CHANCE,
    PRIOR_SPREAD,
    n_slots_of,
    overrules,
    swap_chance,
)
from unirank.policies.match_rank.state import State

WIDTH = 1.96  # standard deviations to each side: 95 %
MOST_BELOW = 5  # written; the fields hold more
MOST_EXAMPLES = 3  # of a kind of list
MODEL = "the model: click rate in position 1, and examination, the part that a position keeps of it"
UNTESTED = "no differing click yet"
TESTS = "the tests: neighbours swapped by lot; differing clicks are counted as of a fair coin"
ABOUT_ORDER = "The order goes by the click rate that each item is believed to have in position 1."
ABOUT_PAIRS = (
    "Tests check the order: now and then two neighbours are swapped by lot. What they decide holds "
    "however people click. A click counts less than one where one of the two orders is rare."
)


@dataclass(frozen=True, kw_only=True)
class PairTest(Pair):
    """What the tests saw of two items: differing clicks are counted as of a fair coin.

    Attributes
    ----------
    z : float
        The evidence for `ahead` in standard deviations.
    odds : float
        The odds that `behind` is better, from the tests alone.
    chance : float
        Chance that the next round, if it draws the leader, swaps the two to test them.
    overrules : bool
        Whether the tests decide for `ahead` although the model prefers `behind`.
    """

    chance: float
    z: float
    odds: float
    overrules: bool

    def __str__(self) -> str:
        if self.comparisons == 0.0:
            return f"{self.ahead} > {self.behind}: {UNTESTED}"
        words = (
            f"{self.ahead} > {self.behind}: the first won {clicks(self.wins)} of "
            f"{clicks(self.comparisons)} differing clicks, "
        )
        if self.overrules:
            return words + "which overrules the model"
        if self.decided:
            return words + "which decides"
        return words + f"{percent(self.odds / (1.0 + self.odds))} that the second is better"


@dataclass(frozen=True, kw_only=True)
class MatchRankExplanation(Explanation):
    """What MatchRank believes as the next round begins, what its tests saw, and what it may show.

    Attributes
    ----------
    leader : tuple of item ids
        The list that model and tests support.
    n_rounds : int
        How many rounds it has given.
    z_to_decide : float
        The evidence by which tests overrule the model, in standard deviations.
    kept : float
        The share of the lists that were drawn from the model that are the leader.
    other_lists : tuple of (list, share)
        The other lists drawn, the most frequent first.
    """

    leader: tuple[ItemId, ...]
    n_rounds: int
    pairs: tuple[PairTest, ...]
    z_to_decide: float
    kept: float
    other_lists: tuple[tuple[tuple[ItemId, ...], float], ...]

    @property
    def tests(self) -> tuple[PairTest, ...]:
        """Tests of neighbours in the leader; then of its last item against each other one."""
        return self.pairs

    @property
    def known(self) -> str:
        """What the policy knows, in words; not what the next round shows."""
        return "\n".join(map(wrapped, [*self._model_lines(), *self._test_lines()]))

    def _model_lines(self) -> list[str]:
        name = max(len(str(belief.of)) for belief in self.attraction)
        value = max(len(str(belief)) for belief in self.attraction)
        lines = [f"leader after {_rounds(self.n_rounds)}: {in_order(self.leader)}"]
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
        tested = [test for test in self.against_below if test.comparisons > 0.0]
        lines = [TESTS]
        lines += [f"  {test}" for test in [*self.neighbouring, *tested[:MOST_BELOW]]]
        last = self.leader[-1]
        if len(tested) > MOST_BELOW:
            more = f"{len(tested) - MOST_BELOW:,} more items"
            lines.append(f"  {last} > {more}, none likelier to be better")
        untested = [str(test.behind) for test in self.against_below[len(tested) :]]
        if untested:
            named, left_out = untested[:MOST_BELOW], len(untested) - MOST_BELOW
            more = f" and {left_out:,} more items" if left_out > 0 else ""
            lines.append(f"  {last} > {', '.join(named)}{more}: {UNTESTED}")
        return lines


def explanation_of(
    state: State, items: Sequence[ItemId], lists: NDArray[np.int64], leader: NDArray[np.int64]
) -> MatchRankExplanation:
    """Explain the round that `state` is about to draw, of which `lists` are other draws."""
    on_page = leader.tolist()
    order = [*on_page, *(i for i in state.order.tolist() if i not in set(on_page))]
    attraction, examination = beliefs(state)
    kept = int((lists == leader).all(axis=1).sum()) / len(lists)
    drawn = Counter(map(tuple, lists.tolist()))
    del drawn[tuple(on_page)]
    others = tuple(
        (tuple(items[i] for i in found), n / len(lists)) for found, n in drawn.most_common()
    )
    z_to_decide = z_of_odds(float(state.now["doubt"][0]) ** 2)
    tests = tests_of(state, items, order, z_to_decide)
    below = tuple(items[i] for i in order[len(on_page) :])
    return MatchRankExplanation(
        order=Leader(tuple((items[i],) for i in on_page), below),
        attraction=tuple(Belief(items[i], *attraction[i]) for i in order),
        examination=tuple(Belief(k + 1, *row) for k, row in enumerate(examination)),
        pairs=tests,
        tries=tries_of(tests, kept, others),
        about_order=ABOUT_ORDER,
        about_pairs=ABOUT_PAIRS,
        leader=tuple(items[i] for i in on_page),
        n_rounds=int(state.now["rounds"][0]),
        z_to_decide=z_to_decide,
        kept=kept,
        other_lists=others,
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


def tests_of(
    state: State, items: Sequence[ItemId], order: Sequence[int], z_to_decide: float
) -> tuple[PairTest, ...]:
    """Tests of neighbours in the leader; then of its last item with others, the likeliest first.

    The leader is the first items of `order`. Others that were not tested come last.
    """
    n_positions = state.step.size
    n_slots, n_outside = n_slots_of(state), len(order) - n_positions
    pairs = [(slot, order[slot - 1], order[slot]) for slot in range(1, n_positions)]
    pairs += [(n_positions, order[n_positions - 1], item) for item in order[n_positions:]]
    found = []
    for slot, above, other in pairs:
        gain, spread = float(state.gain[above, other]), float(state.spread[above, other])
        z = gain / float(np.sqrt(spread + PRIOR_SPREAD))
        decided = bool(overrules(state, other, above))
        overruled = decided and bool(state.log_attraction[above] < state.log_attraction[other])
        chance = float(swap_chance(state, above, other)) / n_slots
        found.append(
            PairTest(
                ahead=items[above],
                behind=items[other],
                wins=2.0 * spread + gain,
                comparisons=4.0 * spread,
                strength=z / z_to_decide,
                decided=decided,
                on_page=slot < n_positions,
                chance=chance if slot < n_positions else chance / n_outside,
                note=f"the tests overrule the model, which prefers {items[other]}" * overruled,
                z=z,
                odds=float(state.odds[above, other]),
                overrules=overruled,
            )
        )
    inside, outside = found[: n_positions - 1], found[n_positions - 1 :]
    outside.sort(key=lambda test: (test.comparisons == 0.0, -test.odds))
    return (*inside, *outside)


def tries_of(
    tests: Sequence[PairTest], kept: float, others: Sequence[tuple[tuple[ItemId, ...], float]]
) -> tuple[Try, ...]:
    """What the next round may show: the leader, another list, or the leader with a pair swapped."""
    tested = kept * sum(test.chance for test in tests)
    kinds = [
        Try("The order now", "It is the best one so far.", kept - tested),
        Try(
            "Another order that may be better",
            "As often as it may be the best one, by the click rates that are believed.",
            1.0 - kept,
            tuple(Example(in_order(found), share) for found, share in others[:MOST_EXAMPLES]),
        ),
        Try(
            "The order with one pair swapped",
            "A fair test of the two, which holds however people click.",
            tested,
            tuple(
                Example(
                    f"{test.behind} {'above' if test.on_page else 'in place of'} {test.ahead}",
                    kept * test.chance,
                )
                for test in sorted(tests, key=lambda test: -test.chance)[:MOST_EXAMPLES]
            ),
        ),
    ]
    return (kinds[0], *(kind for kind in kinds[1:] if kind.chance))


def _rounds(number: int) -> str:
    return f"{number:,} round{'' if number == 1 else 's'}"
