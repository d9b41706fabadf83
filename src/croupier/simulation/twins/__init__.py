"""Slow twins of the kernels: the same cards and throws through the rules themselves."""
