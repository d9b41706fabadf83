"""Proofs about the books of a house: what is killed, torn, tampered with, replayed elsewhere or brought back."""
