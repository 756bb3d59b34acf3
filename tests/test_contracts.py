"""Every registered policy and click model keeps its contract."""

import pytest

import unirank as ur
from unirank.lab.checks import check_click_model, check_policy

MODELS: dict[str, ur.ClickModel] = {
    "pbm": ur.PBM([0.5, 0.3, 0.2, 0.1], [1.0, 0.6, 0.3]),
    "cm": ur.CM([0.5, 0.3, 0.2, 0.1]),
    "dcm": ur.DCM([0.5, 0.3, 0.2, 0.1], [0.6, 0.4, 0.9]),
    "dbn": ur.DBN([0.5, 0.3, 0.2, 0.1], [0.9, 0.2, 0.5, 0.1], 0.1),
    "ccm": ur.CCM([0.5, 0.3, 0.2, 0.1], 0.9, 0.7, 0.2),
    "ubm": ur.UBM([0.5, 0.3, 0.2, 0.1], [[0.2, 0.2, 1.0], [0.9, 0.2, 0.6], [0.4, 0.9, 0.3]]),
}
MODELS["segments"] = ur.Segments(  # of one taste, so that one order is the best for all
    contexts=[{"device": "mobile"}, {"device": "desktop"}],
    shares=[0.6, 0.4],
    users=[ur.CM([0.5, 0.3, 0.2, 0.1]), ur.CM([0.6, 0.4, 0.2, 0.1])],
)


@pytest.mark.parametrize("name", ur.list_policies())
def test_every_policy_keeps_the_contract(name: str) -> None:
    check_policy(ur.policies.registry[name])


@pytest.mark.parametrize("name", ur.list_click_models())
def test_every_click_model_keeps_the_contract(name: str) -> None:
    check_click_model(MODELS[name])


# UniRank finds the order of attraction, which is the best one where equally attractive items keep
# people equally long: so with one satisfaction for all items.
LEARNABLE = MODELS | {"dbn": ur.DBN([0.5, 0.3, 0.2, 0.1], [0.5] * 4, 0.1)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ur.list_click_models())
def test_unirank_learns_on_every_click_model(name: str) -> None:
    # A third of what random order loses is far beyond chance for the mean of ten games.
    floor, learner = (
        ur.simulate(policy, LEARNABLE[name], n_positions=3, n_rounds=20_000, n_games=10).mean[-1]
        for policy in ("random", "unirank")
    )
    assert learner < floor / 3
