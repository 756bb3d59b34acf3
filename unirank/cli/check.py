"""`unirank check`: run the policy contract on a policy, yours or ours."""

import json

from rich.console import Console

from unirank.checks.policy import policy_outcomes
from unirank.cli.arguments import parse_policy
from unirank.cli.output import AsJson
from unirank.policies import registry
from unirank.simulation.specs import policy_class


def check(*policies: str, json_: AsJson = False) -> None:
    """Check that policies keep the contract: valid, reproducible, exact, saved without loss.

    Exits with 1 if something does not hold.

    Parameters
    ----------
    policies
        Names, name(option=value), or module:Class for one of your own; default: all registered.
    json_
        Print JSON.
    """
    console = Console()
    report = {}
    for text in policies or registry.names():
        name, options = parse_policy(text)
        cls = policy_class(name)
        able = {**cls.example_options((0, 1), 1), **options}
        cls(2, 1, **able)  # a wrong option is an error of the command, not of the policy
        found = policy_outcomes(cls, **options)
        report[text] = [{"check": o.sentence, "problem": o.problem} for o in found]
        if json_:
            continue
        console.print(f"[bold]{text}[/]", highlight=False)
        for outcome in found:
            mark = "[red]fails[/]" if outcome.problem else "[green]holds[/]"
            console.print(f"  {mark}  {outcome.sentence}", highlight=False)
            if outcome.problem:
                console.print(f"         {outcome.problem}", highlight=False, markup=False)
    if json_:
        console.print_json(json.dumps(report))
    if any(row["problem"] for rows in report.values() for row in rows):
        raise SystemExit(1)
