"""MatchRank: Thompson sampling in a position model, kept honest by tests of neighbours.

Our own policy; `paper.py` is the edition to read first. It needs positions in
decreasing order of attention, and neither the click model, nor the examination, nor the horizon.
Its regret is almost surely o(sqrt(T)), and O(log T) with `least_doubt=1/250`, under the assumptions
of the UniRank paper, whatever the click model (proof in docs/explanation/how_matchrank_works.md).

Each round:
    refresh   when 2 % more rounds have passed, or 2 % more answers have come, since the start or
              since an item came: the mode of the position model and the posterior around it
              (`model.py`)
    sample    log attractions from the posterior, with optimism; rank the n_positions largest
    overrule  correct the list where tests contradict the model (`guard.py`)
    test      show one random pair of the list the other way round, with a known chance
Then:
    update    count clicks per item and position, and the result of the test

Random numbers of a round: draw k < n_positions is that of position k, the next ones are those of
the test; draw MOST_ITEMS + i is item i's.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unirank import arguments
from unirank.policies.base.facts import registry
from unirank.policies.base.kept_state import KeptState
from unirank.policies.base.kernels import PolicyKernels, round_address
from unirank.policies.base.options import Probability
from unirank.policies.base.policy import Policy
from unirank.policies.base.ranking import Ranking, Seal, given_ranking
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.randomness import Rng
from unirank.policies.match_rank.draws import (
    display_chances,
    draw_list,
    list_chance,
    lists_again,
)
from unirank.policies.match_rank.explanation import MatchRankExplanation, explanation_of
from unirank.policies.match_rank.forgetting import fade, remembered
from unirank.policies.match_rank.guard import doubt_after, learn, overrule, test, weigh
from unirank.policies.match_rank.memory import MEMORY, remember
from unirank.policies.match_rank.model import SLOPE, refresh, sample, settle
from unirank.policies.match_rank.restricted import learn_too, leave
from unirank.policies.match_rank.state import (
    LEAST_DOUBT,
    State,
    copy_to_draw_from,
    extended,
    initial_state,
    items_of,
    merged,
    put_start,
    put_statistics,
    restricted,
    statistics_of,
)

MOST_DRAWS = 10**6  # in one call
ESTIMATE_DRAWS = 1000  # for the propensity of one list
LAZINESS = 0.02  # share of new rounds or answers at which the model is refreshed


@compiled
def refresh_if_due(state: State) -> None:
    now = state.now[0]
    if now.rounds < now.next_refresh and now.answers < now.next_answers:
        return
    fade(state)
    if now.answers > now.next_answers:  # too many came at once for one step
        settle(state)
    else:
        refresh(state)
    seen = remembered(now.rounds, state.half_life)
    now.doubt = doubt_after(seen)
    seen = min(seen, np.float64(now.rounds - now.changed))
    now.next_refresh = now.rounds + 1 + np.int64(seen * LAZINESS)
    now.next_answers = now.answers + 1 + np.int64(min(seen, np.float64(now.answers)) * LAZINESS)


@compiled
def rank(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    refresh_if_due(state)
    state.now[0].rounds += 1
    sample(state, rng, ranking)
    overrule(state, ranking)
    test(state, rng, ranking)


@compiled
def pass_round(state: State, rng: Rng, ranking: NDArray[np.int64]) -> None:
    refresh_if_due(state)
    state.now[0].rounds += 1


@compiled
def update(state: State, ranking: NDArray[np.int64], clicks: NDArray[np.bool_]) -> None:
    for position in range(ranking.size):
        state.shown[ranking[position], position] += 1
        state.clicked[ranking[position], position] += clicks[position]
    state.now[0].answers += 1
    learn(state, ranking, clicks)


@registry.register(
    "matchrank",
    paper="our own",
    clicks="any",
    position_order=True,
    lists="posterior sample",
    regret="sqrt(T), almost surely",
    availability=True,
    catalogue=True,
    merge=True,
    start=True,
    forgetting=True,
)
class MatchRank(Policy):
    """Samples lists from a position model of all rounds, corrected by tests of neighbours.

    The model (`model.py`) says that item i at position k is clicked with probability
    exp(a_i + b_k), where b_1 = 0 and b does not increase: attraction times examination. Its mode,
    and the normal approximation around it, come from the clicks and displays of each item at each
    position in all rounds. Each round draws attractions from this posterior, none below its mean,
    and lists the items with the largest.

    The tests (`guard.py`) do not rest on the model. Each round takes a random pair of its list,
    two neighbours or the last item and one that is not shown, and shows it the other way round with
    a known chance. The difference of their clicks, each order weighted by the chance of the other,
    says who is better whatever the click model. Where it contradicts the model strongly, it
    overrules the model.

    `paper.py` defines the whole algorithm, step by step, and has it in ordinary
    Python; `model.py` and `guard.py` say why the formulas and their constants are these. The page
    "How MatchRank works" (docs/explanation/how_matchrank_works.md) derives them, and says what is
    proved.

    *When to use it.* When visits are few: each click teaches the model about its item and its
    position at once, where UniRank waits for clicks on one of two items. It needs to know neither
    the click model, nor the examination, nor the horizon.

    *When not.* For a bound on the mean over games: UniRank has one, of the order log T, with a
    constant that can be computed. With `least_doubt=1/250` MatchRank's regret is of that order in
    almost every game, from a round on that differs from game to game; of its mean only o(T) is
    proved. For a page whose
    positions have no known order of examination. For many thousands of items: it keeps three
    numbers of each pair of items.

    *Needs.* Positions from the most to the least examined; `position_order` says which those are,
    if the first place of the page is not the most examined one.

    Parameters
    ----------
    propensity
        What `shown.propensity` is. The chance of a list has no closed form: by default, "none", it
        is NaN. "estimate" draws 1,000 other lists for the round and takes the mean of the chances
        that they, and the round's own draw, give to the list shown; `shown.propensity_error` is the
        root mean squared error of that (`draws.py`). It is for pages of which few lists are likely:
        small ones, or learnt ones. Of a list rarer than 1 in 1,000, such as any list of a page of
        10 items and 5 positions of which nothing is known yet, the estimate is mostly the round's
        own draw, about 1 / 1,001 however rare the list, and the error is as large as the estimate.
        Weights of 1 / propensity are unbiased, except that lists which none of the draws can give
        are missed: nearly all, of such a page. Look at the error before you use either. Rankings
        stay the same; a round takes as long as 1,000.
    least_doubt
        The doubt in a test falls like 1 / sqrt(1000 + t), to this number and no further. With 0,
        the default, what is proved of the regret is o(sqrt(T)); above 0, O(log T). 1/250 acts from
        round 61,500 on.

    Examples
    --------
    >>> policy = MatchRank(items=["a", "b", "c", "d"], n_positions=2, seed=1)
    >>> for n in range(300):
    ...     shown = policy.rank()
    ...     liked = {"c", "a"} if n % 2 else {"c"}
    ...     policy.update(shown, clicks=liked & set(shown))
    >>> policy.leader
    ('c', 'a')
    >>> policy.propensities().shape  # chances of items at positions in the next round
    (4, 2)
    >>> print(str(policy.explain()).splitlines()[0])
    leader after 300 rounds: c > a
    """

    kernels = PolicyKernels(rank, update, remember=remember, pass_round=pass_round)
    pair_bytes = 24
    kept_pairs = "odds"
    propensity: Literal["none", "estimate"] = "none"
    least_doubt: Probability = LEAST_DOUBT

    def initial_state(self) -> State:
        size = self.n_items, self.n_positions
        return initial_state(*size, SLOPE, self.half_life, self.least_doubt)

    def begin_with(self, order: NDArray[np.int64], trust: int) -> None:
        put_start(self.state, order, trust)

    def memory_room(self) -> int:
        return MEMORY.itemsize

    def recall(self, ranking: NDArray[np.int64], memory: bytes) -> None:
        (test_,) = np.frombuffer(memory, MEMORY)
        for name in MEMORY.names or ():
            self.state.now[name] = test_[name]

    def check_memory(self, ranking: NDArray[np.int64], memory: bytes) -> bool:
        if len(memory) != MEMORY.itemsize:
            return False
        slot, other, weight = np.frombuffer(memory, MEMORY)[0].tolist()
        if slot == self.n_positions:
            return 0 <= other < self.n_items and other not in ranking and 0.0 <= weight <= 1.0
        return 0 <= slot < self.n_positions and 0.0 <= weight <= 1.0

    def extend_state(self) -> None:
        self.state = extended(self.state)

    def restricted_state(self, numbers: NDArray[np.int64]) -> State:
        refresh_if_due(self.state)
        return restricted(self.state, numbers)

    def leave_restricted(self, restricted: State, numbers: NDArray[np.int64]) -> bytes:
        return self._memory[: leave(self.state, restricted, numbers, self._memory)].tobytes()

    def _pass_restricted(self, number: int, numbers: NDArray[np.int64]) -> None:
        self._pass_one(number)  # rounds are counted alike, whichever items there are

    def renew_kept(self, kept: KeptState) -> bool:
        # Pairs change at answers, and where they fade; the model of the items at a refresh.
        refresh_if_due(self.state)
        mine, theirs = self.state.now[0], kept.state.now[0]
        if mine["aged"] != theirs["aged"]:
            return False
        if any(mine[name] != theirs[name] for name in ("next_refresh", "next_answers")):
            kept.state = kept.state._replace(**items_of(self.state, kept.numbers))
        kept.state.now[:] = self.state.now
        return True

    def teach_kept(self, kept: KeptState) -> None:
        learn_too(self.state, kept.state, kept.local, self._answered)

    def merged_statistics(self, theirs: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
        return merged(self.statistics(), theirs, common, self.half_life)

    def statistics(self) -> dict[str, NDArray[Any]]:
        return statistics_of(self.state)

    def restore(self, statistics: dict[str, NDArray[Any]]) -> None:
        self.state = self.initial_state()
        put_statistics(self.state, statistics)
        for i, j in np.argwhere(np.triu(self.state.spread) > 0.0).tolist():
            weigh(self.state, i, j)

    @property
    def leader(self) -> tuple[int | str, ...]:
        """The list that model and tests support, best position first.

        As the next round sees it: the model may lag by 2 % of the answers. New items on an
        old page come last until somebody has seen them.
        """
        state, items = self.present()
        return tuple(items[item] for item in leader_of(state).tolist())

    def next_state(self) -> State:
        """A copy of the state as the next round begins: lists drawn from it change nothing."""
        with self._guard:
            state = copy_to_draw_from(self.state)
            refresh_if_due(state)
            return state

    def present(self) -> tuple[State, tuple[int | str, ...]]:
        """`next_state` without removed items, and the ids of the items in it."""
        numbers = self._choice(None)
        if numbers is None:
            return self.next_state(), self.items
        return restricted(self.next_state(), numbers), self._ids(numbers)

    def _is_compiled_whole(self) -> bool:
        return self.propensity == "none" and super()._is_compiled_whole()

    def _chosen(
        self, number: int, numbers: NDArray[np.int64] | None, seal: Seal | None = None
    ) -> Ranking:
        shown = super()._chosen(number, numbers, seal)
        if self.propensity == "none":
            return shown
        chance, error = self._chance_of_last(number, numbers)
        return given_ranking(shown.items, number, chance, shown._given, error)

    def _chance_of_last(
        self, number: int, numbers: NDArray[np.int64] | None
    ) -> tuple[float, float]:
        """Estimate the chance of the list that was chosen last, with its error."""
        state, ranking = copy_to_draw_from(self.state), self._ranking
        if numbers is not None:
            state, ranking = restricted(state, numbers), np.searchsorted(numbers, ranking)
        drawn = lists_again(state, self.seed, number, ESTIMATE_DRAWS)
        own = np.empty_like(ranking)
        draw_list(state, round_address(self._key, number), own)
        return list_chance(state, np.vstack([own, drawn]), ranking)

    def propensities(self, n_draws: int = 1000) -> NDArray[np.float64]:
        """Chances that the next round shows each item at each position of the page.

        Rows are `policy.items`, columns the positions of the page; each column sums to 1. They are
        estimated from `n_draws` lists that the model might draw: the standard error of a chance p
        is at most sqrt(p (1 - p) / n_draws), 0.016 for 1,000 draws. The policy does not change, and
        the same seed and round give the same estimates.
        """
        n_draws = arguments.integer("n_draws", n_draws, 1, MOST_DRAWS)
        state, items = self.present()
        drawn = lists_again(state, self.seed, self.round + 1, n_draws)
        chances = np.zeros((self.n_items, self.n_positions))
        chances[[self._catalogue.numbers[item] for item in items]] = display_chances(state, drawn)
        order = self.position_order or range(self.n_positions)
        return chances[:, np.argsort(order)]

    def explain(self, n_draws: int = 1000) -> MatchRankExplanation:
        """Say what the model believes, what the tests saw, and what the next round may show.

        How often the model would draw another list than the leader is estimated by `n_draws` draws.
        """
        return self.explanation(n_draws)

    def explanation(self, n_draws: int = 1000) -> MatchRankExplanation:
        n_draws = arguments.integer("n_draws", n_draws, 1, MOST_DRAWS)
        state, items = self.present()
        n_rounds = state.now["rounds"].copy()
        leader = leader_of(state)
        lists = lists_again(state, self.seed, self.round + 1, n_draws)
        state.now["rounds"] = n_rounds
        return explanation_of(state, items, lists, leader)


def leader_of(state: State) -> NDArray[np.int64]:
    """Rank the items by attraction, and correct the list where tests contradict the model.

    The model takes a new item to be like the others. That is a reason to try it, not to lead with
    it: where items came later, those that nobody has seen are last.
    """
    unseen = ~state.shown.any(axis=1) & (state.now["changed"] > 0)
    seen_first = state.order[np.argsort(unseen[state.order], kind="stable")]
    ranking = seen_first[: state.step.size]
    state.now["rounds"] += 1  # another page than the last one
    overrule(state, ranking)
    return ranking
