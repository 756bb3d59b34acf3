"""The first attempts of every target end well, and a broken library is noticed."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import pytest

from tests.attack.supervisor import judged
from tests.attack.targets import TARGETS


def failures(name: str, n_attempts: int) -> list[str]:
    """The failures, each with the words that repeat it: python -m tests.attack --only ..."""
    found = [judged(TARGETS[name], seed) for seed in range(n_attempts)]
    return [f"{name} --seed {one.seed}: {one.failure}" for one in found if one.failure]


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_fails(name: str) -> None:
    assert failures(name, TARGETS[name].n_tests) == []


NO_CHECKSUM = SimpleNamespace(sha256=lambda _: SimpleNamespace(digest=lambda: ANY))


def anything(*_: Any, **__: Any) -> bool:
    return True


@pytest.mark.parametrize(
    ("name", "check", "broken"),
    [
        ("shard-bytes", "unirank.lab.simulation.trace_file.check_seal", anything),
        ("token", "unirank.page.token.hmac.compare_digest", anything),
        ("state-bytes", "unirank.page.state_file.hashlib", NO_CHECKSUM),
        ("misuse-new", "unirank.arguments._whole", int),
        ("fitted-parts", "unirank.lab.datasets.fitted_file._object", lambda _, value: value),
    ],
)
def test_a_library_without_its_checks_is_found_out(
    monkeypatch: pytest.MonkeyPatch, name: str, check: str, broken: Any
) -> None:
    monkeypatch.setattr(check, broken)
    assert failures(name, 100)
