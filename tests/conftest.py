"""Tests repeat exactly: the same examples of hypothesis, and the same seed where none is given."""

from hypothesis import settings

from unirank.policies.base import policy

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=100, database=None)
settings.load_profile("fixed")

policy.fresh_seed = lambda: 0  # everywhere else it is fresh entropy: test_policy.py asks there
