"""Policies in service: many pages in a folder."""

from unirank.live.pages import Page, Pages

__all__ = ["Page", "Pages"]
