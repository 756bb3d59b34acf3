"""Cascading bandits: one index per item, for users who read from the top."""
