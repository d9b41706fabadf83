"""The paired devices of a house as a journal: terminals and electronic shoes."""
