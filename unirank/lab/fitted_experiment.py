"""An experiment made from a fitted file: three policies on all its queries.

Each query has its ten most attractive items, as in the paper, and the first positions of its page:
five, or as many as all queries have. The positions of a PBM are renumbered by decreasing
examination, which most policies need.
"""

import os
from pathlib import Path

from unirank.lab.datasets import FittedFile, load_problems, read_fitted
from unirank.lab.experiment import Experiment, PolicyEntry, ProblemSource
from unirank.users import PBM, ClickModel

MOST_ITEMS = 10
MOST_POSITIONS = 5
POLICIES = [
    PolicyEntry("unirank", label="UniRank"),
    PolicyEntry("toprank", {"horizon": "told"}, "TopRank"),
    PolicyEntry("random", label="Random"),
]


def fitted_experiment(path: str | os.PathLike[str]) -> Experiment:
    """Return an experiment of every click model and query of a fitted file.

    Its version is a digest of the items and parameters in the file: the games of another file of
    the same name are not taken for its own.
    """
    file = read_fitted(path)
    every = {model: load_problems(file, click_model=model) for model in file.models}
    n_positions = min(
        min(MOST_POSITIONS, users.n_positions, users.n_items)
        for problems in every.values()
        for users in problems.values()
    )
    sources = [
        ProblemSource(
            name=f"{model} {query}" if len(every) > 1 else query,
            part=model,
            click_model=users.to_dict(),
        )
        for model, problems in every.items()
        for query, users in cut_problems(file, model, problems, n_positions).items()
    ]
    return Experiment(
        name=Path(path).stem,
        question=f"How much regret on the {len(sources)} problems of {Path(path).name}?",
        version=int(file.digest()[:12], 16),
        policies=POLICIES,
        problems=sources,
        n_positions=n_positions,
        n_rounds=100_000,
        n_games=5,
        source=os.fspath(path),
    )


def cut_problems(
    file: FittedFile, model: str, problems: dict[str, ClickModel], n_positions: int
) -> dict[str, ClickModel]:
    """Return the users of each query, cut to the items and positions of the experiment."""
    cut: dict[str, ClickModel] = {}
    sizes = {query: min(MOST_ITEMS, users.n_items) for query, users in problems.items()}
    for n_items in set(sizes.values()):
        cut |= load_problems(
            file,
            click_model=model,
            queries=[query for query, size in sizes.items() if size == n_items],
            n_items=n_items,
            n_positions=n_positions,
        )
    return {query: in_order(cut[query], n_positions) for query in problems}


def in_order(users: ClickModel, n_positions: int) -> ClickModel:
    """The same users, with the positions of a PBM by decreasing examination."""
    if isinstance(users, PBM):
        return users.reordered(users.position_order(n_positions))
    return users
