"""Tokens with changed characters, and forged ones whose checksum is right.

A token that is refused leaves the policy as it was. One that is accepted teaches what the token
that was given would teach. A forged one, which only a policy without a token_key can be given, is
refused or learnt from; then the policy still works.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from copy import copy
from functools import cache
from pathlib import Path
from random import Random

from tests.attack.mutation import mutated
from tests.attack.state_files import N_ITEMS, N_POSITIONS, check_works
from tests.attack.target import Outcome, Target, require, same_entropy
from tests.policies.situations import contents
from unirank import Policy
from unirank.page.token import SEAL, _signature
from unirank.policies import registry

KEY = "a secret"
SIGNS = "ABCxyz019-_=+/ \n\u00e9\0"


@cache
def given(name: str, key: str | None) -> tuple[Policy, str]:
    """A policy, and the token of a list that another copy of it gave."""
    cls = registry[name]
    options = cls.example_options(tuple(range(N_ITEMS)), N_POSITIONS)
    with same_entropy(name):
        policy = cls(N_ITEMS, N_POSITIONS, seed=3, token_key=key, **options)
        for n in range(40):
            shown = policy.rank()
            policy.update(shown, shown.items[: n % 2])
        return policy, copy(policy).rank().token


def changed(draw: Random, folder: Path) -> Outcome:
    source, token = given(draw.choice(registry.names()), draw.choice((None, KEY)))
    policy, right = copy(source), copy(source)
    right.update(token, [])
    before = contents(policy)
    try:
        policy.update(mistyped(token, draw), [])
    except Exception:
        require(contents(policy) == before, "a refused token has changed the policy")
        raise
    require(contents(policy) == contents(right), "a changed token has taught something else")
    return Outcome.EQUAL


def mistyped(token: str, draw: Random) -> str:
    for _ in range(draw.choice((1, 1, 2))):
        place = draw.randrange(len(token) + 1)
        end = place + draw.choice((0, 1, 1, 2, 9))
        token = token[:place] + draw.choice((*SIGNS, "", token[:3])) + token[end:]
    return token


def forged(draw: Random, folder: Path) -> Outcome:
    source, token = given(draw.choice(registry.names()), None)
    policy = copy(source)
    body = mutated(urlsafe_b64decode(token + "==")[:-SEAL], draw)
    try:
        policy.update(urlsafe_b64encode(body + _signature(b"", body)).decode().rstrip("="), [])
    finally:
        check_works(policy, draw)
    return Outcome.ACCEPTED


TARGETS = [
    Target("token", 3_000, 100, changed),
    Target("token-forged", 3_000, 100, forged),
]
