"""A unimodal problem on a graph, and OSUB beside its literal twin and on a line."""

from random import Random
from typing import Any

import pytest

from tests.reference.osub import GraphOSUBTwin
from unirank import ArgumentError
from unirank.lab import GraphOSUB, UnimodalProblem
from unirank.lab.unimodal_bandit import checked_graph

LINE = [0.1, 0.3, 0.5, 0.3, 0.1]


def test_a_line_joins_each_arm_to_the_next() -> None:
    assert UnimodalProblem.line([0.1, 0.2, 0.3, 0.2]).neighbours == ((1,), (0, 2), (1, 3), (2,))
    assert UnimodalProblem.line([0.1]).neighbours == ((),)


def test_edges_may_come_in_any_order_and_twice() -> None:
    assert UnimodalProblem.from_edges([0.9, 0.1, 0.1], [(2, 0), (0, 1), (1, 0)]).neighbours == (
        (1, 2),
        (0,),
        (0,),
    )


def test_neighbours_are_put_in_order() -> None:
    assert checked_graph([[2, 1], {0}, (0,)]) == ((1, 2), (0,), (0,))


@pytest.mark.parametrize(
    ("neighbours", "sentence"),
    [
        ([], "neighbours must be a list of neighbours per arm, got []"),
        (3, "neighbours must be a list of neighbours per arm, got 3"),
        ([1, [0]], "neighbours[0] must be a list of arms, got 1"),
        ([[1], [0, 2]], "neighbours[1] must be in 0..n_arms-1=1, got 2"),
        ([[0, 1], [0]], "neighbours[0] must not hold the arm itself, got [0, 1]"),
        ([[1, 1], [0]], "neighbours[0] must not repeat an arm, got [1, 1]"),
        (
            [[1], [0, 2], []],
            "neighbours must be symmetric, got 2 next to 1 but not 1 next to 2",
        ),
        (
            [[1], [0], [3], [2]],
            "neighbours must be connected, got no path from arm 0 to arm 2",
        ),
    ],
)
def test_a_wrong_graph_is_refused_with_the_arms_that_break_it(
    neighbours: Any, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        checked_graph(neighbours)
    assert str(caught.value) == sentence


def test_edges_are_pairs_of_arms() -> None:
    with pytest.raises(ArgumentError, match=r"edges must be pairs of arms, got \(0, 1, 2\)"):
        UnimodalProblem.from_edges([0.9, 0.1, 0.1], [(0, 1, 2)])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match=r"edges must be in 0..n_arms-1=2, got 3"):
        UnimodalProblem.from_edges([0.9, 0.1, 0.1], [(0, 3)])
    with pytest.raises(ArgumentError, match=r"must not hold the arm itself"):
        UnimodalProblem.from_edges([0.9, 0.1], [(0, 1), (1, 1)])


def test_a_line_with_one_peak_is_unimodal() -> None:
    problem = UnimodalProblem.line([0.1, 0.3, 0.5, 0.3, 0.1])
    assert (problem.best_arm, problem.best_value, problem.n_arms) == (2, 0.5, 5)
    assert repr(problem) == (
        "UnimodalProblem(means=[0.1, 0.3, 0.5, 0.3, 0.1], "
        "neighbours=[(1,), (0, 2), (1, 3), (2, 4), (3,)])"
    )


def test_edges_make_the_same_problem_as_lists_of_neighbours() -> None:
    star = UnimodalProblem.from_edges([0.9, 0.2, 0.2], [(0, 1), (0, 2)])
    assert star.neighbours == UnimodalProblem([0.9, 0.2, 0.2], [[1, 2], [0], [0]]).neighbours


@pytest.mark.parametrize(
    ("means", "neighbours", "sentence"),
    [
        (
            [0.5, 0.1, 0.4],
            [[1], [0, 2], [1]],
            "means must be unimodal on the graph, got arm 2 with mean 0.4 and no better "
            "neighbour, while arm 0 has mean 0.5",
        ),
        (
            [0.5, 0.5],
            [[1], [0]],
            "means must be unimodal on the graph, got arm 1 with mean 0.5 and no better "
            "neighbour, while arm 0 has mean 0.5",
        ),
        ([0.5, 1.5], [[1], [0]], "means[1] must be in [0, 1], got 1.5"),
        ([0.5], [[1], [0]], "neighbours must be given for 1 arms, got 2"),
    ],
)
def test_a_wrong_problem_is_refused_with_the_arm_that_breaks_it(
    means: Any, neighbours: Any, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        UnimodalProblem(means, neighbours)
    assert str(caught.value) == sentence


def random_graph(draw: Random) -> list[list[int]]:
    n_arms = draw.randint(1, 12)
    near: list[set[int]] = [set() for _ in range(n_arms)]
    for arm in range(1, n_arms):  # a random tree, and a few more edges
        for other in {draw.randrange(arm), draw.randrange(arm)}:
            near[arm].add(other)
            near[other].add(arm)
    return [sorted(one) for one in near]


@pytest.mark.parametrize("number", range(10))
def test_osub_and_its_literal_twin_agree_round_by_round(number: int) -> None:
    draw = Random(number)
    graph = random_graph(draw)
    means = [draw.choice([0.0, 0.2, draw.random(), 1.0]) for _ in graph]
    budget = "ln" if number % 3 == 0 else "kl-ucb"
    bandit = GraphOSUB(graph, budget=budget, seed=number)
    twin = GraphOSUBTwin(graph, budget=budget, seed=number, game=0)
    waiting: list[tuple[int, float]] = []
    for round_ in range(1, 1001):
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
    assert bandit.leads == [record.leads for record in twin.records]


def played(n_rounds: int, seed: int) -> tuple[GraphOSUB, list[tuple[int, int]]]:
    """A bandit on the line, and (leader, arm) by round."""
    bandit, draw, rounds = (
        GraphOSUB(UnimodalProblem.line(LINE).neighbours, seed=seed),
        Random(seed),
        [],
    )
    for _ in range(n_rounds):
        means = bandit.means
        tied = [arm for arm in range(5) if means[arm] == max(means)]
        arm = bandit.choose()
        rounds.append((tied[0] if len(tied) == 1 else -1, arm))
        bandit.update(arm, float(draw.random() < LINE[arm]))
    return bandit, rounds


def test_the_top_of_a_line_is_found() -> None:
    for seed in range(5):
        bandit, rounds = played(3000, seed)
        assert bandit.leader == 2
        assert sum(arm == 2 for _, arm in rounds[-2000:]) > 1600


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
