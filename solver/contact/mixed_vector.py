"""Vectors of the mixed system: of the dynamics, and of the contacts' rows."""

import math
from typing import NamedTuple

import numpy as np

from ..linear_algebra.flat_vectors import add_flat, dot_flat


class Mixed(NamedTuple):
    top: np.ndarray  # (n,)
    low: np.ndarray  # (m, 3)

    def dot(self, other: "Mixed") -> float:
        return dot_flat(self.top, other.top) + dot_flat(self.low.ravel(), other.low.ravel())

    def plus(self, factor: float, other: "Mixed") -> "Mixed":
        return Mixed(self.top + factor * other.top, self.low + factor * other.low)

    def scaled(self, factor: float) -> "Mixed":
        return Mixed(factor * self.top, factor * self.low)

    def copy(self) -> "Mixed":
        return Mixed(self.top.copy(), self.low.copy())

    def take(self, other: "Mixed") -> None:
        """Become a copy of another one."""
        self.top[:], self.low[:] = other.top, other.low

    def add(self, factor: float, other: "Mixed") -> None:
        """self += factor × other."""
        add_flat(factor, other.top, self.top)
        np.add(self.low, factor * other.low, out=self.low)

    def norms(self) -> tuple[float, float]:
        """Of the two parts."""
        low = self.low.ravel()
        return math.sqrt(dot_flat(self.top, self.top)), math.sqrt(dot_flat(low, low))
