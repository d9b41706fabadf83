"""The people of a house as a journal: accounts, roles, sign-ins, locks."""
