"""The commands: one module a group of them, and what they share."""
