"""MatchRank in ordinary Python: this is the one to read first.

Our own policy. The docstring of the class defines it completely, but for `start=` and `half_life=`,
which are methods here. `unirank/policies/match_rank` is the compiled edition, equal ranking by
ranking; its files `model.py` and `guard.py` say why the formulas are these.
"""

from copy import copy
from math import erfc, expm1, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.policies.base.options import Probability
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng
from unirank.policies.kernels.randomness import MOST_ITEMS
from unirank.policies.match_rank.state import (
    LEAST_DOUBT,
    UNSETTLED,
    last_prior,
    merged,
    start_attraction,
)
from unirank.policies.plain.normal import normal

SLOPE, SLOPE_PRECISION = 0.2, 4.0  # log examination falls by 0.2 +- 0.5 a position
LEAST_PRIOR = 1.0  # clicks that the prior of an item is worth, at least
PATIENCE, LAZINESS = 1000, 0.02
SETTLED, MOST_REFRESHES = 0.01, 50  # a change that is none; tries to get there


def upper_tail(z: float) -> float:
    """Return the chance of a standard normal number above z."""
    return max(erfc(z * sqrt(0.5)) / 2, 1e-300)


@policies.registry.register_plain(policies.MatchRank)
class MatchRank(PlainPolicy):
    """Samples lists from a position model of all rounds, corrected by tests of neighbours.

    Model: click(i, k) ~ Bernoulli(exp(a_i + b_k)), b_1 = 0, b non-increasing, from s_ik clicks in
    n_ik displays of item i at position k. Tests: in each round one pair of neighbours is shown the
    other way round with a known chance; the difference of their clicks says who is better, whatever
    the click model. In full, for L items and K positions, with t rounds given before:

    0. Start. Items are in the order given; nothing is counted; a refresh is due, and

        a_i = -1,   b_k = -0.2 (k - 1),   A = 1

    1. Refresh the model, if it is due. First take m from b; then take a step, or two if t < 1000:

        m = min((sum_ik s_ik + 1 / 2) / (sum_ik n_ik exp(b_k) + 1), 0.9999)
        alpha_i = min(exp(a_i), 0.9999),   p_ik = min(alpha_i exp(b_k), 0.9999)
        w_ik = n_ik p_ik / (1 - p_ik),   r_ik = (s_ik - n_ik p_ik) / (1 - p_ik)
        W_i = (A / m) alpha_i / (1 - alpha_i) + sum_k w_ik
        g_i = (A - (A / m) alpha_i) / (1 - alpha_i) + sum_k r_ik
        h_k = sum_i (r_ik - g_i w_ik / W_i)
        J_kl = sum_i ([k = l] w_ik - w_ik w_il / W_i)

    The prior of A clicks in A / m displays is in W and g. The change c of the falls d of b solves

        d_k = b_k - b_(k-1),   k >= 2
        H_k = sum_(x >= k) h_x - 4 (d_k + 0.2)
        F_kl = sum_(x >= k) sum_(y >= l) J_xy + 4 [k = l]
        U U^T = F, with U upper triangular
        U^T c = U^(-1) H

    from c_2 on, each c_k cut to at most -d_k before the next: b stays level where it would rise.
    Then b_k changes by D_k, the sum of c_2 to c_k, cut to [-1, 1], and then so that b does not
    rise. And a_i changes by g_i / W_i - sum_k w_ik D_k / W_i, cut to [-1, 1], and then so that it
    is at most -0.0001.

    After the steps compute w, W, U and H once more, still with the old A. The next refresh has a
    new one, which is at least 1:

        v_i = min(1 / W_i, 1)
        (1 - m) / A = (1 - m + sum_i ((a_i - mean of a)^2 + v_i)) / (1 + L)
        e = 1 / sqrt(1000 + t),   f = max(e, least_doubt)

    The next refresh is due after 1 + floor(T / 50) more rounds, T of them so far since the last new
    item, or after 1 + floor(min(T, answers) / 50) more answers. If more answers than these have
    come, or a new item, the refresh is repeated until it moves no a_i and b_k by 0.01 or more, at
    most 50 times in all. A new item begins with an exp(a_i) that is the mean of the others.

    2. Draw a list. Solve U^T c = U^(-1) H + z as above, with normal numbers z; D_k is the sum of
    c_2 to c_k, not cut. With other normal numbers z_i, list the K items with the largest

        a_i - sum_k w_ik D_k / W_i + 3 ln max(1, 1 - v_i / 9 + z_i sqrt(v_i) / 3)

    Where the maximum is 1, add a billionth of z_i: equal items come in random order.

    3. Overrule. Item j overrules i above it if e^2 odds_ij > 1. From the second position down, each
    item climbs past those above it while it overrules them. Then, while items that are not on the
    page overrule the last one, the first of these in the order given takes its place, and climbs:
    at most L K times.

    4. Test one of the q pairs: the K - 1 of neighbours and, if L > K, the last item with a random
    one that is not on the page. Show pair i, j the other way round with the chance
    min(1 / 2, f q odds_ij).

    5. Update, when clicks come. Add them to s and n. Let i be the item of the pair that was shown,
    or shown above, x its click less that of j (0 if j was not shown), and u the chance that the
    other order had:

        gain_ij <- gain_ij + u x,   gain_ji <- gain_ji - u x
        spread_ij <- spread_ij + u x^2 / 2,   spread_ji <- spread_ij
        z_ij = gain_ij / sqrt(spread_ij + 1 / 2)
        odds_ij = Phi(-z_ij) / Phi(z_ij)
    """

    least_doubt: Probability = LEAST_DOUBT  # of a test; above 0, the regret is O(log T)
    remembers = ("slot", "other", "weight")  # the test of a list whose clicks may come late
    pair_bytes = 16

    def start(self) -> None:
        n_items, n_positions = self.n_items, self.n_positions
        number: Any = np.int64 if self.half_life is None else np.float64
        self.clicked = np.zeros((n_items, n_positions), number)  # s
        self.shown = np.zeros((n_items, n_positions), number)  # n
        self.a = np.full(n_items, -1.0)  # log attraction
        self.b = -SLOPE * np.arange(n_positions)  # log examination
        self.share = np.zeros((n_items, n_positions))  # w / W
        self.deviation = np.ones(n_items)  # of a log attraction that is drawn
        self.root = np.eye(n_positions - 1)  # U: U U' is the information of the falls of b
        self.pull = np.zeros(n_positions - 1)  # U^-1 times their score
        self.gain = np.zeros((n_items, n_items))  # sum of w x, row above column
        self.spread = np.zeros((n_items, n_items))  # sum of w x^2 / 2
        self.order = list(range(n_items))  # by a
        self.rounds = self.next_refresh = 0
        self.answers = self.next_answers = 0
        self.changed = 0  # the round after which the last item came
        self.prior_clicks = 1.0  # what the prior of an item is worth
        self.doubt = 0.0
        self.prior = np.zeros((n_items, 2))  # clicks and displays that the start order is worth
        self.trust = 0  # rounds after which that counts half
        self.aged = 0  # the round as of which counts and sums have faded

    def begin_with(self, order: NDArray[np.int64], trust: int) -> None:
        """Take attraction to fall slowly along the order, as if seen in trust / 2 clicks each."""
        relative = start_attraction(order, self.n_items, self.n_positions)
        self.prior = trust / 2 / np.column_stack([np.ones(self.n_items), relative])
        self.trust = trust
        self.a = self.a + np.log(relative)
        self.order.sort(key=lambda item: -relative[item])

    def extend_state(self) -> None:
        """The last item is new: as attractive as the mean."""
        row = (0, 1), (0, 0)
        self.clicked, self.shown = np.pad(self.clicked, row), np.pad(self.shown, row)
        self.share = np.pad(self.share, row)
        last = last_prior(self.trust, self.n_items, self.n_positions)
        self.prior = np.vstack([self.prior, last])
        self.a = np.append(self.a, np.log(np.exp(self.a).mean()))
        self.deviation = np.append(self.deviation, 1.0)
        self.gain, self.spread = np.pad(self.gain, (0, 1)), np.pad(self.spread, (0, 1))
        self.order.append(len(self.order))
        if self.rounds > 0:  # refresh at once, and thoroughly
            self.changed, self.next_answers = self.rounds, UNSETTLED

    # Each round.

    def rank(self, rng: RoundRng) -> list[int]:
        self.refresh_if_due()
        self.rounds += 1
        samples = self.sample(rng.draws)
        ranking = sorted(self.available_order(), key=lambda item: -samples[item])
        return self.tested(self.overruled(ranking[: self.n_positions]), rng.draws)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        positions = np.arange(self.n_positions)
        self.shown[ranking, positions] += 1
        self.clicked[ranking, positions] += clicks
        self.answers += 1
        self.learn_from_test(ranking.tolist(), clicks.astype(float).tolist())

    # The position model.

    def refresh_if_due(self) -> None:
        """Refresh if 2 % more rounds or answers have come, since the start or the last new item."""
        if self.rounds < self.next_refresh and self.answers < self.next_answers:
            return
        self.fade()
        thorough = self.answers > self.next_answers  # too many came for one step
        for _ in range(MOST_REFRESHES if thorough else 1):
            if self.refresh() < SETTLED:
                break
        seen = self.remembered()
        self.doubt = 1 / sqrt(PATIENCE + seen)
        seen = min(seen, self.rounds - self.changed)
        self.next_refresh = self.rounds + 1 + int(seen * LAZINESS)
        self.next_answers = self.answers + 1 + int(min(seen, self.answers) * LAZINESS)

    def remembered(self) -> float:
        """Return how many rounds are remembered: all, unless there is a half-life."""
        if self.half_life is None:
            return self.rounds
        memory = self.half_life / log(2)
        return -memory * expm1(-self.rounds / memory)

    def fade(self) -> None:
        """Let counts and sums fade, in steps of a hundredth of the half-life."""
        passed = self.rounds - self.aged
        if self.half_life is None or passed == 0 or passed < self.half_life / 100:
            return
        self.aged = self.rounds
        factor = 2 ** (-passed / self.half_life)
        self.clicked, self.shown = self.clicked * factor, self.shown * factor
        self.gain, self.spread = self.gain * factor, self.spread * factor

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        """Sum counts and sums; the model is mine, until the refresh that is due."""
        clock = ("rounds", "aged", "answers")
        mine, other, shared = (
            {**part, **{n: np.array([part[n]]) for n in clock}}
            for part in (self.statistics(), theirs, common)
        )
        found = merged(mine, other, shared, self.half_life)
        return {**found, **{n: int(found[n][0]) for n in clock}}

    def refresh(self) -> float:
        """Move the mode by Fisher scoring, take the posterior around it; return the largest move.

        The next refresh takes what the prior is worth from this one.
        """
        looks = (self.shown * np.exp(self.b)).sum()
        mean_attraction = min((self.clicked.sum() + 0.5) / (looks + 1), 0.9999)
        steps = [self.step(1 / mean_attraction) for _ in range(2 if self.rounds < 1000 else 1)]
        self.linearise(1 / mean_attraction)
        squares = (self.a - self.a.mean()) ** 2 + self.deviation**2
        unit = 1 - mean_attraction  # variance of a log attraction whose prior is worth one click
        variance = (unit + squares.sum()) / (1 + self.n_items)
        self.prior_clicks = max(unit / variance, LEAST_PRIOR)
        self.order.sort(key=lambda item: -self.a[item])  # equal ones stay in order
        return max(steps)

    def linearise(self, displays: float) -> NDArray[np.float64]:
        """Take the posterior at the mode; return how far each item would move alone.

        The prior of an item is `prior_clicks`, each in `displays` at full examination, and what the
        start order is worth. The falls of b from one position to the next have the information U U'
        after the items are eliminated.
        """
        attraction = np.minimum(np.exp(self.a), 0.9999)
        p = np.minimum(attraction[:, None] * np.exp(self.b), 0.9999)
        w = self.shown * p / (1 - p)
        score = (self.clicked - self.shown * p) / (1 - p)
        fading = self.trust / (self.trust + self.rounds) if self.trust else 0.0
        prior_clicks, prior_displays = self.prior_clicks + fading * self.prior.T
        expected = displays * prior_displays * attraction  # clicks, in the displays of the prior
        item_information = expected / (1 - attraction) + w.sum(axis=1)
        item_score = (prior_clicks - expected) / (1 - attraction) + score.sum(axis=1)
        self.deviation = np.sqrt(np.minimum(1 / item_information, 1 / LEAST_PRIOR))
        self.share = w / item_information[:, None]
        information = np.diag(w.sum(axis=0)) - self.share.T @ w
        position_score = score.sum(axis=0) - self.share.T @ item_score
        later = np.triu(np.ones((self.n_positions - 1,) * 2))  # a fall moves all later positions
        information = later @ information[1:, 1:] @ later.T
        information += SLOPE_PRECISION * np.eye(self.n_positions - 1)
        fall_score = later @ position_score[1:] - SLOPE_PRECISION * (np.diff(self.b) + SLOPE)
        self.root = np.linalg.cholesky(information[::-1, ::-1])[::-1, ::-1]
        self.pull = np.linalg.solve(self.root, fall_score)
        return item_score / item_information

    def solve(self, right: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return b plus the falls d with U' d = right, from the first position down.

        Where b would rise it stays level, and the positions after it are solved given that.
        """
        fall = np.zeros(self.n_positions - 1)
        for k in range(self.n_positions - 1):
            free = (right[k] - self.root[:k, k] @ fall[:k]) / self.root[k, k]
            fall[k] = min(free, self.b[k] - self.b[k + 1])
        return self.b + np.append(0.0, np.cumsum(fall))

    def step(self, displays: float) -> float:
        """Take one Fisher-scoring step, of at most 1 for each item and position; return it."""
        item_change = self.linearise(displays)
        before, a = self.b, self.a
        self.b = np.minimum.accumulate(self.solve(self.pull).clip(before - 1, before + 1))
        moved = item_change - (self.share * (self.b - before)).sum(axis=1)
        self.a = np.minimum(self.a + moved.clip(-1, 1), -1e-4)
        return float(max(abs(self.b - before).max(), abs(self.a - a).max()))

    def available_order(self) -> list[int]:
        """Return the items that can be shown now, by attraction."""
        available = set(self.available_items)
        return [item for item in self.order if item in available]

    def sample(self, draws: Draws) -> dict[int, float]:
        """Draw log attractions from the posterior, none below its mean: positions first."""
        normals = np.array([normal(draws, k) for k in range(1, self.n_positions)])
        change = self.solve(self.pull + normals) - self.b
        means = self.a - (self.share * change).sum(axis=1)
        samples = {}
        for n, item in enumerate(self.available_items):
            v, z = self.deviation[item], normal(draws, MOST_ITEMS + n)
            cube_root = 1 - v * v / 9 + v * z / 3
            above = 3 * log(cube_root) if cube_root > 1 else 1e-9 * z  # equal ones in random order
            samples[item] = means[item] + above
        return samples

    # The guard.

    def odds(self, i: int, j: int) -> float:
        """Return the odds that item j is better than i, from the tests of the two."""
        z = self.gain[i, j] / sqrt(self.spread[i, j] + 0.5)
        tail = upper_tail(abs(z))
        odds = tail / (1 - tail)  # of the worse item
        return odds if z > 0 else 1 / odds

    def overruled(self, ranking: list[int]) -> list[int]:
        """Correct a list, so that no item is overruled by the next or by one outside."""

        def overrules(item: int, above: int) -> bool:
            return self.doubt**2 * self.odds(above, item) > 1

        def climb(position: int) -> None:
            while position > 0 and overrules(ranking[position], ranking[position - 1]):
                pair = slice(position - 1, position + 1)
                ranking[pair] = ranking[pair][::-1]
                position -= 1

        for position in range(1, self.n_positions):
            climb(position)
        for _ in range(self.n_items * self.n_positions):  # tests may disagree in a circle
            outside = (item for item in self.available_items if item not in ranking)
            challenger = next((item for item in outside if overrules(item, ranking[-1])), None)
            if challenger is None:
                break
            ranking[-1] = challenger
            climb(self.n_positions - 1)
        return ranking

    def tested(self, ranking: list[int], draws: Draws) -> list[int]:
        """Put one random pair under test: show it the other way round, with a known chance."""
        items = self.available_items
        n_slots = self.n_positions if len(items) > self.n_positions else self.n_positions - 1
        self.slot = 1 + draws.below(self.n_positions, n_slots) if n_slots else 0
        self.other, self.weight = 0, 0.0
        if not self.slot:
            return ranking
        above = ranking[self.slot - 1]
        if self.slot < self.n_positions:  # two neighbours
            self.other = ranking[self.slot]
        else:  # the last item, and one that is not shown
            places = (draws.below(d, len(items)) for d in range(self.n_positions + 2, MOST_ITEMS))
            self.other = next(items[n] for n in places if items[n] not in ranking)
        doubt = max(self.doubt, self.least_doubt)
        chance = min(doubt * n_slots * self.odds(above, self.other), 0.5)
        self.weight = chance  # that they are shown the other way round
        if draws.uniform(self.n_positions + 1) < chance:
            self.weight = 1 - chance
            ranking[self.slot - 1] = self.other
            if self.slot < self.n_positions:
                ranking[self.slot] = above
            self.other = above
        return ranking

    def learn_from_test(self, ranking: list[int], clicks: list[float]) -> None:
        """Add the clicks on the pair under test to its sums."""
        if not self.slot:
            return
        above, other, x = ranking[self.slot - 1], self.other, clicks[self.slot - 1]
        if self.slot < self.n_positions:
            other = ranking[self.slot]
            x -= clicks[self.slot]
        self.gain[above, other] += self.weight * x
        self.gain[other, above] -= self.weight * x
        self.spread[above, other] += self.weight * x * x / 2
        self.spread[other, above] = self.spread[above, other]

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list that model and tests support after all clicks so far, best position first.

        New items on an old page come last until somebody has seen them.
        """
        next_ = copy(self)  # the refresh of the next round, if it is due, is not done yet
        next_.b, next_.order = self.b.copy(), self.order.copy()
        next_.refresh_if_due()
        order = next_.available_order()
        if self.changed > 0:
            order.sort(key=lambda item: not self.shown[item].any())
        best = next_.overruled(order[: self.n_positions])
        return tuple(self.items[i] for i in best)
