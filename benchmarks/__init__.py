"""Measurements, printed as ratios that are taken in one run: machines differ, and are noisy."""
