"""Policies that are told how likely each position is examined."""
