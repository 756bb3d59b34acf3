"""MP-TS: Thompson sampling of click rates, as if all positions were alike."""
