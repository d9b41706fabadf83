"""The cage as a journal: shifts, drawer, drop, and vouchers paid at most once."""
