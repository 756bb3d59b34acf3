"""GraphOSUB beside its literal twin, and on the line of its specification."""

from random import Random
from typing import Any

import pytest

from tests.reference.osub import GraphOSUBTwin
from unirank import ArgumentError
from unirank.lab.ancestors import GraphOSUB
from unirank.lab.ancestors.graph import line_graph

LINE = [0.1, 0.3, 0.5, 0.3, 0.1]


def random_graph(draw: Random) -> list[list[int]]:
    n_arms = draw.randint(1, 12)
    near: list[set[int]] = [set() for _ in range(n_arms)]
    for arm in range(1, n_arms):  # a random tree, and a few more edges
        for other in {draw.randrange(arm), draw.randrange(arm)}:
            near[arm].add(other)
            near[other].add(arm)
    return [sorted(one) for one in near]


@pytest.mark.parametrize("number", range(10))
def test_compiled_and_literal_agree_round_by_round(number: int) -> None:
    draw = Random(number)
    graph = random_graph(draw)
    means = [draw.choice([0.0, 0.2, draw.random(), 1.0]) for _ in graph]
    budget = "ln" if number % 3 == 0 else "kl-ucb"
    bandit = GraphOSUB(graph, budget=budget, seed=number)
    twin = GraphOSUBTwin(graph, budget=budget, seed=number, game=0)
    waiting: list[tuple[int, float]] = []
    for round_ in range(1, 2001):
        arm = bandit.choose()
        assert arm == twin.choose(), f"round {round_}"
        # Sometimes a reward is a fraction, and on odd numbers it comes late and out of turn.
        reward = draw.choice([0.25, 0.5]) if number == 4 else float(draw.random() < means[arm])
        waiting.append((arm, reward))
        if len(waiting) > (number % 2) * 7:
            late = waiting.pop(draw.randrange(len(waiting)))
            bandit.update(*late)
            twin.update(*late)
    assert bandit.plays == [record.plays for record in twin.records]
    assert bandit.means == [record.mean() for record in twin.records]
    assert bandit.state.arms["leads"].tolist() == [record.leads for record in twin.records]


def played(n_rounds: int, seed: int) -> tuple[GraphOSUB, list[tuple[int, int]]]:
    """A bandit on the line, and (leader, arm) by round."""
    bandit, draw, rounds = GraphOSUB(line_graph(5), seed=seed), Random(seed), []
    for _ in range(n_rounds):
        means = bandit.means
        tied = [arm for arm in range(5) if means[arm] == max(means)]
        arm = bandit.choose()
        rounds.append((tied[0] if len(tied) == 1 else -1, arm))
        bandit.update(arm, float(draw.random() < LINE[arm]))
    return bandit, rounds


def test_the_top_of_a_line_is_found() -> None:
    for seed in range(5):
        bandit, rounds = played(5000, seed)
        assert bandit.leader == 2
        assert sum(arm == 2 for _, arm in rounds[-2000:]) > 1700


def test_a_leader_is_played_every_gamma_plus_one_rounds() -> None:
    bandit = GraphOSUB([[1, 2], [0], [0]], seed=1)
    bandit.update(0, 1.0)
    bandit.update(0, 0.5)
    own = [bandit.choose() == 0 for _ in range(7)]  # the others never answer: always 1 at best
    assert own == [True, False, False, True, False, False, True]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda b: b.update(3, 0.5), "arm must be in 0..n_arms-1=2, got 3"),
        (lambda b: b.update(0, 1.5), "reward must be in [0, 1], got 1.5"),
        (lambda b: GraphOSUB([[1], []]), "neighbours must be symmetric, got 1 next to 0 but not"),
        (lambda b: GraphOSUB([[]], budget="l"), "budget 'l'"),
        (lambda b: GraphOSUB([[]], seed=-1), "seed must be in 0.."),
    ],
)
def test_a_wrong_argument_is_named(call: Any, sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(GraphOSUB([[1], [0, 2], [1]]))
    assert sentence in str(caught.value)
