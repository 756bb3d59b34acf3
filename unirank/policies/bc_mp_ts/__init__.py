"""BC-MPTS: Thompson sampling of biased and corrected clicks."""
