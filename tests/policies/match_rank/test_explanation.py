"""The explanation: intervals and tests by hand, chances true of what is then shown, and words."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from tests.policies.match_rank.situations import ITEMS, overruled, play, played, put_test, sized
from unirank import PBM, ArgumentError, MatchRank, load
from unirank.policies.base.explanation import Belief
from unirank.policies.match_rank.explanation import PairTest


def test_it_has_the_leader_and_every_item_and_position() -> None:
    policy = played(500)
    found = policy.explain()
    assert (found.leader, found.n_rounds) == (policy.leader, 500)
    assert tuple(belief.of for belief in found.attraction[:2]) == policy.leader
    assert {belief.of for belief in found.attraction} == set(ITEMS)
    assert [belief.of for belief in found.examination] == [1, 2]
    for belief in (*found.attraction, *found.examination):
        assert 0 <= belief.low <= belief.value <= belief.high <= 1


def test_the_interval_of_a_single_item_is_that_of_its_clicks() -> None:
    """One position: the log of a rate from n clicks in N displays has variance 1/n - 1/N."""
    policy = MatchRank(2, 1, seed=1)
    policy.state.shown[:, 0], policy.state.clicked[:, 0] = [4000, 100], [400, 10]
    policy.state.now["rounds"] = 4100
    policy.state.now["next_refresh"] = 4101
    for _ in range(20):
        policy.state = policy.next_state()
        policy.state.now["next_refresh"] = 0
    sure, vague = sorted(policy.explain().attraction, key=lambda belief: int(belief.of))
    deviation = np.sqrt(1 / 401 - 1 / 4010)  # a prior of one click in ten displays
    assert sure.low == pytest.approx(0.1 * np.exp(-1.96 * deviation), rel=0.005)
    assert sure.high == pytest.approx(0.1 * np.exp(1.96 * deviation), rel=0.005)
    assert vague.high - vague.low > 4 * (sure.high - sure.low)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """40 games of random lists, 6 numbers each: 228 of 240 expected, margin 4 deviations."""
    truth = PBM(attraction=[0.5, 0.4, 0.3, 0.2, 0.1], examination=[1.0, 0.6])
    draw = np.random.default_rng(1)
    inside = 0
    for game in range(40):
        policy = MatchRank(5, 2, seed=game)
        state = policy.state
        state.shown[...] = 200
        rates = np.outer([0.5, 0.4, 0.3, 0.2, 0.1], [1.0, 0.6])
        state.clicked[...] = draw.binomial(200, rates)
        state.now["rounds"] = 1000
        for _ in range(10):
            state.now["next_refresh"] = 0
            policy.state = state = policy.next_state()
        found = policy.explain(n_draws=1)
        beliefs = [*found.attraction, found.examination[1]]
        true = [truth.attraction[int(b.of)] for b in found.attraction] + [0.6]
        inside += sum(b.low <= x <= b.high for b, x in zip(beliefs, true, strict=True))
    assert abs(inside - 228) < 4 * np.sqrt(240 * 0.95 * 0.05)


def test_a_test_tells_its_sums_as_of_a_fair_coin() -> None:
    policy = played(1000)
    put_test(policy, 1, 2, gain=3.0, spread=4.0)
    test = policy.explain().tests[0]
    assert (test.ahead, test.behind, test.on_page) == ("mug", "pot", True)
    assert (test.comparisons, test.wins) == (16.0, 11.0)
    assert test.z == pytest.approx(3.0 / np.sqrt(4.5))
    assert test.odds == pytest.approx(stats.norm.sf(test.z) / stats.norm.cdf(test.z))
    assert not test.decided
    told = "the first won 11 of 16 differing clicks, 8 % that the second is better"
    assert str(test) == f"mug > pot: {told}"


def test_neighbours_come_first_then_the_last_against_those_not_shown() -> None:
    pairs = [(t.ahead, t.behind, t.on_page) for t in played(500).explain().tests]
    assert pairs[0] == ("mug", "pot", True)
    assert {(a, b, on) for a, b, on in pairs[1:]} == {("pot", "tea", False), ("pot", "tray", False)}


def test_tests_that_overrule_the_model_are_said_to() -> None:
    found = overruled().explain()
    assert found.leader == ("pot", "mug")
    assert found.tests[0].decided
    assert found.tests[0].overrules
    assert "won 70 of 80 differing clicks, which overrules the model\n" in str(found)
    agreeing = played(1000)
    put_test(agreeing, 1, 2, gain=30.0, spread=20.0)
    test = agreeing.explain().tests[0]
    assert (test.decided, test.overrules) == (True, False)
    assert str(test).endswith("which decides")


def test_the_model_draws_what_is_then_shown() -> None:
    """Without tests, 20,000 rounds of the same state show each list as often as told."""
    policy = played(60)
    policy.state.now["doubt"] = 0.0  # nothing is tested
    for due in ("next_refresh", "next_answers"):
        policy.state.now[due] = 10**9
    n_rounds = 20_000
    found = policy.explain(n_draws=10 * n_rounds)
    assert found.tries is not None
    assert found.tries[0].chance == found.kept
    shown = Counter(policy.rank().items for _ in range(n_rounds))
    told = {found.leader: found.kept, **dict(found.other_lists)}
    assert sum(told.values()) == pytest.approx(1.0)
    frequent = [items for items, share in told.items() if share > 0.001]
    assert len(frequent) > 5
    for items in frequent:
        p = told[items]
        assert abs(shown[items] / n_rounds - p) < 4.5 * np.sqrt(1.1 * p * (1 - p) / n_rounds)


def test_the_chance_of_a_test_is_that_of_the_guard() -> None:
    policy = played(1000)
    put_test(policy, 1, 2, gain=1.0, spread=2.0)
    found = policy.explain()
    doubt = policy.next_state().now["doubt"][0]
    assert found.tests[0].chance == pytest.approx(doubt * found.tests[0].odds)
    outside = found.tests[1]  # 2 slots, 2 items outside
    assert outside.chance == pytest.approx(min(doubt * 2 * outside.odds, 0.5) / 2 / 2)


def test_the_words_are_these() -> None:
    lines = str(played(500).explain()).splitlines()
    assert lines[0] == "leader after 500 rounds: mug > pot"
    assert [line.split()[1] for line in lines[2:6]] == ["mug", "pot", "tea", "tray"]
    assert lines[2].endswith("examination 1")
    assert [line.split(":")[0].strip() for line in lines[7:8]] == ["mug > pot"]
    assert lines[10] == "the next round shows"
    assert lines[11].endswith("%  The order now. It is the best one so far.")
    assert "%  Another order that may be better. " in lines[12]
    told = " ".join(" ".join(lines[12:]).split())
    assert "Such as pot > mug (" in told
    assert "%  The order with one pair swapped. " in "\n".join(lines)


def test_what_is_tried_adds_up_and_has_examples() -> None:
    found = played(300).explain()
    first, *others = found.tries or ()
    assert sum(one.chance or 0.0 for one in (first, *others)) == pytest.approx(1.0)
    assert first.title == "The order now"
    assert len(others) == 2
    another, swapped = others
    listed = [(" > ".join(map(str, items)), share) for items, share in found.other_lists[:3]]
    assert [(each.text, each.chance) for each in another.examples] == listed
    assert swapped.chance == pytest.approx(found.kept * sum(test.chance for test in found.tests))
    likely = max(found.tests, key=lambda test: test.chance)
    side = "above" if likely.on_page else "in place of"
    assert swapped.examples[0].text == f"{likely.behind} {side} {likely.ahead}"


def test_the_order_has_the_leader_and_then_the_others_by_attraction() -> None:
    found = played(500).explain()
    assert found.order is not None
    assert found.order.groups == tuple((item,) for item in found.leader)
    assert list(found.order.below) == [belief.of for belief in found.attraction[2:]]


def test_evidence_is_measured_in_what_it_needs() -> None:
    found = overruled().explain()
    test = found.tests[0]
    assert test.strength == test.z / found.z_to_decide > 1.0
    assert (test.overrules, test.note) == (
        True,
        "the tests overrule the model, which prefers mug",
    )
    assert [one.decided for one in found.tests] == [one.strength >= 1.0 for one in found.tests]


def test_of_many_items_those_left_out_are_counted() -> None:
    told = str(sized(30, 5, 50).explain())
    assert "and 20 more items, none with more" in told
    assert len(told.splitlines()) < 35


def test_items_outside_that_were_tested_come_first_and_the_others_in_one_line() -> None:
    policy = MatchRank(30, 2, seed=1)
    for item, gain in zip(range(2, 10), range(8), strict=True):
        put_test(policy, 1, item, gain=float(8 - gain), spread=9.0)
    found = policy.explain(n_draws=1)
    assert [test.behind for test in found.against_below][:9] == [9, 8, 7, 6, 5, 4, 3, 2, 10]
    lines = str(found).splitlines()
    first = lines.index(next(line for line in lines if line.startswith("  0 > 1: ")))
    assert [line.split(":")[0] for line in lines[first + 1 : first + 6]] == [
        f"  1 > {item}" for item in (9, 8, 7, 6, 5)
    ]
    assert lines[first + 6] == "  1 > 3 more items, none likelier to be better"
    untested = "10, 11, 12, 13, 14 and 15 more items"
    assert lines[first + 7] == f"  1 > {untested}: no differing click yet"


@pytest.mark.parametrize("name", ["an item with quite a long name, number {}", "{}" + 50 * "x"])
def test_long_names_are_written_in_full_and_long_lines_broken(name: str) -> None:
    policy = sized(60, 10, 300, [name.format(n) for n in range(60)])
    told = str(policy.explain())
    assert max(map(len, told.splitlines())) <= 100
    assert " > ".join(map(str, policy.leader)) in " ".join(told.split())


@pytest.mark.parametrize(("n_items", "n_positions"), [(1, 1), (3, 1), (3, 3), (2, 2)])
def test_pages_of_any_size_are_explained(n_items: int, n_positions: int) -> None:
    for n_rounds, words in ((0, "0 rounds"), (1, "1 round"), (30, "30 rounds")):
        found = sized(n_items, n_positions, n_rounds).explain()
        n_tests = n_positions - 1 + n_items - n_positions
        assert len(found.tests) == n_tests
        assert str(found).startswith(f"leader after {words}: ")


def test_a_loaded_policy_explains_the_same(tmp_path: object) -> None:
    policy = played(333)
    path = f"{tmp_path}/state"
    policy.save(path)
    assert load(path).explain() == policy.explain()


def test_explaining_changes_no_ranking() -> None:
    one, two = (MatchRank(ITEMS, 2, seed=1) for _ in range(2))
    for _ in range(200):
        two.explain(n_draws=5)
        shown, same = one.rank(), two.rank()
        two.explain(n_draws=5)
        assert shown.items == same.items
        one.update(shown, shown.items[:1])
        two.update(same, same.items[:1])
    for name in ("gain", "spread", "shown", "log_attraction"):
        np.testing.assert_array_equal(getattr(one.state, name), getattr(two.state, name))


def test_explaining_twice_says_the_same() -> None:
    policy = played(100)
    assert policy.explain() == policy.explain()


def test_small_numbers_keep_their_digits() -> None:
    assert str(Belief("a", 0.0123, 0.00456, 0.5)) == "0.012 (0.0046 to 0.50)"
    fresh = PairTest(
        "a", "b", wins=0.0, comparisons=0.0, strength=0.0, chance=0.1, z=0.0, odds=1.0,
        overrules=False,
    )  # fmt: skip
    assert str(fresh) == "a > b: no differing click yet"


def test_the_number_of_draws_is_checked() -> None:
    with pytest.raises(ArgumentError, match=r"^n_draws must be in 1..1000000, got 0$"):
        play(MatchRank(ITEMS, 2), 1).explain(n_draws=0)
