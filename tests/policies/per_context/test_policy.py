"""One policy per context: the policies that it drives, and what that is good for."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unirank import PBM, ArgumentError, PlainPolicy, Segments, UniRank, load, simulate
from unirank.lab.checks import check_policy
from unirank.policies import PerContext

LOOKS = [1.0, 0.7, 0.4]
LIKED, OTHERWISE = [0.5, 0.1, 0.3, 0.05, 0.2], [0.1, 0.5, 0.05, 0.3, 0.2]
DEVICES = [{"device": "mobile"}, {"device": "desktop"}]
TASTES = [PBM(LIKED, LOOKS), PBM(OTHERWISE, LOOKS)]
USERS = Segments(DEVICES, [0.7, 0.3], TASTES)
INNER: list[Any] = [
    "unirank",
    "matchrank",
    ("toprank", {"horizon": 1000}),
    "plain-unirank",
    "pb-mhb",
    "grab",
]


def regret(policy: Any, users: Segments = USERS, **settings: Any) -> Any:
    given = {"n_positions": 3, "n_rounds": 1000, "n_games": 2, "seed": 3, **settings}
    return simulate(policy, users, **given).regret


def each(policy: Any, *by: str) -> Any:
    return "per-context", {"policy": policy, "by": list(by)}


class Driving(PerContext):
    """Drives its policies round by round, as on a page, instead of handing them over to a game."""

    for_contexts = PlainPolicy.for_contexts


@pytest.mark.parametrize("policy", INNER, ids=str)
def test_games_of_its_policies_are_those_that_it_would_drive(policy: Any) -> None:
    n_rounds = 200 if policy == "plain-unirank" else 1000
    options = {"policy": policy, "by": ["device"]}
    handed, driven = (regret((cls, options), n_rounds=n_rounds) for cls in (PerContext, Driving))
    assert np.array_equal(handed, driven)
    assert not np.array_equal(handed, regret(policy, n_rounds=n_rounds))


@pytest.mark.parametrize("policy", INNER, ids=str)
def test_it_keeps_the_contract_with_any_policy(policy: Any) -> None:
    check_policy(PerContext, policy=policy)


@pytest.mark.parametrize("by", [[], ["weather"]])
def test_where_visitors_are_of_one_kind_it_is_its_policy(by: list[str]) -> None:
    alone = Segments([{"weather": "fine"}], [1], [PBM(LIKED, LOOKS)])
    assert np.array_equal(regret(each("unirank", *by), alone), regret("unirank", alone))


def test_visitors_of_whom_nothing_is_known_are_of_one_kind() -> None:
    on_a_page: Any = PerContext(["a", "b", "c"], 2, seed=1, policy="unirank", by="device")
    alone = UniRank(["a", "b", "c"], 2, seed=1)
    for _ in range(50):
        shown = on_a_page.rank()
        assert shown == alone.rank()
        on_a_page.update(shown, shown.items[:1])
        alone.update(shown.round, shown.items[:1])
    assert list(on_a_page.policies) == ['["unknown"]']


def test_late_answers_go_to_the_policy_of_their_visitor(tmp_path: Path) -> None:
    policy: Any = PerContext(4, 2, seed=1, policy="unirank", by=["device"])
    alone = {device: UniRank(4, 2, seed=1) for device in ("mobile", "desktop")}
    for number in range(60):
        shown = {}
        memories = {}
        for device, learner in alone.items():
            policy.context = {"device": device}
            shown[device] = policy.rank()
            same = learner.rank_at(shown[device].round)
            assert same.items == shown[device].items
            memories[device] = same.memory
        if number == 30:
            policy.save(tmp_path / "state")
            policy = load(tmp_path / "state")
        for device in reversed(shown):
            clicked = {2 if device == "mobile" else 3} & set(shown[device].items)
            policy.update(shown[device].token, clicked)
            alone[device].learn(shown[device].items, memories[device], clicked)
    for device, learner in alone.items():
        found = policy.policies[f'["{device}"]'].statistics()
        for name, wanted in learner.statistics().items():
            np.testing.assert_array_equal(found[name], wanted, err_msg=f"{device} {name}")


# What it is good for. Fixed seeds; a linear regret doubles from 10^5 to 2 10^5 rounds.

COINS = [{**device, "coin": coin} for device in DEVICES for coin in ("heads", "tails")]
TOSSED = Segments(COINS, [0.35, 0.35, 0.15, 0.15], [taste for taste in TASTES for _ in range(2)])


def growth(policy: Any) -> float:
    found = regret(policy, TOSSED, n_rounds=200_000, n_games=5, checkpoints=[10**5, 2 * 10**5])
    early, late = found.mean(axis=0)
    return float(late / early)


def test_opposite_tastes_cost_one_order_for_all_in_every_round_and_one_for_each_nothing() -> None:
    assert growth("unirank") > 1.95
    assert growth(each("unirank", "device")) < 1.2
    assert growth(each("unirank", "device", "coin")) < 1.2


def test_contexts_that_say_nothing_of_tastes_are_of_no_use() -> None:
    assert growth(each("unirank", "coin")) > 1.95


def test_items_in_options_of_its_policies_are_those_of_the_click_model() -> None:
    best = list(TASTES[0].best_ranking(3))
    alone = Segments([{"device": "mobile"}], [1], TASTES[:1])
    assert regret(each(("oracle", {"ranking": best}), "device"), alone).max() == 0.0


def test_its_policies_can_be_told_what_the_simulation_knows() -> None:
    trace = simulate(
        each(("pbm-ucb", {"examination": "told"}), "device"), USERS, n_positions=3, n_rounds=9
    )
    assert trace.options["policy"] == ["pbm-ucb", {"examination": LOOKS}]
    differing = Segments(DEVICES, [0.7, 0.3], [TASTES[0], PBM(OTHERWISE, [0.9, 0.5, 0.1])])
    with pytest.raises(ArgumentError, match="examination can be told where it is that of all"):
        regret(("pbm-ucb", {"examination": "told"}), differing)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"policy": "unirnak", "by": ["device"]}, "unknown policy 'unirnak'; did you mean"),
        ({"policy": ("unirank", {"erly": 1}), "by": []}, "unknown option of unirank:"),
        ({"policy": "toprank", "by": []}, "policy 'toprank' needs horizon"),
        ({"policy": "unirank", "by": [3]}, "by must be names of factors, such as ['device']"),
        ({"policy": "unirank", "by": ["a", "a"]}, "by must name each factor once"),
        ({"policy": "unirank"}, "policy 'per-context' needs by"),
        ({"policy": "unirank", "by": ["devise"]}, "unknown factor in by: 'devise'; did you mean"),
    ],
)
def test_errors_name_the_argument_the_rule_and_the_value(
    options: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArgumentError) as error:
        regret(("per-context", options))
    assert said in str(error.value)
