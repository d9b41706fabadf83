"""The rooms of the house, one folder each: its doors, what they answer, and how that is worded."""
