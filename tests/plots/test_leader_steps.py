"""Arrows look and say what the policy's own explanation says."""

import pytest

from tests.plots.situations import three
from tests.policies.situations import policy_with
from unirank import GRAB, UniRank
from unirank.kernels.indices import budget, kl
from unirank.plots.canvas import OPEN, SURE
from unirank.plots.leader_steps import WIDTHS, Steps, signed


def test_the_steps_are_the_neighbours() -> None:
    policy = three()
    steps = Steps(policy)
    explanation = policy.explain()
    assert (steps.all, steps.trying) == (explanation.neighbours, explanation.trying)
    assert steps.budget == budget(100, 3.0)
    assert steps.to("c").behind == ("c",)
    assert steps.to("d") == explanation.neighbours[2]


def test_colours_say_what_is_sure() -> None:
    steps = Steps(three())
    assert [steps.is_sure(step) for step in steps.all] == [True, False, True]
    colours = [steps.look_of(step)["color"] for step in steps.all]
    assert colours == [SURE, OPEN, SURE]
    assert ["linestyle" in steps.look_of(step) for step in steps.all] == [False, True, False]


def test_width_is_evidence_against_the_budget() -> None:
    steps = Steps(three())
    widths = [steps.look_of(step)["linewidth"] for step in steps.all]
    share = 22 * kl(10 / 22, 0.5) / budget(100, 3.0)
    assert widths == pytest.approx(
        [WIDTHS[1], WIDTHS[0] + share * (WIDTHS[1] - WIDTHS[0]), WIDTHS[1]]
    )


def test_words_say_who_won_how_often() -> None:
    steps = Steps(three())
    first, second, _ = steps.all
    assert steps.words_of(first)[0] == "a beats b: 40 of 44"
    assert steps.words_of(first)[1] == f"ŝ +0.82, at least {signed(-first.index)}"
    assert steps.words_of(second)[0] == "b beats c: 12 of 22"
    assert second.index > 0
    ending = f"at least {signed(-second.index)}; tried next"
    assert steps.words_of(second)[1] == f"ŝ +0.09, {ending}"


def test_nothing_is_sure_while_the_leader_is_new() -> None:
    steps = Steps(three(seen=0))
    assert steps.budget == 0.0
    assert not any(steps.is_sure(step) for step in steps.all)
    assert {steps.look_of(step)["linewidth"] for step in steps.all} == {WIDTHS[0]}
    assert steps.words_of(steps.all[0]) == ("a beats b: 40 of 44", "ŝ +0.82")


def test_there_may_be_no_step() -> None:
    assert Steps(GRAB(3, 2)).all == Steps(UniRank(3, 2)).all == ()


def test_long_names_are_cut_in_sentences() -> None:
    names = ["a very long name indeed", "another one that is long"]
    steps = Steps(policy_with([[0, 3], [1, 0]], 1, items=names, seen=9))
    assert len(steps.words_of(steps.all[0])[0]) < 45


def test_numbers_have_a_sign_but_not_a_zero() -> None:
    assert [signed(x) for x in (0.25, -0.25, 0.001, -0.001)] == ["+0.25", "−0.25", "0.00", "0.00"]  # noqa: RUF001
