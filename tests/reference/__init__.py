"""Slow, literal second implementations, compared ranking by ranking with the compiled library."""
