"""PBM-TS: Thompson sampling where the examination of the positions is known."""
