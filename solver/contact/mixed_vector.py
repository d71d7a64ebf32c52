"""Vectors of the mixed system: of the dynamics, and of the contacts' rows."""

import math
from typing import NamedTuple

import numpy as np

from ..linear_algebra.lanes import aligned_zeros
from .mixed_kernels import CHUNK, add_multiple_of, put_products
from .problem import AXES


class Mixed(NamedTuple):
    """Both parts lie in one array, each with zeros up to the end of its last chunk: kernels need not look for ends."""

    flat: np.ndarray  # (whole chunks,)
    top: np.ndarray  # of the dynamics (n,)
    low: np.ndarray  # of the rows     (m, 3)

    @property
    def top_chunks(self) -> int:
        return _chunks(len(self.top))

    def dot(self, other: "Mixed") -> float:
        return float(self._products(other).sum())

    def plus(self, factor: float, other: "Mixed") -> "Mixed":
        total = self.copy()
        total.add(factor, other)
        return total

    def scaled(self, factor: float) -> "Mixed":
        scaled = self.copy()
        np.multiply(scaled.flat, factor, out=scaled.flat)
        return scaled

    def copy(self) -> "Mixed":
        copied = mixed_zeros(len(self.top), len(self.low))
        copied.flat[:] = self.flat
        return copied

    def add(self, factor: float, other: "Mixed") -> None:
        """self += factor × other."""
        add_multiple_of(factor, other.flat, self.flat)

    def norms(self) -> tuple[float, float]:
        """Of the two parts."""
        return norms_of(self._products(self), self.top_chunks)

    def _products(self, other):
        sums = np.empty((len(self.flat) // CHUNK, 4))
        put_products(self.flat, other.flat, sums.ravel())
        return sums


def mixed_zeros(unknown_count: int, contact_count: int) -> Mixed:
    start = CHUNK * _chunks(unknown_count)
    size = AXES * contact_count
    flat = aligned_zeros(start + CHUNK * _chunks(size))
    return Mixed(flat, flat[:unknown_count], flat[start : start + size].reshape(-1, AXES))


def norms_of(squares: np.ndarray, top_chunks: int) -> tuple[float, float]:
    """Of both parts, from sums of squares (chunks, any)."""
    return math.sqrt(float(squares[:top_chunks].sum())), math.sqrt(float(squares[top_chunks:].sum()))


def _chunks(count):
    """With a number to spare: blocks of three numbers are read by fours."""
    return count // CHUNK + 1
