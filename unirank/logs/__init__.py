"""Click logs into click models: read, count, estimate."""
