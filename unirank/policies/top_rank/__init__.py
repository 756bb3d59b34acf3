"""TopRank: blocks of items, split when some are proved better than others."""
