"""One live table: what is asked, what follows from it, and what it becomes."""
