"""A sweep is every combination, as its own simulation would give it."""

from typing import Any

import pytest

from unirank import CM, PBM, ArgumentError, simulate
from unirank.lab import sweep

USERS = {"cm": CM([0.5, 0.4, 0.2]), "pbm": PBM([0.5, 0.4, 0.2, 0.1], [1.0, 0.6])}
SCALE: dict[str, Any] = {"n_rounds": 2000, "n_games": 2, "seed": 3}


def test_every_combination_has_its_rows() -> None:
    options = {"epsilon": [0.1, 0.2]}
    table = sweep(["epsilon-greedy", "random"], USERS, n_positions=[1, 2], options=options, **SCALE)
    keys = table.select("policy", "epsilon", "users", "n_positions", "round").rows()
    assert len(set(keys)) == table.height == (2 + 1) * 2 * 2 * 2
    assert table["round"].unique().sort().to_list() == [1000, 2000]
    assert set(table.filter(table["users"] == "pbm")["n_items"]) == {4}
    assert set(table.filter(table["policy"] == "random")["epsilon"]) == {None}


def test_the_numbers_are_those_of_simulate() -> None:
    table = sweep("unirank", USERS["cm"], n_positions=2, **SCALE)
    trace = simulate("unirank", USERS["cm"], n_positions=2, **SCALE)
    assert table["mean"].to_list() == [trace.at(1000).mean(), trace.at(2000).mean()]


def test_options_of_a_pair_are_taken() -> None:
    pairs = [("epsilon-greedy", {"epsilon": 0.1}), ("epsilon-greedy", {"epsilon": 0.9})]
    table = sweep(pairs, USERS["cm"], n_positions=2, **SCALE)
    traces = [simulate(pair, USERS["cm"], n_positions=2, **SCALE) for pair in pairs]
    assert table["mean"].to_list() == [t.at(n).mean() for t in traces for n in (1000, 2000)]
    assert table["policy"].unique(maintain_order=True).to_list() == [
        "epsilon-greedy (epsilon=0.1)",
        "epsilon-greedy (epsilon=0.9)",
    ]


@pytest.mark.parametrize("spec", ["toprank", ("toprank", {"horizon": "told"})])
def test_an_option_that_a_policy_needs_is_swept_or_given(spec: Any) -> None:
    options = {} if isinstance(spec, tuple) else {"horizon": [500, "told"]}
    table = sweep(spec, USERS["cm"], n_positions=2, options=options, **SCALE)
    assert table.height == (2 if isinstance(spec, tuple) else 4)


def test_an_option_that_no_policy_has_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"those of a policy of the sweep, got 'epslon'"):
        sweep("random", USERS, n_positions=1, options={"epslon": [1]}, **SCALE)
