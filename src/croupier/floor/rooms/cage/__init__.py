"""The cage: vouchers paid, drop and drawer counted, and the papers of a shift."""
