"""RBA: one bandit per position."""
