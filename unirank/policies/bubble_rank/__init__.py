"""BubbleRank: neighbours of a start list, exchanged when they are in the wrong order."""
