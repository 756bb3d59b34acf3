"""The dashboard: what the pages learnt and gained, for people, in a browser."""
