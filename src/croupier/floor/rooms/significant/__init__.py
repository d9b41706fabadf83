"""The room of the significant events."""
