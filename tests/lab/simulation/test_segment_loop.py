"""The loop of segments plays a literal game, with and without skipping, compiled and plain."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from unirank import CM, PBM, ClickModel, Policy, Segments, simulate
from unirank.policies import PlainPolicy, registry
from unirank.policies.base.kernels import PolicyKernels
from unirank.policies.kernels.compiling import compiled

LIKED, OTHERWISE = [0.5, 0.1, 0.3, 0.05, 0.2], [0.1, 0.5, 0.05, 0.3, 0.2]
LOOKS = [1.0, 0.7, 0.4]
CONTEXTS = [{"device": "mobile"}, {"device": "desktop"}]
USERS = Segments(CONTEXTS, [0.7, 0.3], [PBM(LIKED, LOOKS), PBM(OTHERWISE, LOOKS)])


def lost(policy: Any, users: ClickModel, **settings: Any) -> Any:
    given = {"n_positions": 3, "n_rounds": 20_000, "n_games": 2, "seed": 5, **settings}
    return simulate(policy, users, **given).regret


class ByContext(PlainPolicy):
    """Shows each visitor the best list, or that of the others: it knows the users."""

    wrong: bool = False

    def rank(self, rng: Any) -> Any:  # type: ignore[override]
        liked = LIKED if (self.context["device"] == "mobile") ^ self.wrong else OTHERWISE
        return np.argsort(-np.array(liked), kind="stable")[:3]

    def update(self, ranking: Any, clicks: Any) -> None:  # type: ignore[override]
        pass


class Unshuffled(PBM):
    """Users whose items keep their numbers."""

    def item_order(self, seed: int, game: int) -> Any:
        return np.arange(self.n_items)


FIXED = Segments(CONTEXTS, [0.7, 0.3], [Unshuffled(a, LOOKS) for a in (LIKED, OTHERWISE)])


@pytest.mark.parametrize("name", ["unirank", "matchrank", "random"])
@pytest.mark.parametrize("alone", [PBM(LIKED, LOOKS), CM(LIKED)], ids=["pbm", "cm"])
def test_one_segment_has_the_bits_of_its_click_model(name: str, alone: ClickModel) -> None:
    users = Segments(contexts=[{}], shares=[1], users=[alone])
    assert np.array_equal(lost(name, users), lost(name, alone))


def test_a_plain_policy_meets_one_segment_as_its_click_model() -> None:
    users = Segments(contexts=[{}], shares=[1], users=[CM(LIKED)])
    plain = lost("plain-unirank", users, n_rounds=200)
    assert np.array_equal(plain, lost("plain-unirank", CM(LIKED), n_rounds=200))
    assert np.array_equal(plain, lost("unirank", users, n_rounds=200))


@pytest.mark.parametrize("name", ["unirank", "matchrank", "grab"])
def test_skipping_changes_no_bit(name: str) -> None:
    settings = {"n_rounds": 100_000, "checkpoints": range(1, 100_001, 97)}
    assert np.array_equal(lost(name, USERS, **settings), lost(name, USERS, skip=False, **settings))


def test_a_policy_that_reads_contexts_may_hold_its_list_for_one_visitor_only() -> None:
    asked = []

    def counting(state: Any, limit: int, ranking: Any) -> int:
        asked.append(limit)
        return 0

    class Asked(ByContext):
        """Notes for how many rounds it may hold its list."""

    Asked.kernels = Asked.kernels._replace(hold=counting)
    lost(Asked, FIXED, n_rounds=10, n_games=1)
    assert asked == [1] * 10  # its list may depend on the visitor
    asked.clear()
    lost(Asked, FIXED, n_rounds=10, n_games=1, skip=False)
    assert asked == []


def test_regret_is_that_of_a_literal_game() -> None:
    n_rounds, seed = 400, 3
    order = USERS.item_order(seed, 0)
    counts = np.vstack([[0, 0], USERS.visitors(range(1, n_rounds + 1), seed=seed)])
    policy: Policy = registry["unirank"](5, 3, seed=seed)
    wanted = []
    here = Segments(
        CONTEXTS, [0.7, 0.3], [PBM(np.array(a)[order], LOOKS) for a in (LIKED, OTHERWISE)]
    )
    for round_ in range(1, n_rounds + 1):
        (segment,) = np.flatnonzero(counts[round_] - counts[round_ - 1])
        shown = policy.rank()
        items = [int(item) for item in shown.items]
        clicks = here.draw_clicks(items, seed=seed, round=round_)
        policy.update(shown, [i for i, click in zip(items, clicks, strict=True) if click])
        model = here.users[segment]
        wanted.append(model.best_value(3) - model.value(items))
    found = lost(
        "unirank", USERS, n_rounds=n_rounds, n_games=1, seed=seed, checkpoints=range(1, 401)
    )
    np.testing.assert_allclose(found[0], np.cumsum(wanted), atol=1e-9)


def test_a_plain_policy_reads_who_comes() -> None:
    assert lost(ByContext, FIXED, n_rounds=300).max() == 0.0
    assert lost((ByContext, {"wrong": True}), FIXED, n_rounds=300)[:, -1].min() > 100


@compiled
def meet(state: Any, context: int) -> None:
    state.context[0] = context


@compiled
def rank(state: Any, rng: Any, ranking: Any) -> None:
    for position in range(ranking.size):
        ranking[position] = state.lists[state.context[0], position]


@compiled
def update(state: Any, ranking: Any, clicks: Any) -> None:
    return


class State(NamedTuple):
    lists: Any  # one for each context
    context: Any  # (1,)


class Compiled(Policy):
    """Shows the best list of whom its kernel `meet` is told of."""

    kernels = PolicyKernels(rank, update, meet=meet)

    def initial_state(self) -> State:
        lists = [model.best_ranking(self.n_positions) for model in FIXED.users]
        return State(np.array(lists), np.zeros(1, np.int64))


def test_a_compiled_policy_is_told_who_comes() -> None:
    assert lost(Compiled, FIXED).max() == 0.0
    one_list = ("oracle", {"ranking": FIXED.best_rankings(3)[0]})
    assert lost(one_list, FIXED)[:, -1].min() > 1000
