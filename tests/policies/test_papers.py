"""Compiled and plain editions of every policy give the same rankings with the same chances."""

import random
from typing import Any

import pytest

from tests.reference.click_models import CM, PBM, ClickModel
from tests.reference.randomness import USERS, Rng
from unirank import Policy, Ranking
from unirank.policies import registry
from unirank.policies.base.facts import names_with

N_ROUNDS = 250
PROBLEMS = range(10)
DELAYS = (0, 0, 5)  # answers come at once, or up to so many rounds late and disordered
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "unirank": [{}, {"early": "explore"}, {"budget": "ln"}],
    "toprank": [
        {"horizon": 1000},
        {"horizon": 30, "doubling": True},
        {"horizon": 5, "constant": 2.0},
    ],
    "epsilon-greedy": [{"exploration": 30.0}, {"epsilon": 0.1}, {"exploration": 3}, {"epsilon": 0}],
    "pbm-ucb": [{}, {"exploration": 0.7}],
    "pbm-pie": [{}, {"exploration": 0.7}, {"horizon": 2000}],
    "pb-mhb": [{}, {"step": 1.0, "n_sweeps": 2}, {"warm_start": False}, {"step": 30.0}],
    "batchrank": [{"horizon": 2}, {"horizon": 3}, {"horizon": 1}, {"horizon": 10}],
    "bubblerank": [{"horizon": 2}, {"horizon": 1}, {"horizon": 3}],
    "rba": [{"bandit": "ucb1"}, {"bandit": "kl-ucb"}, {"bandit": "exp3"}],
    "cascade-ucb1": [{}, {"exploration": 0.51}],
    "grab": [{}, {"budget": "horizon", "horizon": 5000}, {"period": 3}],
    "s-grab": [{}, {"budget": "horizon", "horizon": 1}, {"period": 3}],
    "kl-comb-ucb": [{}, {"budget": "horizon", "horizon": 5000}],
}


