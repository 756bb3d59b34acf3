"""Oracle: the best list, told from the start."""
