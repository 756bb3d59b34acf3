"""The published parameters of the paper's experiments."""
