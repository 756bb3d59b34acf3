"""Baselines without a click model: random, fixed, greedy and Thompson sampling."""
