"""A simulated world around the real code of a house: its own time, network, disk and chance, all from one seed."""
