"""GRAB and S-GRAB: explore lists next to the best one, with counts per item and position."""
