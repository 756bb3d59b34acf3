"""`unirank data make-log`: a click log of users whose click models are known."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from unirank import arguments
from unirank.cli.arguments import Count
from unirank.errors import ArgumentError
from unirank.files import writable_folder, written_atomically
from unirank.lab.datasets import load_items, load_problems, read_fitted
from unirank.lab.datasets.problems import is_fitted_file
from unirank.logs.reading.log_source import SESSIONS
from unirank.progress import ProgressBar


def make_log(
    source: str,
    *,
    out: Path,
    n_sessions: Count = 100_000,
    n_positions: int = 10,
    n_queries: Count | None = None,
    n_items: int | None = None,
    click_model: str | None = None,
    seed: int = 0,
) -> None:
    """Draw a click log from click models by query, to see what `unirank fit` makes of it.

    Each session sees one page: a random ranking of the items of a random query.

    Parameters
    ----------
    source
        A data set (see `unirank data list`) or a fitted file (.json).
    out
        CSV file to write, in the format sessions; positions are counted from 1.
    n_sessions
        Number of sessions.
    n_positions
        Length of a page, if its query has as many items.
    n_queries
        Use the first queries only.
    n_items
        Use the most attractive items of each query only.
    click_model
        Which of the click models of a fitted file.
    seed
        Seed of all random numbers.
    """
    if out.suffix != ".csv":
        raise ArgumentError(f"out must end in .csv, got {str(out)!r}")
    chosen: dict[str, Any] = {
        "click_model": click_model,
        "n_queries": n_queries,
        "n_items": n_items,
    }
    arguments.integer("n_sessions", n_sessions, 1)
    arguments.integer("n_positions", n_positions, 1)
    rng = np.random.default_rng(arguments.seed(seed))
    read = read_fitted(source) if is_fitted_file(source) else source
    users = load_problems(read, **chosen)
    ids = load_items(read, **chosen) if read is not source else {}
    queries = list(users)
    writable_folder("out", out.parent)
    with (
        written_atomically(out) as temporary,
        open(temporary, "w", newline="") as file,
        ProgressBar(out.name, n_sessions, unit="sessions") as bar,
    ):
        log = csv.writer(file)
        log.writerow(SESSIONS)
        for session in range(1, n_sessions + 1):
            bar.show(session)
            query = queries[rng.integers(len(queries))]
            model = users[query]
            names = ids.get(query) or range(1, model.n_items + 1)
            page = rng.permutation(model.n_items)[: min(n_positions, model.n_positions)].tolist()
            clicks = model.draw_clicks(page, seed=seed, round=session)
            for position, (item, click) in enumerate(zip(page, clicks, strict=True), 1):
                log.writerow([session, query, position, names[item], int(click)])
    Console().print(f"wrote {out}", markup=False, highlight=False, soft_wrap=True)
