"""Who needs positions by decreasing examination is not played where they are not."""

from typing import Any

import numpy as np
import pytest

from unirank import (
    CM,
    PBM,
    UBM,
    ArgumentError,
    ClickModel,
    PlainPolicy,
    Segments,
    UniRank,
    list_policies,
    policies,
    simulate,
)
from unirank.lab.simulation.needs import check_needs
from unirank.policies import RandomOrder
from unirank.policies.base.options import Factors

ATTRACTION = [0.5, 0.3, 0.2, 0.1, 0.05]
USERS = PBM(ATTRACTION, [0.5, 1.0, 0.8])
NEEDY = [e.name for e in policies.registry if e.cls.facts.position_order]


def run(policy: Any, users: ClickModel, **settings: Any) -> Any:
    settings = {"n_positions": 3, "n_rounds": 3000, "n_games": 3, **settings}
    return simulate(policy, users, **settings).regret


@pytest.mark.parametrize("policy", ["unirank", UniRank, ("unirank", {"early": "explore"})])
def test_the_error_says_how_to_reorder_the_positions(policy: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        run(policy, USERS)
    assert str(caught.value) == (
        "policy 'unirank' needs positions by decreasing examination, got [0.5, 1.0, 0.8]: "
        "pass users.reordered([1, 2, 0])"
    )


@pytest.mark.parametrize("name", NEEDY)
def test_all_that_know_the_position_order_need_it(name: str) -> None:
    with pytest.raises(ArgumentError, match=f"^policy '{name}' needs positions by decreasing"):
        check_needs(policies.registry[name], {}, USERS, 3)


def test_unirank_needs_the_order_and_random_does_not() -> None:
    assert "unirank" in NEEDY
    assert set(list_policies()) - set(NEEDY) >= {"random", "oracle"}


@pytest.mark.parametrize("looks", [[1.0, 0.8, 0.5], [1.0, 1.0, 1.0], [0.8, 0.8, 0.1], [0, 0, 0]])
def test_examination_that_nowhere_increases_is_welcome(looks: list[float]) -> None:
    check_needs(UniRank, {}, PBM(ATTRACTION, looks), 3)


def test_only_the_positions_that_are_shown_count() -> None:
    users = PBM(ATTRACTION, [1.0, 0.5, 0.7, 0.9])
    check_needs(UniRank, {}, users, 2)
    with pytest.raises(ArgumentError, match=r"got \[1\.0, 0\.5, 0\.7\]: .*\(\[0, 2, 1, 3\]\)$"):
        check_needs(UniRank, {}, users, 3)
    check_needs(UniRank, {}, users.reordered([0, 2, 1, 3]), 3)


@pytest.mark.parametrize("users", [CM(ATTRACTION), UBM(ATTRACTION, np.full((3, 3), 0.5))])
def test_other_click_models_have_no_order_to_check(users: ClickModel) -> None:
    check_needs(UniRank, {}, users, 3)


def test_a_subclass_needs_what_its_parent_needs() -> None:
    class Mine(UniRank):
        pass

    check_needs(RandomOrder, {}, USERS, 3)
    with pytest.raises(ArgumentError, match="policy 'Mine' needs positions by decreasing"):
        check_needs(Mine, {}, USERS, 3)


def test_simulated_users_are_reordered_and_not_the_page() -> None:
    with pytest.raises(ArgumentError, match=r"users.reordered\(...\), got \[1, 2, 0\]$"):
        run(("unirank", {"position_order": [1, 2, 0]}), USERS)


@pytest.mark.parametrize("policy", ["unirank", "cascade-kl-ucb", "random"])
def test_reordered_users_are_those_of_sorted_examination_bit_for_bit(policy: str) -> None:
    reordered = USERS.reordered(USERS.position_order(3))
    sorted_ = PBM(ATTRACTION, [1.0, 0.8, 0.5])
    np.testing.assert_array_equal(run(policy, reordered), run(policy, sorted_))
    assert reordered.best_value(3) == pytest.approx(USERS.best_value(3), rel=1e-12)


class ByDevice(PlainPolicy):
    """Tells visitors apart by the device, unless it is asked not to."""

    by: Factors = ["device"]  # noqa: RUF012 - the default of an option


def test_factors_that_visitors_lack_are_refused_also_those_of_a_default() -> None:
    users = Segments([{"weather": "fine"}], [1.0], [CM(ATTRACTION)])
    check_needs(ByDevice, {"by": []}, users, 3)
    check_needs(ByDevice, {}, CM(ATTRACTION), 3)
    with pytest.raises(ArgumentError, match="unknown factor in by: 'device'"):
        check_needs(ByDevice, {}, users, 3)
