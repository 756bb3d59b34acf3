"""Policies that know the examination of the positions."""
