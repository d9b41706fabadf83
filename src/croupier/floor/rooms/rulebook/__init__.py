"""The rule book: rules found by words, one rule with all that hangs on it, two editions compared."""
