"""Casino table games, by the book: the rules, their odds, and the table that runs on them."""
