"""PBM-PIE: the known best items first, and one position to explore."""
