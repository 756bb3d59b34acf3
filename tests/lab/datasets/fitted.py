"""A small fitted file, as it is written and as JSON, for tests to read and to spoil."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from unirank.lab.datasets import FittedQuery

SHOES = {
    "items": ["a", "b", 7],
    "attraction": [0.1, 0.3, 0.2],
    "examination": [0.9, 0.5, 0.6],
    "log_likelihood": -12.5,
    "n_sessions": 80,
    "warnings": ["few clicks"],
}
BOOTS = {"items": ["c", "d"], "attraction": [0.5, 1], "examination": [1.0, 0.5]}
CONTENT: dict[str, Any] = {
    "format": "unirank fitted click models",
    "version": 1,
    "source": {"log": "day.tsv", "read": [1, 2]},
    "models": {
        "pbm": {"shoes": SHOES, "boots": BOOTS},
        "dbn": {
            "shoes": {
                "items": ["a", "b", 7],
                "attraction": [0.1, 0.3, 0.2],
                "satisfaction": [0.7, 0.8, 0.9],
                "abandon": 0.05,
            }
        },
    },
}
MODELS = {
    model: {
        query: FittedQuery(
            tuple(fields["items"]),
            {
                k: v
                for k, v in fields.items()
                if k in ("attraction", "examination", "satisfaction", "abandon")
            },
            {k: v for k, v in fields.items() if k in ("log_likelihood", "n_sessions", "warnings")},
        )
        for query, fields in queries.items()
    }
    for model, queries in CONTENT["models"].items()
}


def spoilt(*place: str, value: Any) -> dict[str, Any]:
    """The content with another value at that place; a place named there already, or a new one."""
    content = deepcopy(CONTENT)
    inner = content
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return content


def without(*place: str) -> dict[str, Any]:
    content = deepcopy(CONTENT)
    inner = content
    for key in place[:-1]:
        inner = inner[key]
    del inner[place[-1]]
    return content


def saved(path: Path, content: Any = CONTENT) -> Path:
    path.write_text(json.dumps(content))
    return path
