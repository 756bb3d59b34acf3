"""rank(available=...): the choice among some items, beside plain Python and beside all items."""

from random import Random
from typing import Any

import numpy as np
import pytest

from unirank import ArgumentError, Policy, Ranking
from unirank.policies import registry
from unirank.policies.base import kept_state
from unirank.policies.base.facts import names_with

N_ITEMS, N_POSITIONS = 9, 3
ABLE = names_with("availability")
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "unirank": [{}, {"early": "explore"}, {"budget": "ln"}, {"half_life": 30, "start": [3, 1, 4]}],
    "toprank": [
        {"horizon": 30, "doubling": True},
        {"horizon": 3},
        {"horizon": 1000},
        {"horizon": 3, "half_life": 20.5},
    ],
    "matchrank": [{}, {}, {"half_life": 40, "start": [3, 1, 4]}],
}


def made(name: str, number: int, **settings: Any) -> Any:
    options = OPTIONS.get(name.removeprefix("plain-"), [{}])
    settings = {"items": N_ITEMS, "n_positions": N_POSITIONS, "seed": number, **settings}
    return registry[name](**settings, **options[number % len(options)])


def clicks_on(shown: Ranking, draw: Random) -> list[Any]:
    return [i for n, i in enumerate(shown) if draw.random() < (int(i) + 1) / (9 + n)]


def some_items(draw: Random) -> list[int] | None:
    if draw.random() < 0.3:
        return None
    return draw.sample(range(N_ITEMS), draw.randint(N_POSITIONS, N_ITEMS))


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("name", ABLE)
def test_compiled_and_plain_choose_alike_and_answers_come_late(
    name: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_state, "FEWEST_KEPT", 0 if number > 2 else 100)
    compiled, plain = made(name, number), made(f"plain-{name}", number)
    draw = Random(number)
    waiting: list[tuple[Ranking, Ranking]] = []
    for _ in range(300):
        available = some_items(draw)
        shown, expected = compiled.rank(available), plain.rank(available=available)
        assert shown == expected or np.isclose(
            shown.propensity, expected.propensity, rtol=1e-9, equal_nan=True
        )
        assert shown.items == expected.items
        assert available is None or set(shown) <= set(available)
        waiting.append((shown, expected))
        while waiting and draw.random() < 0.6:
            shown, expected = waiting.pop(draw.randrange(len(waiting)))
            clicks = clicks_on(shown, draw)
            compiled.update(shown.token, clicks)
            plain.update(expected, clicks)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("name", ABLE)
def test_all_items_available_are_none_given(name: str, number: int) -> None:
    given, none, restricted = (made(name, number) for _ in range(3))
    draw, everyone = Random(number), np.arange(N_ITEMS)
    restricted._choice = lambda available: everyone  # the way for some items, with all of them
    for _ in range(300):
        lists = given.rank(draw.sample(range(N_ITEMS), N_ITEMS)), none.rank(), restricted.rank([])
        assert lists[0].items == lists[1].items == lists[2].items
        chances = [shown.propensity for shown in lists]
        np.testing.assert_array_equal(chances, chances[0])
        assert lists[0].memory == lists[1].memory == lists[2].memory
        clicks = clicks_on(lists[0], draw)
        for policy, shown in zip((given, none, restricted), lists, strict=True):
            policy.update(shown, clicks)
    for field, one in none.statistics().items():
        two = restricted.statistics()[field]
        np.testing.assert_array_equal(np.sort(one, axis=None), np.sort(two, axis=None))


@pytest.mark.parametrize("name", ABLE)
def test_item_ids_are_only_names(name: str) -> None:
    ids = [f"i{n}" for n in range(N_ITEMS)]
    one, two = made(name, 1), made(name, 1, items=ids)
    draw = Random(1)
    for _ in range(200):
        available = draw.sample(range(N_ITEMS), 5)
        shown, named = one.rank(available), two.rank({ids[n] for n in available})
        assert named.items == tuple(ids[int(n)] for n in shown)
        clicks = clicks_on(shown, draw)
        one.update(shown, clicks)
        two.update(named, [ids[n] for n in clicks])


@pytest.mark.parametrize("name", [name for name in ABLE if name != "matchrank"])  # an estimate
def test_propensities_are_how_often_a_list_is_shown(name: str) -> None:
    policy = made(name, 0)
    draw = Random(2)
    for _ in range(60):
        shown = policy.rank()
        policy.update(shown, clicks_on(shown, draw))
    saved = policy.to_saved()
    seen: dict[Any, int] = {}
    chances: dict[Any, float] = {}
    n_draws = 4000
    for seed in range(n_draws):
        saved.seed = seed
        shown = type(policy).from_saved(saved).rank([0, 2, 4, 6, 8])
        seen[shown.items] = seen.get(shown.items, 0) + 1
        assert chances.setdefault(shown.items, shown.propensity) == shown.propensity
    assert sum(chances.values()) == pytest.approx(1.0)
    for items, chance in chances.items():
        assert abs(seen[items] / n_draws - chance) < 5 * (chance * (1 - chance) / n_draws) ** 0.5


def told(policy: Policy, available: Any) -> str:
    before = policy.to_saved()
    with pytest.raises(ArgumentError) as caught:
        policy.rank(available)
    assert policy.to_saved() == before
    return str(caught.value)


def test_wrong_items_change_nothing() -> None:
    policy = made("unirank", 1, items=["tea", "mug", "pot", "tray"], n_positions=2)
    policy.update(policy.rank(), [])
    assert told(policy, ["tea", "mugs"]) == "unknown item in available: 'mugs'; did you mean 'mug'?"
    assert told(policy, "tea") == "available must be a list of item ids, got 'tea'"
    assert told(policy, 3) == "available must be a list of item ids, got 3"
    assert told(policy, ["tea", "tea"]) == (
        "available must hold at least n_positions=2 items, got 1: this policy always fills 2 "
        "positions; if so few items are there, show all of them without asking it, or make a "
        "policy with fewer positions"
    )


def test_a_policy_that_cannot_names_those_that_can() -> None:
    policy = registry["mp-ts"](4, 2)
    assert told(policy, [0, 1, 2]).startswith(
        "mp-ts cannot choose among available items; these can: "
    )
