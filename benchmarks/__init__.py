"""Measurements, as ratios within one run: machines are shared and noisy, so absolute times say little."""
