"""Traces to figures; nothing is computed here."""
