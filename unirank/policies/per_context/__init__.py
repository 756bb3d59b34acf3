"""A policy of its own for each context."""
