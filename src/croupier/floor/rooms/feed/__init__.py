"""The feed of events: everything that happened, for other systems."""
