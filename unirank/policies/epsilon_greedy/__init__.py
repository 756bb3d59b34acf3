"""Epsilon-greedy: the most clicked items, and now and then a random list."""
