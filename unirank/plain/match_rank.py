"""MatchRank in ordinary Python: this is the one to read first.

Our own policy. `unirank/policies/match_rank` is the compiled edition, equal ranking by ranking.
"""

from math import erfc, inf, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from unirank import policies
from unirank.kernels.randomness import MOST_ITEMS
from unirank.plain.beta import beta
from unirank.plain.selection import largest
from unirank.policies.base.plain_policy import PlainPolicy
from unirank.policies.base.round_rng import Draws, RoundRng

SLOPE, SLOPE_PRECISION = 0.2, 4.0  # log examination falls by 0.2 +- 0.5 a position
TEMPER, OUTSIDE_TEMPER, FEW_EVENTS = 0.5, 0.7, 20.0
MOST_DOUBT, MOST_MATCHES, LAZINESS = 0.03, 8, 0.02
NORMAL = NormalDist()


def tempered(events: float) -> float:
    """Return the share of the posterior's variance to explore with: 1 without evidence."""
    return TEMPER + (1 - TEMPER) / (1 + events / FEW_EVENTS)


def upper_tail(z: float) -> float:
    """Return the chance of a standard normal number above z."""
    return max(erfc(z * sqrt(0.5)) / 2, 1e-300)


@policies.registry.register_plain(policies.MatchRank)
class MatchRank(PlainPolicy):
    """Samples lists from a position model of all rounds, guarded by matched comparisons.

    Model: click(i, k) ~ Bernoulli(exp(a_i + b_k)), b_0 = 0, b non-increasing, from s_ik clicks in
    n_ik displays. Guard: rounds that show neighbours j, i of the leader swapped are matched with
    the next rounds that show them straight; the difference of their clicks says who is better,
    whatever the click model.
    """

    remembers = ("shown_round", "shown_version")  # of a list whose clicks may come late

    def start(self) -> None:
        n_items, n_positions = self.n_items, self.n_positions
        self.clicked = np.zeros((n_items, n_positions), np.int64)  # s
        self.shown = np.zeros((n_items, n_positions), np.int64)  # n
        self.a = np.full(n_items, -1.0)  # log attraction
        self.b = -SLOPE * np.arange(n_positions)  # log examination
        self.share = np.zeros((n_items, n_positions))  # w / W
        self.shape_a = np.ones(n_items)
        self.shape_b = np.ones(n_items)
        self.cholesky = np.eye(n_positions - 1)  # of the information of positions 1, 2, ...
        self.position_scale = np.ones(n_positions - 1)
        self.gap = np.zeros((n_items, n_items))  # sum of x with row above column
        self.square = np.zeros((n_items, n_items))  # sum of x^2
        self.sets = np.zeros((n_items, n_items))
        self.spread = np.zeros((n_items, n_items))  # sum of 1 + 1/m
        self.leader_items = list(range(n_items))
        self.changed_at = [0] * n_items  # version in which the pair of a slot changed last
        self.waiting: dict[int, list[float]] = {}  # slot -> [round, x, x of its matches ...]
        self.rounds = self.next_refresh = self.version = 0
        self.stale = False
        self.doubt = MOST_DOUBT

    # Each round.

    def rank(self, rng: RoundRng) -> list[int]:
        if self.rounds >= self.next_refresh:
            self.refresh()
            self.doubt = min(MOST_DOUBT, 1 / sqrt(1 + self.rounds))
            self.elect()
            self.next_refresh = self.rounds + 1 + int(self.rounds * LAZINESS)
        elif self.stale:
            self.elect()
        self.rounds += 1
        self.shown_round, self.shown_version = self.rounds, self.version
        ranking = largest(self.sample(rng.draws), self.n_positions, rng.draws)
        return self.doubted(ranking, rng.draws)

    def update(self, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
        positions = np.arange(self.n_positions)
        self.shown[ranking, positions] += 1
        self.clicked[ranking, positions] += clicks
        self.compare(ranking.tolist(), clicks.astype(float).tolist())

    # The position model.

    def refresh(self) -> None:
        """Move the mode by Fisher scoring, and take the posterior around it."""
        looks = (self.shown * np.exp(self.b)).sum()
        mean_attraction = min((self.clicked.sum() + 0.5) / (looks + 1), 1.0)
        for _ in range(2 if self.rounds < 1000 else 1):
            self.step(1 / mean_attraction)
        self.linearise(1 / mean_attraction)
        self.position_scale = np.sqrt([tempered(d * d) for d in self.cholesky.diagonal()])

    def linearise(self, displays: float) -> tuple[NDArray[np.float64], ...]:
        """Set the posterior at the mode; return scores and information of items and positions.

        The prior of an item is one click in `displays` displays at full examination.
        """
        attraction = np.minimum(np.exp(self.a), 0.9999)
        p = np.minimum(attraction[:, None] * np.exp(self.b), 0.9999)
        w = self.shown * p / (1 - p)
        score = (self.clicked - self.shown * p) / (1 - p)
        prior = displays * attraction / (1 - attraction)
        item_information = prior + w.sum(axis=1)
        item_score = (1 - displays * attraction) / (1 - attraction) + score.sum(axis=1)
        rate = (prior * attraction + (w * p).sum(axis=1)) / item_information
        temper = np.array([tempered(events) for events in item_information * (1 - rate) ** 2])
        outside = self.leader_items[self.n_positions :]
        temper[outside] = np.maximum(temper[outside], OUTSIDE_TEMPER)
        self.shape_a = np.maximum(1.0, item_information * (1 - rate) / temper)
        self.shape_b = np.maximum(1.0, item_information * (1 - rate) ** 2 / rate / temper)
        self.share = w / item_information[:, None]
        information = np.diag(w.sum(axis=0)) - self.share.T @ w  # items are eliminated
        position_score = score.sum(axis=0) - self.share.T @ item_score
        for k in range(1, self.n_positions):
            excess = self.b[k] - self.b[k - 1] + SLOPE
            pair = np.array([-1.0, 1.0])
            position_score[k - 1 : k + 1] -= SLOPE_PRECISION * excess * pair
            information[k - 1 : k + 1, k - 1 : k + 1] += SLOPE_PRECISION * np.outer(pair, pair)
        self.cholesky = np.linalg.cholesky(information[1:, 1:])
        return item_score, item_information, position_score[1:]

    def step(self, displays: float) -> None:
        """Take one Fisher-scoring step for all items and positions, of at most 1 each."""
        item_score, item_information, position_score = self.linearise(displays)
        change = np.linalg.solve(self.cholesky @ self.cholesky.T, position_score).clip(-1, 1)
        moved = item_score / item_information - self.share[:, 1:] @ change
        self.a = np.minimum(self.a + moved.clip(-1, 1), -1e-4)
        self.b[1:] += change
        self.b = np.minimum.accumulate(np.minimum(self.b, 0.0))

    def sample(self, draws: Draws) -> list[float]:
        """Draw log attractions from the tempered posterior: positions first, then items."""
        normals = [self.normal(draws, self.n_items + k) for k in range(1, self.n_positions)]
        x = np.linalg.solve(self.cholesky.T, self.position_scale * normals)
        drawn = np.minimum.accumulate(np.minimum(self.b[1:] + x, 0.0))  # examination falls
        samples = self.a - self.share[:, 1:] @ (drawn - self.b[1:])
        for item, (shape_a, shape_b) in enumerate(zip(self.shape_a, self.shape_b, strict=True)):
            total = shape_a + shape_b
            if shape_a > 30 and shape_b > 30:
                deviation = sqrt(shape_b / (shape_a * (total + 1)))
                samples[item] += deviation * self.normal(draws, MOST_ITEMS + item)
            else:
                value = beta(draws, MOST_ITEMS + item, shape_a, shape_b)
                samples[item] += log(max(value, 1e-300) * total / shape_a)
        return list(samples)

    def normal(self, draws: Draws, draw: int) -> float:
        """Return a standard normal number."""
        return NORMAL.inv_cdf(draws.inner(draws.bits(draw)))

    # The guard.

    def z(self, i: int, j: int) -> float:
        """Return how many standard errors item i is better than j in matched comparisons."""
        n = self.sets[i, j]
        if n == 0:
            return 0.0
        gaps = self.gap[i, j], self.gap[j, i]
        squares = self.square[i, j] + self.square[j, i]
        v = (squares - gaps[0] ** 2 / n - gaps[1] ** 2 / n) / 2
        return float((gaps[0] - gaps[1]) / sqrt((max(v, 0) + 0.5) * self.spread[i, j] / n))

    def flip(self, i: int, j: int) -> float:
        """Return the chance to show j over i where the model has i above j."""
        z = self.z(i, j)
        doubted = self.doubt * upper_tail(z)
        return doubted / (doubted + upper_tail(-z))

    def elect(self) -> None:
        """Order the items by attraction; pass an item over its neighbour where flip > 1/2."""
        n_positions, before = self.n_positions, self.leader_items
        order = sorted(before, key=lambda item: -self.a[item])  # equal ones stay in order
        for place in range(1, self.n_items):
            here = place
            if place >= n_positions:
                if not self.flip(order[n_positions - 1], order[place]) > 0.5:
                    continue
                here = n_positions - 1
                order[place], order[here] = order[here], order[place]
            while here > 0 and self.flip(order[here - 1], order[here]) > 0.5:
                order[here - 1], order[here] = order[here], order[here - 1]
                here -= 1
        self.leader_items = order
        changed = [
            slot
            for slot in range(1, self.n_items)
            if self.pair(slot, order) != self.pair(slot, before)
        ]
        for slot in changed:
            self.changed_at[slot] = self.version + 1
            self.waiting.pop(slot, None)
        self.version += bool(changed)
        self.stale = False

    def pair(self, slot: int, order: list[int]) -> tuple[int, int]:
        """Return the neighbours of a slot: of a position, or the last item and an outsider."""
        return order[min(slot, self.n_positions) - 1], order[slot]

    def doubted(self, ranking: list[int], draws: Draws) -> list[int]:
        """Pass items over the one above with chance flip; then let outsiders challenge the last."""
        uniforms = (draws.uniform(n) for n in range(self.n_items + self.n_positions, MOST_ITEMS))

        def climb(position: int) -> None:
            while position > 0:
                above, item = ranking[position - 1 : position + 1]
                if not next(uniforms) < self.flip(above, item):
                    return
                ranking[position - 1 : position + 1] = [item, above]
                position -= 1

        for position in range(1, self.n_positions):
            climb(position)
        outsiders = [item for item in range(self.n_items) if item not in ranking]
        for item in outsiders:
            chance = self.flip(ranking[-1], item)
            if chance < 0.5:  # all outsiders together are doubted like n_positions pairs
                chance *= min(1.0, self.n_positions / len(outsiders))
            if next(uniforms) < chance:
                ranking[-1] = item
                climb(self.n_positions - 1)
        return ranking

    def compare(self, ranking: list[int], clicks: list[float]) -> None:
        """Match the round with others in every slot that it shows straight or swapped."""
        last = self.n_positions - 1
        for slot in range(1, self.n_positions):
            i, j = self.pair(slot, self.leader_items)
            x = clicks[slot - 1] - clicks[slot]
            if ranking[slot - 1 : slot + 1] == [j, i]:
                self.count_swapped(slot, x)
            elif ranking[slot - 1 : slot + 1] == [i, j]:
                self.count_straight(slot, x)
        if set(ranking[:last]) != set(self.leader_items[:last]):
            return
        outsiders = range(self.n_positions, self.n_items)
        swapped = self.leader_items.index(ranking[last])
        if swapped in outsiders:
            self.count_swapped(swapped, clicks[last])
        else:
            for slot in outsiders:
                self.count_straight(slot, clicks[last])

    def count_swapped(self, slot: int, x: float) -> None:
        """Let a swapped round wait, unless the slot changed or another waits without a match."""
        if self.changed_at[slot] > self.shown_version:
            return
        if slot in self.waiting:
            if len(self.waiting[slot]) == 2:
                return
            self.commit(slot)
        self.waiting[slot] = [self.shown_round, x]

    def count_straight(self, slot: int, x: float) -> None:
        """Match a straight round with the swapped round that waits, if that was shown before."""
        if self.waiting.get(slot, [inf])[0] < self.shown_round:
            self.waiting[slot].append(x)
            if len(self.waiting[slot]) == 2 + MOST_MATCHES:
                self.commit(slot)

    def commit(self, slot: int) -> None:
        """Add a matched set to the sums of the slot's pair."""
        i, j = self.pair(slot, self.leader_items)
        _, swapped, *straight = self.waiting.pop(slot)
        overruled = self.flip(i, j) > 0.5, self.flip(j, i) > 0.5
        m = len(straight)
        for pair in ((i, j), (j, i)):
            self.sets[pair] += 1
            self.spread[pair] += 1 + 1 / m
        self.gap[j, i] += swapped
        self.square[j, i] += swapped**2
        self.gap[i, j] += sum(straight) / m
        self.square[i, j] += sum(x * x for x in straight) / m
        if overruled != (self.flip(i, j) > 0.5, self.flip(j, i) > 0.5):
            self.stale = True

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list that model and matched comparisons support, best position first."""
        return tuple(self.items[i] for i in self.leader_items[: self.n_positions])
