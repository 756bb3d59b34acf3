"""Sweeps: one policy over options, click models and sizes, as one tidy table."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.lab.simulation import simulate
from unirank.lab.summary import regret_rows
from unirank.policies.base.specs import PolicySpec, described, policy_class, resolved
from unirank.users import ClickModel

if TYPE_CHECKING:
    import polars as pl

COLUMNS = ("round", "n_games", "mean", "standard_error", "median", "p95", "worst")


def sweep(
    policies: PolicySpec | Sequence[PolicySpec],
    users: ClickModel | Mapping[str, ClickModel],
    *,
    n_positions: int | Sequence[int],
    n_rounds: int,
    options: Mapping[str, Sequence[Any]] | None = None,
    **settings: Any,
) -> "pl.DataFrame":
    """Simulate every combination; return regret by decade, one row per combination and decade.

    Parameters
    ----------
    policies
        A name or a Policy class, or a pair (that, options), or several of these.
    users
        A click model, or several by name.
    n_positions
        How many items a ranking has, or several such numbers.
    n_rounds
        Rounds of each game.
    options
        A list of values for each option. A policy that lacks an option is played without it.
    settings
        Further arguments of `simulate`, such as n_games and seed.

    Returns
    -------
    polars.DataFrame
        The columns are policy, one for each option, users, n_items, n_positions, round, n_games,
        mean, standard_error, median, p95 and worst.

    Examples
    --------
    >>> import unirank as ur
    >>> table = ur.lab.sweep(
    ...     ["epsilon-greedy", "random"], ur.CM([0.5, 0.3, 0.1]), n_positions=[1, 2],
    ...     n_rounds=1000, n_games=3, options={"epsilon": [0.1, 0.3]},
    ... )
    >>> table.height
    6
    """
    one = isinstance(policies, str | type) or (
        isinstance(policies, tuple) and len(policies) == 2 and isinstance(policies[1], Mapping)
    )
    specs: Any = [policies] if one else list(policies)  # type: ignore[arg-type]
    models = users if isinstance(users, Mapping) else {"users": users}
    sizes: Any = n_positions if isinstance(n_positions, Sequence) else [n_positions]
    grid = {name: arguments.plain_list(name, values) for name, values in (options or {}).items()}
    rows = []
    for spec in specs:
        name, fixed = spec if isinstance(spec, tuple) else (spec, {})
        cls = policy_class(name)
        known = [name for name in grid if name in cls.option_names() and name not in fixed]
        for values in product(*(grid[name] for name in known)):
            _, chosen = resolved((cls, {**fixed, **dict(zip(known, values, strict=True))}))
            for (title, model), size in product(models.items(), sizes):
                trace = simulate(
                    (cls, chosen), model, n_positions=size, n_rounds=n_rounds, **settings
                )
                kept = {option: chosen.get(option) for option in grid}
                where = {"users": title, "n_items": model.n_items, "n_positions": size}
                for row in regret_rows([trace]):
                    numbers = {name: row[name] for name in COLUMNS}
                    rows.append({"policy": described(cls.name, fixed), **kept, **where, **numbers})
    unknown = [name for name in grid if all(row[name] is None for row in rows)]
    if unknown:
        raise ArgumentError(f"options must be those of a policy of the sweep, got {unknown[0]!r}")
    table: pl.DataFrame = optional("polars", "lab").DataFrame(rows, infer_schema_length=None)
    return table
