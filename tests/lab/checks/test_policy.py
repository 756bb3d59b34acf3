"""Each broken toy policy fails with its own sentence."""

from dataclasses import asdict

import pytest

from tests import toy_policies as toys
from unirank.lab.checks import ContractError, check_policy
from unirank.lab.checks.policy import policy_outcomes
from unirank.policies import Policy, registry


def checked(cls: type[Policy]) -> None:
    """Check a policy that is registered for as long as that takes: files are loaded by name."""
    registry.register(cls.name, **asdict(cls.facts))(cls)
    try:
        check_policy(cls)
    finally:
        registry.remove(cls.name)


def test_a_correct_toy_policy_passes() -> None:
    checked(toys.Toy)


@pytest.mark.parametrize(
    ("cls", "sentence"),
    [
        (toys.OutOfRange, "Every ranking holds n_positions different items.*IndexError"),
        (toys.RepeatsItems, "Every ranking holds n_positions different items"),
        (toys.UsesGlobalRandomness, "The same seed and clicks give the same rankings"),
        (toys.LooksAtIds, "Renaming the items renames the rankings"),
        (toys.Overconfident, r"A propensity is in \(0, 1\]"),
        (toys.ObjectDiffers, r"rank\(\) and update\(\) of the object lose as much"),
        (toys.HoldsTooLong, "Skipping over held rounds gives the same bits"),
        (toys.RepeatsBatches, "rank_many gives the lists of as many calls of rank"),
        (toys.ForgetsOnSaving, "A saved and loaded policy goes on exactly"),
        (
            toys.LearnsTwice,
            "A copy learns from a token that it never gave, once, or refuses",
        ),
        (toys.IgnoresAvailability, "If it can choose among available items, it does"),
        (toys.ShowsRemovedItems, "If items can be added and removed, a removed one is never shown"),
        (toys.MergesTooMuch, "If copies can be merged, they become one that has learnt all"),
        (toys.Allocates, "a kernel creates an array or assigns one array to another"),
    ],
)
def test_a_broken_policy_fails_with_its_own_sentence(cls: type[Policy], sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        checked(cls)


def test_after_invalid_rankings_no_compiled_loop_is_entered() -> None:
    problems = [outcome.problem for outcome in policy_outcomes(toys.OutOfRange)]
    assert set(problems[1:]) == {"not run, because rankings are not valid"}
