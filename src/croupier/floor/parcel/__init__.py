"""What an operator does around the server: begin a house, look whether all is in order, and drill for the worst."""
