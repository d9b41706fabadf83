"""The inspector's room: the books verified, signed exports, reports of all tables."""
