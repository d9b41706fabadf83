"""The tables: their list, entering, commands, the story of a round."""
