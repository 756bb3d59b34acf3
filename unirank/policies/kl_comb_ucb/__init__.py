"""KL-CombUCB1: one KL-UCB index per item and position, and the list of largest sum."""
