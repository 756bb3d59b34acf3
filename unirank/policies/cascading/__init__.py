"""Cascading bandits: an index per item, for users who read from the top."""
