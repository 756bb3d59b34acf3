"""`unirank advise`: which policy for a page of this size."""

import json
from dataclasses import asdict
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from unirank.cli.arguments import Count, parse_policy
from unirank.cli.output import AsJson, say, table
from unirank.lab.advice import CANDIDATES, Advice, Outlook
from unirank.lab.advice import advise as advice_on

HEADER = ("policy", "clicks lost", "gained", "pays back after", "paid back")


def advise(
    *,
    items: Count,
    positions: Count,
    visits: Count,
    policy: Annotated[list[str] | None, Parameter(negative="")] = None,
    games: Count | None = None,
    seconds: float = 20.0,
    seed: int = 0,
    json_: AsJson = False,
) -> None:
    """Say which policy to take, what it loses, and when it pays back against today's order.

    Policies are played on problems drawn from a prior, which is printed. Clicks lost are against
    the best order, clicks gained against today's, both until the last visit. "paid back" is the
    share of problems in which the policy has gained by then.

    Parameters
    ----------
    items
        Items of the page.
    positions
        How many of them it shows.
    visits
        Page views to come.
    policy
        Compare these instead of matchrank, unirank, toprank(horizon=told) and pb-mhb: name,
        name(option=value) or module:Class. May be repeated.
    games
        Problems to play, each by every policy; by default as many as --seconds allow.
    seconds
        How long to play, about.
    seed
        Seed of all random numbers.
    json_
        Print JSON.
    """
    found = advice_on(
        items,
        positions,
        visits,
        policies=[parse_policy(text) for text in policy or []] or CANDIDATES,
        n_problems=games,
        seconds=seconds,
        seed=seed,
    )
    console = Console()
    if json_:
        console.print_json(json.dumps({**asdict(found), "advice": found.sentence}))
        return
    print_advice(console, found)


def print_advice(console: Console, found: Advice) -> None:
    title = f"{found.n_items:,} items, {found.n_positions} positions, {found.n_visits:,} visits"
    console.print(title, style="bold", highlight=False)
    console.print(table(HEADER, [_cells(each) for each in found.outlooks]))
    lost = f"{found.today_lost:,.0f} ± {found.today_lost_error:,.0f}"
    say(console, f"{found.sentence}. Today's order loses {lost} clicks meanwhile.")
    say(console, f"prior: {found.prior}")
    say(
        console,
        f"± and ranges are two standard errors over {found.n_problems} problems, each played once "
        f"by every policy: {found.n_games} games, {found.seconds:.0f} s",
    )


def _cells(each: Outlook) -> list[str]:
    return [
        each.policy,
        f"{each.lost:,.0f} ± {each.lost_error:,.0f}",
        f"{each.gained:+,.0f} ± {each.gained_error:,.0f}",
        _visits(each),
        f"{each.share_paid_back:.0%}",
    ]


def _visits(each: Outlook) -> str:
    """Visits until it pays back, with their range."""
    if each.pays_back is None:
        soonest = each.pays_back_from
        return "later" if soonest is None else f"later ({soonest:,}-later)"
    last = "later" if each.pays_back_to is None else f"{each.pays_back_to:,}"
    return f"{each.pays_back:,} ({each.pays_back_from:,}-{last})"
