"""Position-based models of Yandex queries, as published with the paper's experiments.

The file is not part of this package: put `param_Yandex.txt` (from the repository
gaudel/ranking_bandits, folder data) in a folder and name that folder in UNIRANK_DATA.
"""

import json
import os
from pathlib import Path

from unirank.click_models import PBM
from unirank.errors import ArgumentError

FILE = "param_Yandex.txt"


def data_file(name: str) -> Path:
    """Path of a published file in the folder that UNIRANK_DATA names."""
    folder = os.environ.get("UNIRANK_DATA", "")
    path = Path(folder) / name
    if not folder or not path.is_file():
        raise ArgumentError(f"UNIRANK_DATA must name a folder that holds {name}, got {folder!r}")
    return path


def yandex_pbm(n_queries: int = 10, n_items: int = 10, n_positions: int = 5) -> dict[str, PBM]:
    """The first queries by id, each with its most attractive items and most examined positions."""
    queries = json.loads(data_file(FILE).read_text())
    return {
        query: PBM(
            attraction=sorted(fitted["thetas"], reverse=True)[:n_items],
            examination=sorted(fitted["kappas"], reverse=True)[:n_positions],
        )
        for query, fitted in list(queries.items())[:n_queries]
    }
