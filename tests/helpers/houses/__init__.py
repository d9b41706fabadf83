"""Real servers for tests, and short words for what people do there."""
