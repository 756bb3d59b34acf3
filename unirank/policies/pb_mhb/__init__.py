"""PB-MHB: Thompson sampling of a position-based model by Metropolis-Hastings."""
