"""BatchRank: batches of items, tested in stages."""
