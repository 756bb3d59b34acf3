"""The service's own learner and server of lists, without a database, played by simulated users."""

import json
from collections.abc import Iterator
from heapq import heappop, heappush
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

import msgspec

from unirank.server.api import PageSettings, RankRequest
from unirank.server.exports import jsonl
from unirank.server.learner import Learner
from unirank.server.serving import Serving
from unirank.server.store.store import Entry, PageRow
from unirank.server.summaries import arm_ratio, lift
from unirank.users import PBM

ITEMS = ["a", "b", "c", "d", "e"]
ATTRACTION, EXAMINATION = [0.5, 0.4, 0.3, 0.2, 0.1], [1.0, 0.6, 0.4]
USERS = PBM(attraction=ATTRACTION, examination=EXAMINATION)
BLOCK = 100_000  # numbers of a process


def learner_of(settings: PageSettings, seed: int) -> Learner:
    """A page that was just made."""
    row = PageRow(1, "page", seed, msgspec.json.encode(settings))
    learner = Learner(row)
    learner.fold(Entry(1, 1, 0.0, None, (), {"settings": msgspec.to_builtins(settings)}, False))
    return learner


def clicked(items: list[Any], chance: Random) -> tuple[int, ...]:
    """Positions that a simulated user clicks."""
    return tuple(
        position
        for position, item in enumerate(items)
        if chance.random() < ATTRACTION[ITEMS.index(item)] * EXAMINATION[position]
    )


def lost_clicks(policy: str, n_processes: int, n_rounds: int, seed: int, behind: int = 40) -> float:
    """Expected clicks lost against the best list; what is learnt is served `behind` rounds later.

    Processes have the same learner, which `audit.disagreeing` shows, and numbers of their own.
    """
    given = {"items": ITEMS, "n_positions": 3, "policy": policy, "holdout": {"share": 0.0}}
    settings = msgspec.convert(given, PageSettings)
    learner, chance = learner_of(settings, seed), Random(seed)
    best = float(USERS.best_value(3))
    lost = 0.0
    waiting: list[Entry] = []
    servings: list[Serving] = []
    for n in range(n_rounds):
        if n % behind == 0:
            for entry in waiting:
                learner.fold(entry)
            waiting = []
            servings = [Serving(learner, b"key") for _ in range(n_processes)]
        process = chance.randrange(n_processes)
        number = 1 + process * BLOCK + n
        shown = servings[process].view(number, RankRequest(), b"", 0.0)
        lost += best - float(USERS.value([ITEMS.index(str(item)) for item in shown.items]))
        waiting.append(Entry(2 + n, 1, 0.0, shown, clicked(shown.items, chance), None, False))
    return lost


def week(
    seed: int, views_per_day: int, effect: float = 0.0, final: bool = False
) -> tuple[bool, float]:
    """Whether the lift's interval excluded the truth on some evening, and the p-value of shares.

    Visitors come back up to five times, and click often or hardly ever; what the learner's arm sees
    brings `effect` more clicks per place. A window is a day. With `final`, reports of clicks are
    final, and views without a click have none.
    """
    chance = Random(seed)
    given = {"items": ITEMS, "n_positions": 3, "policy": "unirank", "mode": "frozen"}
    window = float(views_per_day)
    settings = msgspec.convert(
        {**given, "holdout": {"share": 0.3}, "window_s": window}, PageSettings
    )
    learner = learner_of(settings, seed)
    serving = Serving(learner, seed.to_bytes(8, "big"))
    number, excluded = 1, False
    waiting: list[tuple[float, int, Entry]] = []
    for _day in range(7):
        until = number + views_per_day
        while number < until:
            session, rate = f"s{chance.random()}", chance.choice((0.02, 0.4))
            for _ in range(chance.randint(1, 5)):
                number += 1
                request = RankRequest(session=session)
                shown = serving.view(number, request, b"", float(number))
                more = effect if shown.arm == "frozen" else 0.0
                clicks = tuple(p for p in range(3) if chance.random() < rate + more)
                final_at = number + 0.5 if final and clicks else None
                entry = Entry(number, 1, 0.0, shown, clicks, None, False, final_at)
                heappush(waiting, (entry.due_at, number, entry))
        while waiting and waiting[0][0] <= number:
            learner.fold(heappop(waiting)[2])
        found = lift(learner.tallies(), 3)
        if found.low is not None and found.high is not None:
            excluded |= not found.low <= 3 * effect <= found.high
    ratio = arm_ratio(learner.tallies())
    assert ratio is not None
    return excluded, ratio


def exported_log(
    policy: str, options: dict[str, Any], n_rounds: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Lines of the export of a page of three items that learns while it is logged."""
    given = {"items": ITEMS[:3], "n_positions": 2, "policy": policy, "options": options}
    settings = msgspec.convert({**given, "holdout": {"share": 0.0}}, PageSettings)
    learner, chance, entries = learner_of(settings, seed), Random(seed), []
    for n in range(n_rounds):
        if n % 20 == 0:
            serving = Serving(learner, b"key")
        shown = serving.view(1 + n, RankRequest(), b"", 0.0)
        entries.append(Entry(2 + n, 1, 0.0, shown, clicked(shown.items, chance), None, False))
        learner.fold(entries[-1])
    for line in jsonl(("page", entry) for entry in entries).splitlines():
        yield json.loads(line)


def covers(lines: Iterator[dict[str, Any]], target: list[str], truth: float) -> bool:
    """Whether the 95 % interval of the inverse-propensity estimate holds the truth."""
    terms = [
        len(line["clicks"]) / line["propensity"] if line["items"] == target else 0.0
        for line in lines
    ]
    return abs(mean(terms) - truth) <= 1.96 * stdev(terms) / sqrt(len(terms))
