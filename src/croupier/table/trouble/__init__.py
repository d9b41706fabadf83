"""When something goes wrong beyond the cards: corrections, invalid rounds, devices, disputes, wrong payments."""
