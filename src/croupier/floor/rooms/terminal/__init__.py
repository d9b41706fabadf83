"""The devices at a table: pairing, entering, notes, cards out of an electronic shoe."""
