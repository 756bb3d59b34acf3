import pytest
from msgspec import structs

from tests.server.test_learner import played
from unirank.server.learner import Learner
from unirank.server.serving import Serving
from unirank.server.summaries import arm_ratio, lift, summary
from unirank.server.view import HOLDOUT, LEARNER


@pytest.fixture(scope="module")
def learner() -> Learner:
    return played("unirank", 1500)[0]


def test_a_page_that_knows_its_order_is_settled(learner: Learner) -> None:
    found = summary("p", Serving(learner, b"key"), learner.tallies(), explain=True)
    assert found.leader is not None
    assert found.leader[0] == ["c"]
    assert found.views == 1500
    assert found.arms[LEARNER].views + found.arms[HOLDOUT].views == 1500
    assert found.explanation
    assert found.exploration_share is not None


def test_a_new_page_knows_nothing() -> None:
    new = played("matchrank", 0)[0]
    found = summary("p", Serving(new, b"key"), new.tallies())
    assert (found.views, found.lift.value, found.sample_ratio) == (0, None, None)
    assert found.settled is False


@pytest.mark.parametrize(("n", "known"), [(0, False), (20, False), (60, True)])
def test_what_is_explored_is_said_after_some_views(n: int, known: bool) -> None:
    page = played("matchrank", n)[0]
    found = summary("p", Serving(page, b"key"), page.tallies())
    assert (found.exploration_share is not None) == known


@pytest.mark.parametrize("mode", ["frozen", "observe"])
def test_a_page_that_does_not_learn_explores_nothing(mode: str) -> None:
    page = played("unirank", 60)[0]
    page.settings = structs.replace(page.settings, mode=mode)
    found = summary("p", Serving(page, b"key"), page.tallies())
    assert found.exploration_share == 0.0


@pytest.mark.parametrize("policy", ["unirank", "matchrank"])
@pytest.mark.parametrize("mode", ["frozen", "observe"])
def test_a_page_that_does_not_learn_says_nothing_of_what_it_tries_next(
    mode: str, policy: str
) -> None:
    page = played(policy, 60)[0]
    learning = summary("p", Serving(page, b"key"), page.tallies(), explain=True).explanation
    page.settings = structs.replace(page.settings, mode=mode)
    found = summary("p", Serving(page, b"key"), page.tallies(), explain=True).explanation
    assert found is not None
    assert learning is not None
    first, rest = found.split("\n", 1)
    assert first.startswith(f"the page is {mode}")
    assert "next" in learning
    assert "next" not in rest
    assert learning.startswith(rest)


def test_a_policy_without_a_leader_has_none() -> None:
    new = played("random", 0)[0]
    found = summary("p", Serving(new, b"key"), new.tallies())
    assert (found.leader, found.settled) == (None, None)


def test_lift_is_the_difference_of_clicks_per_view(learner: Learner) -> None:
    arms = {arm: clicks / views for arm, (views, clicks) in learner.totals.items()}
    found = lift(learner.tallies(), 3)
    assert found.value == pytest.approx(arms[LEARNER] - arms[HOLDOUT])
    ratio = arm_ratio(learner.tallies())
    assert ratio is not None
    assert ratio > 0.001


def test_to_look_changes_nothing(learner: Learner) -> None:
    before = learner.to_bytes()
    summary("p", Serving(learner, b"key"), learner.tallies(), explain=True)
    assert learner.to_bytes() == before
