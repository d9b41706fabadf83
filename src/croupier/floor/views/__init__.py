"""What each viewer may see of a table: everybody, a player, a terminal, staff."""
