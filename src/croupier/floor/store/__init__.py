"""What is durable: one writer, one commit, a chain of hashes, signed heads; imports nothing else of the floor."""
