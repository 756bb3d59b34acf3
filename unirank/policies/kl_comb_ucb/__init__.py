"""KL-CombUCB1: the list of largest summed KL-UCB indices."""
