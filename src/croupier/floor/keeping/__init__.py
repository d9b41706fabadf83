"""Who keeps which journal of a running house, and with which credentials people and devices enter."""