def problem(number: int) -> tuple[int, int, ClickModel]:
    """A random problem: 2..10 items, PBM or CM, often with equal items; K = 1 and K = L occur."""
    draw = random.Random(number)
    n_items = draw.randint(2, 10)
    sizes = [n_items, n_items - 1, draw.randint(1, n_items), 1, draw.randint(2, n_items)]
    n_positions = sizes[number // 2 % len(sizes)]
    values = [draw.random() ** 2 for _ in range(draw.randint(2, n_items))]
    attraction = [draw.choice(values) for _ in range(n_items)]
    if number % 2:
        return n_items, n_positions, CM(attraction)
    chances = sorted((draw.uniform(0.3, 1) for _ in range(n_positions)), reverse=True)
    return n_items, n_positions, PBM(attraction, chances)


def options_of(name: str, number: int, n_items: int, n_positions: int) -> dict[str, Any]:
    """The options of one problem: those that are needed, and each variant in turn."""
    variants = VARIANTS.get(name, [{}])
    needed = registry[name].example_options(tuple(range(n_items)), n_positions)
    if "examination" in needed and number % 3:  # else one that many pages have
        draw = random.Random(number)
        looks = sorted((draw.uniform(0.1, 1) for _ in range(n_positions)), reverse=True)
        needed["examination"] = looks if number % 3 == 1 else [1.0] * n_positions
    return {**needed, **variants[number % len(variants)]}


def answer(policy: Policy, shown: Ranking, clicks: list[bool]) -> None:
    policy.update(shown, [i for i, click in zip(shown.items, clicks, strict=True) if click])


def play_beside(
    compiled: Policy, plain: Policy, users: ClickModel, *, delay: int = 0, n_rounds: int = N_ROUNDS
) -> None:
    """Play both with the same clicks; every ranking and propensity must be equal."""
    waiting: list[tuple[Ranking, Ranking]] = []
    for number in range(1, n_rounds + 1):
        shown, expected = compiled.rank(), plain.rank()
        assert shown.items == expected.items, f"round {number}"
        assert shown.propensity == pytest.approx(expected.propensity, rel=1e-9, nan_ok=True)
        waiting.append((shown, expected))
        if len(waiting) > delay:
            shown, expected = waiting.pop((7 * number) % len(waiting))
            rng = Rng(compiled.seed, 0, USERS, shown.round)
            clicks = users.clicks([int(i) for i in shown.items], rng)
            answer(compiled, shown, clicks)
            answer(plain, expected, clicks)


# A plain policy has a method of this name; estimates are the compiled edition's.
COMPILED_ONLY = {"matchrank": {"propensity"}}
EDITIONS = [entry.name.removeprefix("plain-") for entry in registry.plain]


@pytest.mark.parametrize("name", EDITIONS)
def test_both_editions_declare_the_same_options(name: str) -> None:
    every, plain = registry[name].declared, registry[f"plain-{name}"].declared
    compiled = {n: o for n, o in every.items() if n not in COMPILED_ONLY.get(name, set())}
    assert {n: o.default for n, o in plain.items()} == {n: o.default for n, o in compiled.items()}
    assert {n: o.annotation for n, o in plain.items()} == {
        n: o.annotation for n, o in compiled.items()
    }


@pytest.mark.parametrize("number", PROBLEMS)
@pytest.mark.parametrize("name", EDITIONS)
def test_both_editions_agree_round_by_round(name: str, number: int) -> None:
    n_items, n_positions, users = problem(number)
    options = options_of(name, number, n_items, n_positions)
    compiled, plain = (
        registry[edition](n_items, n_positions, seed=number, **options)
        for edition in (name, f"plain-{name}")
    )
    play_beside(compiled, plain, users, delay=DELAYS[number % len(DELAYS)])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_both_editions_of_matchrank_agree_for_3000_rounds(number: int) -> None:
    n_items, n_positions, users = problem(number)
    compiled, plain = (
        registry[edition](n_items, n_positions, seed=number)
        for edition in ("matchrank", "plain-matchrank")
    )
    play_beside(compiled, plain, users, delay=DELAYS[number % len(DELAYS)], n_rounds=3000)


@pytest.mark.parametrize("half_life", [None, 500])
def test_both_editions_of_matchrank_agree_when_items_and_answers_come_late(
    half_life: int | None,
) -> None:
    users = PBM([0.5, 0.4, 0.35, 0.3, 0.2, 0.15, 0.1, 0.05], [1.0, 0.6, 0.4])
    compiled, plain = (
        registry[edition](5, 3, seed=2, half_life=half_life)
        for edition in ("matchrank", "plain-matchrank")
    )
    for item in (5, 6, 7):
        play_beside(compiled, plain, users, n_rounds=150)
        batch = [(compiled.rank(), plain.rank()) for _ in range(200)]
        for shown, expected in batch:
            assert shown.items == expected.items
            clicks = [int(i) in (1, item - 1) for i in shown.items]
            answer(compiled, shown, clicks)
            answer(plain, expected, clicks)
        compiled.add(item)
        plain.add(item)
    play_beside(compiled, plain, users, n_rounds=150)


@pytest.mark.parametrize("number", PROBLEMS)
@pytest.mark.parametrize("name", names_with("start"))
def test_both_editions_begin_with_a_start_alike(name: str, number: int) -> None:
    n_items, n_positions, users = problem(number)
    options = options_of(name, number, n_items, n_positions)
    draw = random.Random(number)
    options["start"] = draw.sample(range(n_items), draw.randint(1, n_items))
    options["trust"] = draw.choice([1, 2, 20, 300])
    compiled, plain = (
        registry[edition](n_items, n_positions, seed=number, **options)
        for edition in (name, f"plain-{name}")
    )
    play_beside(compiled, plain, users, delay=DELAYS[number % len(DELAYS)])


@pytest.mark.parametrize("number", PROBLEMS)
@pytest.mark.parametrize("name", names_with("forgetting"))
def test_both_editions_forget_alike(name: str, number: int) -> None:
    n_items, n_positions, users = problem(number)
    options = options_of(name, number, n_items, n_positions)
    options["half_life"] = [1, 5, 40, 300.5][number % 4]
    compiled, plain = (
        registry[edition](n_items, n_positions, seed=number, **options)
        for edition in (name, f"plain-{name}")
    )
    play_beside(compiled, plain, users, delay=DELAYS[number % len(DELAYS)])
