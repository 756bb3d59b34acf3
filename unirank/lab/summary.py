"""Regret at powers of ten and at the last round."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unirank.lab.simulation import Trace


def decades(n_rounds: int) -> list[int]:
    """Return the powers of ten from 10^3 up to `n_rounds`, and `n_rounds` itself."""
    return [10**k for k in range(3, 19) if 10**k < n_rounds] + [n_rounds]


def pooled(traces: Sequence[Trace]) -> list[Trace]:
    """Return one trace per objective, part and label, with the games of all its problems.

    Of each problem as many games as of the one with the fewest: in an unfinished run, a problem
    with more games would count for more.
    """
    groups: dict[tuple[str, str, str], list[Trace]] = {}
    for trace in traces:
        groups.setdefault((trace.objective, trace.part, trace.label), []).append(trace)
    return [_together(group) for group in groups.values()]


def _together(traces: Sequence[Trace]) -> Trace:
    n_games = min(trace.n_games for trace in traces)
    return replace(
        traces[0],
        problem="",
        click_model=traces[0].click_model if len(traces) == 1 else {},
        games=np.arange(n_games * len(traces)),
        regret=np.concatenate([trace.regret[:n_games] for trace in traces]),
    )


def regret_rows(traces: Sequence[Trace]) -> list[dict[str, Any]]:
    """One row per policy and decade: mean, standard error, and how the games spread.

    A policy that stalls in one game out of a hundred shows it in its worst game, not in its
    median nor in its 95th percentile.
    """
    rows = []
    for trace in traces:
        error = trace.standard_error
        for round_ in decades(trace.n_rounds):
            # A user's own checkpoints need not include the decade: take the nearest before it.
            reached = np.nonzero(trace.rounds <= round_)[0]
            if len(reached):
                at = reached[-1]
                games = trace.regret[:, at]
                rows.append(
                    {
                        "part": trace.part,
                        "policy": trace.label,
                        "round": int(trace.rounds[at]),
                        "mean": float(trace.mean[at]),
                        "standard_error": None if trace.n_games < 2 else float(error[at]),
                        "median": float(np.median(games)),
                        "p95": float(np.quantile(games, 0.95)),
                        "worst": float(games.max()),
                        "n_games": trace.n_games,
                    }
                )
    return rows


def gained(trace: Trace, order: Sequence[int]) -> Trace:
    """The trace with clicks gained against an order in place of regret, for tables."""
    return replace(trace, regret=trace.gain(order))


def gain_rows(traces: Sequence[Trace], order: Sequence[int]) -> list[dict[str, Any]]:
    """One row per policy and decade: clicks gained against an order, mean and standard error."""
    kept = ("part", "policy", "round", "mean", "standard_error", "n_games")
    rows = regret_rows([gained(trace, order) for trace in traces])
    return [{key: row[key] for key in kept} for row in rows]
