"""SAM adapted to rankings: items take turns in clusters of positions."""
