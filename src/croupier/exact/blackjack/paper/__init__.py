"""What readers are given of a solved shoe: the rows of its odds sheet, its charts, and the dealer's ends."""
