"""Blocks of games: what belongs together, and the bits of a part are those of the whole."""

import msgspec
import numpy as np

from tests.lab.small import SMALL
from unirank import CM, simulate
from unirank.lab.blocks import GAMES_PER_BLOCK, blocks_of, plans_of, play
from unirank.lab.experiment import PolicyEntry, ProblemSource

PLANS = plans_of(SMALL, SMALL.policies, n_rounds=1000, seed=4)


def test_a_plan_per_policy_and_problem_told_what_it_needs() -> None:
    plain, told = PLANS
    assert (plain.policy.name, plain.label, plain.problem) == ("unirank", "unirank", "small")
    assert (told.label, told.options) == ("TopRank, right horizon", {"horizon": 1000})


def test_a_label_names_the_options_if_the_experiment_does_not() -> None:
    unnamed = [type(SMALL.policies[1])("toprank", {"horizon": 50})]
    (plan,) = plans_of(SMALL, unnamed, n_rounds=10, seed=0)
    assert plan.label == "toprank (horizon=50)"
    assert play(blocks_of(plan, [0])[0]).label == plan.label


def test_blocks_are_of_consecutive_games_and_not_too_long() -> None:
    games = [0, 1, 2, 4, *range(10, 10 + GAMES_PER_BLOCK + 1)]
    found = [block.games for block in blocks_of(PLANS[0], games)]
    assert found == [[0, 1, 2], [4], list(range(10, 15)), [15]]


def test_a_block_is_a_part_of_the_simulation() -> None:
    (block,) = blocks_of(PLANS[0], [2, 3])
    trace = play(block)
    whole = simulate("unirank", CM([0.5, 0.4, 0.1]), n_positions=2, n_rounds=1000, seed=4)
    assert np.array_equal(trace.regret, whole.regret[2:4])
    assert trace.games.tolist() == [2, 3]
    assert (trace.experiment, trace.experiment_version) == ("small", 3)


def test_what_differs_by_problem_is_not_in_the_label() -> None:
    models = [
        {"click_model": "pbm", "attraction": [0.5, 0.4, 0.1], "examination": [1.0, looks]}
        for looks in (0.5, 0.6)
    ]
    sources = [ProblemSource(name=f"q{n}", click_model=model) for n, model in enumerate(models)]
    two = msgspec.structs.replace(SMALL, click_model=None, problems=sources)
    plans = plans_of(two, [PolicyEntry("pbm-ucb", {"examination": "told"})], n_rounds=10, seed=0)
    assert {plan.label for plan in plans} == {"pbm-ucb (examination=told)"}
    assert [plan.options["examination"] for plan in plans] == [[1.0, 0.5], [1.0, 0.6]]


def test_a_policy_has_one_label_however_it_is_run() -> None:
    """That of the experiment for the same options; else name and options as they were asked for."""
    named = PolicyEntry("toprank", {"horizon": "told"})
    (plan,) = plans_of(SMALL, [named], n_rounds=50, seed=0)
    assert plan.label == "TopRank, right horizon"
    elsewhere = msgspec.structs.replace(SMALL, policies=[PolicyEntry("random")])
    (plan,) = plans_of(elsewhere, [named], n_rounds=50, seed=0)
    traces = [
        play(blocks_of(plan, [0])[0]),
        simulate(("toprank", {"horizon": "told"}), SMALL.users, n_positions=2, n_rounds=50),
    ]
    assert {trace.label for trace in traces} == {"toprank (horizon=told)"}
    assert {trace.options["horizon"] for trace in traces} == {50}
