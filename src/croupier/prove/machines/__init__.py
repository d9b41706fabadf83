"""A house on several machines, each of them a network namespace of its own, with cables that can be pulled."""
