"""Counts of the Yandex log and the parameters that were published for it, side by side.

The items of the published file are the urls of a query in increasing order: of the orders tried
(increasing, as text, of appearance, by impressions) it gives by far the largest likelihood. The
log counts clicks, not impressions with a click: 38 of its rows have more clicks than impressions,
and are cut to one click per impression. Two published attractions exceed 1, and are cut to 1.
"""

import json
from functools import cache
from typing import Any

import numpy as np
import polars

from unirank.click_models import PBM
from unirank.datasets.published import located
from unirank.logs.statistics import QueryStatistics, Shown


@cache
def _log() -> polars.DataFrame:
    return polars.read_csv(located("yandex-clicks"))


@cache
def _published() -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(located("yandex-pbm").read_text())
    return fields


def queries() -> list[str]:
    return list(_published())


def statistics(query: str) -> QueryStatistics:
    rows = _log().filter(polars.col("query") == int(query))
    ids, item = np.unique(rows["url"].to_numpy(), return_inverse=True)
    position, impressions, clicks = (
        rows[name].to_numpy().astype(np.int64) for name in ("pos", "Impression", "Click")
    )
    shown = Shown(item, position, impressions, np.minimum(clicks, impressions))
    return QueryStatistics(query, tuple(str(url) for url in ids.tolist()), 10, 0, shown)


def published(query: str) -> PBM:
    fields = _published()[query]
    return PBM(np.minimum(fields["thetas"], 1.0), fields["kappas"])
