"""Proofs about payments: what is settled is what the documents say, to the cent."""
