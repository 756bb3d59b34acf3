"""GRAB and S-GRAB: explore lists next to the best one, per item and position."""
