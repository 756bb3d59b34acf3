"""Sessions of a known click model, any number at the price of a few pages: exact chances, counted.

Few different rankings are shown; the chances of all their click patterns are those of the literal
models, and one multinomial draw per ranking says how often each pattern came.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import product

import numpy as np

from tests.reference import click_models as twins
from tests.reference.log_counting import Session, counted
from unirank.click_models import ClickModel
from unirank.logs.statistics import Chains, FirstClick, LastClick, QueryStatistics, Shown


def rankings(n_items: int, n_positions: int, n: int, seed: int) -> list[tuple[int, ...]]:
    rng = np.random.default_rng(seed)
    return [tuple(rng.permutation(n_items)[:n_positions].tolist()) for _ in range(n)]


def draw(model: ClickModel, n_sessions: int, seed: int, n_positions: int = 4) -> QueryStatistics:
    """Tables of about `n_sessions` on twelve rankings of all items, which are called 0, 1, ..."""
    rng = np.random.default_rng(seed)
    settings = {key: value for key, value in model.settings.items() if key != "coupling"}
    twin = getattr(twins, model.name.upper())(**settings)
    shown = rankings(model.n_items, n_positions, 12, seed=1)
    pages: dict[Session, int] = {}
    for ranking in shown:
        patterns = list(product((False, True), repeat=n_positions))
        chances = [twin.probability(ranking, pattern) for pattern in patterns]
        times = rng.multinomial(n_sessions // len(shown), chances)
        for pattern, n in zip(patterns, times.tolist(), strict=True):
            clicks = tuple(k for k, clicked in enumerate(pattern) if clicked)
            page = Session("q", tuple(str(item) for item in ranking), clicks)
            if n:
                pages[page] = pages.get(page, 0) + n
    return weighted(pages, n_positions)


def weighted(pages: Mapping[Session, int], n_positions: int) -> QueryStatistics:
    """`counted`, of pages that came many times: each page's own tables, times its number."""
    ids = tuple(sorted({item for page in pages for item in page.items}))
    rows: dict[str, Counter[tuple[int, ...]]] = {}
    for page, times in pages.items():
        own = counted([page], "q", n_positions)
        rename = np.array([ids.index(item) for item in own.items] + [-1])  # -1 stays -1
        assert own.shown and own.first_click and own.last_click and own.chains
        for n_keys, table in (
            (2, own.shown),
            (1, own.first_click),
            (3, own.last_click),
            (2, own.chains[:5]),
        ):
            name = type(table).__name__
            for item, *row in zip(*table, strict=True):
                keys = (int(rename[item]), *(int(v) for v in row[: n_keys - 1]))
                for column, count in enumerate(row[n_keys - 1 :]):
                    rows.setdefault(f"{name}{column}", Counter())[keys] += times * int(count)
        tail = (int(own.chains.clicked[0]), *rename[own.chains.tails[0]].tolist())
        rows.setdefault("tails", Counter())[tail] += times

    def columns(name: str, n_keys: int, n_counts: int) -> list[np.ndarray]:
        keys = sorted(rows.get(f"{name}0", {}))
        found = [np.array([key[n] for key in keys], np.int64) for n in range(n_keys)]
        counts = [rows.get(f"{name}{n}", Counter()) for n in range(n_counts)]
        return found + [np.array([count[key] for key in keys], np.int64) for count in counts]

    tails = sorted(rows["tails"])
    table = np.array(tails, np.int64).reshape(len(tails), n_positions + 1)
    sessions = np.array([rows["tails"][tail] for tail in tails], np.int64)
    return QueryStatistics(
        "q",
        ids,
        n_positions,
        int(sessions.sum()),
        Shown(*columns("Shown", 2, 2)),
        FirstClick(*columns("FirstClick", 1, 2)),
        LastClick(*columns("LastClick", 3, 2)),
        Chains(*columns("tuple", 2, 3), table[:, 1:], table[:, 0], sessions),
    )
