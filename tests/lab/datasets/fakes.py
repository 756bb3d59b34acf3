"""Small files in the place of the published ones, and a mark for tests that need the real ones."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from unirank.lab.datasets.published_files import FILES, found

Publish = Callable[..., Path]

PBMS = {
    "7": {"thetas": [0.1, 0.5, 0.3], "kappas": [0.2, 1.0, 0.6]},
    "3": {"thetas": [0.4, 0.9, 0.2, 0.9], "kappas": [1.0, 0.6, 0.5]},
}
CMS = {"2": [0.1, 0.5, 0.2], "1": [0.3, 0.2, 0.1]}
EXAMINATION = [[0.2, 0.3, 1.0], [0.9, 0.4, 0.8], [0.5, 0.7, 0.6]]
FITTED = {"attraction": [0.1, 0.3, 0.2]}
RELPRED = {
    "PBM": {"8": {**FITTED, "examination": [0.9, 0.5, 0.6]}},
    "CM": {"8": FITTED},
    "DCM": {"8": {**FITTED, "stop_after_click": [0.6, 0.5, 0.9]}},
    "DBN": {"8": {**FITTED, "satisfaction": [0.7, 0.8, 0.9], "abandon": 0.05}},
    "CCM": {
        "8": {
            **FITTED,
            "continue_no_click": 0.9,
            "continue_click_not_relevant": 0.8,
            "continue_click_relevant": 0.2,
        }
    },
    "UBM": {"8": {**FITTED, "examination_by_rank_and_last_click": EXAMINATION}},
}
CONTENTS = {"kdd-pbm": PBMS, "yandex-pbm": PBMS, "yandex-cm": CMS, "yandex-relpred": RELPRED}


def publisher(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Publish:
    """Write a file into `folder` and pin its SHA-256."""

    def publish(name: str, content: Any = None, **changes: str) -> Path:
        text = json.dumps(CONTENTS[name] if content is None else content)
        folder.mkdir(exist_ok=True)
        path = folder / FILES[name].file
        path.write_text(text)
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        monkeypatch.setitem(FILES, name, replace(FILES[name], **{"sha256": sha256, **changes}))
        return path

    return publish


def needs(name: str) -> pytest.MarkDecorator:
    """Skip where UNIRANK_DATA does not hold the real file."""
    place = found(name)
    missing = place is None or place[0] != "mirror"
    return pytest.mark.skipif(missing, reason=f"UNIRANK_DATA does not hold {FILES[name].file}")
