"""Slow, obvious twins of the kernels, for the tests to compare with."""
