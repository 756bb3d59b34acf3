"""OSUB on rankings: every list is an arm, and its neighbours are tried."""
