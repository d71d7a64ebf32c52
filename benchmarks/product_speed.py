"""Products with a matrix of 3 × 3 blocks against the bandwidth of memory, on one thread."""

import numba
import numpy as np

from stiction.solver.contact.dynamics_product import BlockDynamics
from stiction.solver.contact.mixed_vector import mixed_zeros

from .timing import best_seconds

REPETITIONS = 20
TRIAD = 8_000_000  # numbers of each of three arrays: several times what caches hold


def product_against_triad(problem) -> float:
    """Share of a triad's bandwidth that products with A (of `pattern` and `blocks`) reach."""
    dynamics, count = BlockDynamics(problem.pattern, problem.blocks), len(problem.f)
    vector, product = mixed_zeros(count, 0), np.empty(count)
    vector.flat[:] = 1.0
    byte_count = problem.blocks.nbytes + sum(part.nbytes for part in problem.pattern) + 2 * product.nbytes
    arrays = [np.ones(TRIAD) for _ in range(3)]
    ours = byte_count / best_seconds(lambda: dynamics.put(vector.flat, product), REPETITIONS)
    return ours / (sum(array.nbytes for array in arrays) / best_seconds(lambda: _triad(*arrays), REPETITIONS))


@numba.njit
def _triad(a, b, c_out):
    for i in range(len(a)):
        c_out[i] = a[i] + 3.0 * b[i]
