"""What every journal shares: commands, events, transfers, lines, accounts and the ledger they make."""
