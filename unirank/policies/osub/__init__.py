"""OSUB on rankings: every list is an arm, and the neighbours of the best one are explored."""
