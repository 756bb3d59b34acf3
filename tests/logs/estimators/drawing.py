"""Sessions of a known click model, any number at the price of a few pages: exact chances, counted.

Few different rankings are shown; the chances of all their click patterns are those of the literal
models, and one multinomial draw per ranking says how often each pattern came.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from tests.reference import click_models as twins
from tests.reference.log_counting import Session, counted
from unirank.logs.statistics import Chains, FirstClick, Integers, LastClick, QueryStatistics, Shown
from unirank.users import ClickModel


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
    parts: dict[str, list[Integers]] = {
        "shown": [],
        "first": [],
        "last": [],
        "above": [],
        "tails": [],
    }
    for page, times in pages.items():
        own = counted([page], "q", n_positions)
        number = np.array([ids.index(item) for item in own.items] + [-1])  # -1 stays -1
        assert own.shown is not None
        assert own.first_click is not None
        assert own.last_click is not None
        assert own.chains is not None
        tables: list[tuple[str, int, Sequence[Integers]]] = [
            ("shown", 2, own.shown),
            ("first", 1, own.first_click),
            ("last", 3, own.last_click),
            ("above", 2, own.chains[:5]),
        ]
        for name, n_keys, (item, *columns) in tables:
            keys, counts = columns[: n_keys - 1], columns[n_keys - 1 :]
            rows = [number[item], *keys, *(times * count for count in counts)]
            parts[name].append(np.column_stack(rows))
        tail = [own.chains.clicked[0], *number[own.chains.tails[0]], times]
        parts["tails"].append(np.array([tail]))
    clicked, *tails, sessions = merged(parts["tails"], n_positions + 1)
    return QueryStatistics(
        "q",
        ids,
        n_positions,
        int(sessions.sum()),
        Shown(*merged(parts["shown"], 2)),
        FirstClick(*merged(parts["first"], 1)),
        LastClick(*merged(parts["last"], 3)),
        Chains._make([*merged(parts["above"], 2), np.column_stack(tails), clicked, sessions]),
    )


def merged(tables: list[Integers], n_keys: int) -> list[Integers]:
    """Columns of all rows together, those with equal keys added up."""
    rows = np.concatenate(tables)
    keys, of_row = np.unique(rows[:, :n_keys], axis=0, return_inverse=True)
    counts = np.zeros((len(keys), rows.shape[1] - n_keys), np.int64)
    np.add.at(counts, of_row.ravel(), rows[:, n_keys:])
    return [*keys.T, *counts.T]
