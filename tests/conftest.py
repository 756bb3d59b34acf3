"""Hypothesis draws the same examples in every run: a failure is a failure for everyone."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=100, database=None)
settings.load_profile("fixed")
