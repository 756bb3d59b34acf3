"""Baselines that use no model of clicks: random, fixed, greedy and Thompson sampling."""
