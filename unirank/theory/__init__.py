"""The paper's theory by computation: assumptions, gaps, bounds, for any click model."""
