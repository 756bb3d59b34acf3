"""`unirank check` says, check by check, what holds."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.toy_policies import RepeatsItems
from unirank.policies import registry


def test_our_own_policy_keeps_the_contract(unirank: Run) -> None:
    code, out, _ = unirank("check", "unirank(early=explore)")
    assert code == 0
    assert out.count("holds") >= 7
    assert "fails" not in out


def test_an_option_that_must_be_given_is_that_of_the_example(unirank: Run) -> None:
    code, out, _ = unirank("check", "toprank", "toprank(doubling=true)")
    assert code == 0
    assert out.count("holds") >= 14


def test_a_broken_policy_is_named_and_exits_1(unirank: Run) -> None:
    registry.register("repeats")(RepeatsItems)
    try:
        code, out, _ = unirank("check", "tests.toy_policies:RepeatsItems", "--json")
    finally:
        registry.remove("repeats")
    assert code == 1
    first = json.loads(out)["tests.toy_policies:RepeatsItems"][0]
    assert first["problem"].startswith("got [0, 0")


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        ("def broken(", "cannot import 'mine': SyntaxError"),
        ("import unirank\nunirank.Polcy", "cannot import 'mine': AttributeError"),
        ("", "unknown class of mine: 'Mine'"),
    ],
)
def test_a_mistake_in_your_own_module_is_one_line(
    module: str, sentence: str, unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine.py").write_text(module)
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    code, _, err = unirank("check", "mine:Mine")
    assert (code, err.count("\n")) == (2, 1)
    assert sentence in err


def test_a_wrong_option_is_an_error_of_the_command(unirank: Run) -> None:
    code, _, err = unirank("check", "unirank(early=maybe)")
    assert code == 2
    assert "unknown early 'maybe'" in err


CLICK_MODEL = """
import numpy as np
from typing import NamedTuple
import unirank as ur
from unirank.users.base import ClickKernels
from unirank.policies.kernels.compiling import compiled

class Parameters(NamedTuple):
    attraction: np.ndarray

@compiled
def click(model, ranking, rng, clicks):
    for position, item in enumerate(ranking):
        clicks[position] = {drawn}

@compiled
def expected_clicks(model, ranking, expected):
    expected[:] = 0.0
    return 0.0

class Mine(ur.ClickModel):
    kernels = ClickKernels(click, expected_clicks)
    def __init__(self, attraction, depth):
        arguments = dict(attraction=attraction, depth=depth)
        super().__init__(Parameters(np.array(attraction)), int(depth), **arguments)
"""


@pytest.mark.parametrize(("drawn", "code"), [("False", 0), ("True", 1)])
def test_a_click_model_of_your_own_is_checked(
    drawn: str, code: int, unirank: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine.py").write_text(CLICK_MODEL.format(drawn=drawn))
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    for text in ("mine:Mine(depth=2)", "mine:Mine(attraction=[0.5, 0.2], depth=1)"):
        found, out, _ = unirank("check", text)
        assert found == code
        assert ("fails  Drawn clicks come as often as" in out) == bool(code)


def test_our_click_models_are_checked_by_name(unirank: Run) -> None:
    code, out, _ = unirank("check", "cm", "ubm")
    assert code == 0
    assert out.count("holds") == 14


def test_arguments_that_cannot_be_guessed_are_asked_for(unirank: Run) -> None:
    code, _, err = unirank("check", "pbm(coupling=maybe)")
    assert code == 2
    assert err.startswith("unirank: cannot make a PBM to check: UnknownNameError: unknown coup")
    assert err.endswith("; give attraction=..., examination=...\n")


def test_an_unknown_name_is_neither(unirank: Run) -> None:
    told = "unirank: unknown policy or click model 'unrank'; did you mean 'unirank'?\n"
    assert unirank("check", "unrank") == (2, "", told)
