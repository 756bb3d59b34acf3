"""MatchRank: Thompson sampling in a position model, guarded by tests of neighbours."""
