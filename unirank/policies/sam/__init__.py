"""SAM adapted to rankings: clusters of items take turns in blocks of positions."""
