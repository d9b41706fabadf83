"""How the whole suite is run: which worker takes which file, and what is tried once more, alone."""
