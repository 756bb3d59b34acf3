"""`unirank check`: run the contract on a policy or a click model, yours or ours."""

import json
from typing import Any

from rich.console import Console

from unirank import policies, users
from unirank.cli.arguments import parse_policy
from unirank.cli.output import AsJson, say
from unirank.errors import UnknownNameError
from unirank.lab.checks.click_model import click_model_outcomes, example_model
from unirank.lab.checks.contract import Outcome
from unirank.lab.checks.policy import policy_outcomes
from unirank.policies import Policy
from unirank.policies.base.specs import policy_class
from unirank.registry import imported
from unirank.users import ClickModel


def check(*names: str, json_: AsJson = False) -> None:
    """Check that policies and click models keep their contract.

    A policy: valid, reproducible, exact, saved without loss. A click model: probabilities, and
    drawn clicks that come as often as they say. Exits with 1 if something does not hold.

    Parameters
    ----------
    names
        Names, name(option=value), or module:Class for one of your own; default: all policies.
        Arguments that a click model needs are guessed where they are not given.
    json_
        Print JSON.
    """
    console = Console()
    report = {}
    for text in names or policies.registry.names():
        found = checked(text)
        report[text] = [{"check": o.sentence, "problem": o.problem} for o in found]
        if not json_:
            print_outcomes(console, text, found)
    if json_:
        console.print_json(json.dumps(report))
    if any(row["problem"] for rows in report.values() for row in rows):
        raise SystemExit(1)


def checked(text: str) -> list[Outcome]:
    """Check a policy or a click model, with the options in the text."""
    name, options = parse_policy(text)
    cls = component(name)
    if issubclass(cls, ClickModel):
        return click_model_outcomes(example_model(cls, **options))
    able = {**cls.example_options((0, 1), 1), **options}
    cls(2, 1, **able)  # a wrong option is an error of the command, not of the policy
    return policy_outcomes(cls, **options)


def component(name: str) -> type[Policy] | type[ClickModel]:
    """Return the class of a policy or a click model."""
    if ":" in name:
        cls: Any = imported(name)
        return cls if isinstance(cls, type) and issubclass(cls, ClickModel) else policy_class(name)
    if name in users.registry.names():
        return users.registry[name]
    try:
        return policy_class(name)
    except UnknownNameError:
        known = [*policies.registry.names(), *users.registry.names()]
        raise UnknownNameError("policy or click model", name, known) from None


def print_outcomes(console: Console, text: str, found: list[Outcome]) -> None:
    console.print(text, style="bold", markup=False, highlight=False)
    for outcome in found:
        mark = "[red]fails[/]" if outcome.problem else "[green]holds[/]"
        console.print(f"  {mark}  {outcome.sentence}", highlight=False)
        if outcome.problem:
            say(console, f"         {outcome.problem}")
