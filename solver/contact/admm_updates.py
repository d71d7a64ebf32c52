"""What an iteration of ADMM does to whole vectors, each in one pass: for large grooms memory is the limit.

Vectors are flat (3 n,) [m/s]. Their largest differences are taken block by block, the same on any number of threads.
"""

import numpy as np
from numba import float64, prange

from ..jit_cache import kernel

BLOCK = 8192
VECTOR = float64[::1]


class Largest:
    """The largest changes of the velocities v, and distances between v and p, of each block."""

    def __init__(self, size: int):
        blocks = -(-size // BLOCK)
        self.change, self.apart = np.zeros(blocks), np.zeros(blocks)

    def sum(self) -> float:
        return float(self.change.max(initial=0.0) + self.apart.max(initial=0.0))


def flat(vectors: np.ndarray) -> np.ndarray:
    return vectors.reshape(-1)


@kernel((float64, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR), parallel=True)
def extrapolate(share, p, p_before, multipliers, multipliers_before, targets_out, multipliers_hat_out):
    """λ̂ = λ + a (λ − λ₋) and the targets p̂ + λ̂, p̂ = p + a (p − p₋)."""
    for place in prange(len(p)):
        ahead = multipliers[place] + share * (multipliers[place] - multipliers_before[place])
        multipliers_hat_out[place] = ahead
        targets_out[place] = p[place] + share * (p[place] - p_before[place]) + ahead


@kernel((VECTOR, VECTOR, VECTOR, VECTOR, VECTOR), parallel=True)
def put_copies(velocities, before, multipliers_hat, p_out, largest_out):
    """p = v − λ̂, to be projected."""
    for block in prange(len(largest_out)):
        largest, check = 0.0, 0.0
        for place in range(BLOCK * block, min(BLOCK * (block + 1), len(p_out))):
            change = velocities[place] - before[place]
            p_out[place] = velocities[place] - multipliers_hat[place]
            largest = max(largest, abs(change))
            check += 0.0 * change  # not a number as soon as one of its terms is none
        largest_out[block] = largest + check


@kernel((VECTOR, VECTOR, VECTOR, VECTOR, VECTOR), parallel=True)
def put_multipliers(velocities, p, multipliers_hat, multipliers_out, largest_out):
    """λ = λ̂ + p − v."""
    for block in prange(len(largest_out)):
        largest, check = 0.0, 0.0
        for place in range(BLOCK * block, min(BLOCK * (block + 1), len(p))):
            apart = velocities[place] - p[place]
            multipliers_out[place] = multipliers_hat[place] - apart
            largest = max(largest, abs(apart))
            check += 0.0 * apart
        largest_out[block] = largest + check
