"""Which tables of `statistics.py` to count, for the click models that are wanted."""

from collections.abc import Sequence

from unirank import arguments
from unirank.errors import ArgumentError
from unirank.logs.estimators import registry


def tables_of(models: Sequence[str], *, holds: str, format: str) -> set[str]:
    """Names of the tables to count, or say which models this format allows."""
    if isinstance(models, str) or not models:
        raise ArgumentError(f"models must be a list of click models, got {models!r}")
    table = {entry.name: entry.facts["table"] for entry in registry}
    possible = [model for model in table if holds == "sessions" or table[model] == "shown"]
    for model in models:
        arguments.choice("click model", model, list(table))
        if model not in possible:
            raise ArgumentError(
                f"{model!r} is estimated from sessions and the format {format!r} holds counts "
                f"only; possible: {', '.join(possible)}"
            )
    return {table[model] for model in models}
