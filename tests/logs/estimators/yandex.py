"""Counts of the Yandex log and the parameters that were published for it, side by side.

The items of the published file are the urls of a query in increasing order: that is likelier than
their order as text, in which the log lists them, or by impressions. The log counts clicks, not
impressions with a click: 38 of its rows have more clicks than impressions, and are cut to one click
per impression.

The published parameters are not the most likely ones, whatever the order: they expect users to look
at the last position more than half as often as at the first, and so far more clicks there.
"""

import json
from functools import cache
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray
from scipy.special import xlog1py, xlogy

from unirank.lab.datasets.published_files import located
from unirank.logs.statistics import Integers, QueryStatistics, Shown

Floats = NDArray[np.float64]


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


def rows_with_more_clicks_than_impressions() -> int:
    return int((_log()["Click"] > _log()["Impression"]).sum())


def published_chances(query: str, order: Integers | None = None) -> Floats:
    """Chance of a click in each row of `statistics`, by the published attraction and examination.

    The published attractions are those of the items in `order`, the increasing one if not given.

    Attractions above 1, which no click model of ours admits, are taken as they are; a product above
    1 is taken for 1.
    """
    fields, shown = _published()[query], statistics(query).shown
    assert shown is not None
    thetas, kappas = np.array(fields["thetas"]), np.array(fields["kappas"])
    if order is not None:
        thetas = thetas[np.argsort(order)]
    return np.minimum(thetas[shown.item] * kappas[shown.position], 1.0)


def published_log_likelihood(query: str, order: Integers | None = None) -> float:
    chances, shown = published_chances(query, order), statistics(query).shown
    assert shown is not None
    return float(binom_log(shown.clicks, shown.impressions, chances).sum())


def binom_log(clicks: Integers, impressions: Integers, chances: Floats) -> Floats:
    return np.asarray(xlogy(clicks, chances) + xlog1py(impressions - clicks, -chances))
