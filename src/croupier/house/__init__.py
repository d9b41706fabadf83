"""The house's books: the ledger, the cage, the jackpot, tournaments."""
