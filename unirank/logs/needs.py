"""Which table of `statistics.py` each click model is estimated from."""

from collections.abc import Sequence

from unirank.errors import ArgumentError, UnknownNameError

TABLE_OF = {
    "pbm": "shown",
    "cm": "first_click",
    "ubm": "last_click",
    "dcm": "chains",
    "sdbn": "chains",
    "dbn": "chains",
    "ccm": "chains",
}


def tables_of(models: Sequence[str], *, holds: str, format: str) -> set[str]:
    """Names of the tables to count, or say which models this format allows."""
    if isinstance(models, str) or not models:
        raise ArgumentError(f"models must be a list of click models, got {models!r}")
    for model in models:
        if model not in TABLE_OF:
            raise UnknownNameError("click model", model, TABLE_OF)
    possible = [model for model in TABLE_OF if holds == "sessions" or TABLE_OF[model] == "shown"]
    for model in models:
        if model not in possible:
            raise ArgumentError(
                f"{model!r} is estimated from sessions and the format {format!r} holds counts "
                f"only; possible: {', '.join(possible)}"
            )
    return {TABLE_OF[model] for model in models}
