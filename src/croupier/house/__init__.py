"""The rooms of a house beside its tables, each a journal of its own: decided, evolved, replayed."""
