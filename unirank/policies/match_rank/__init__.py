"""MatchRank: Thompson sampling in a position model, guarded by matched comparisons."""
