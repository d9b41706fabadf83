"""Terminals of the electronic game: pairing, touches, slips, vouchers, malfunctions."""
