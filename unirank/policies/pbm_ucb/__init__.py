"""PBM-UCB: confidence bounds where the examination of the positions is known."""
