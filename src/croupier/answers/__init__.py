"""What can happen in a round: every fact that would be accepted, all that can go wrong, and play that plays itself."""
