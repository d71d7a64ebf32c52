"""What an iteration on the mixed system does to whole vectors, each in one pass (docs/theory/conjugate_residual.md).

Vectors come in whole chunks. A thread has a chunk for itself, and sums are kept by chunk: the bits do not depend on the
number of threads.
"""

from numba import float64, prange

from ..jit_cache import kernel
from ..linear_algebra.lanes import LANES, everywhere, load, store

CHUNK = 1024  # numbers
LINES = CHUNK // LANES
NUMBERS = float64[::1]


@kernel((NUMBERS, NUMBERS, NUMBERS), parallel=True)
def put_products(a, b, sums_out):
    """a · b by chunks and lanes (4 chunks,)."""
    for chunk in prange(len(a) // CHUNK):
        total = everywhere(0.0)
        for line in range(LINES * chunk, LINES * (chunk + 1)):
            total = total + load(a, line) * load(b, line)
        store(sums_out, chunk, total)


@kernel((float64, NUMBERS, NUMBERS), parallel=True)
def add_multiple_of(factor, vector, total_out):
    """total += factor × vector."""
    for chunk in prange(len(vector) // CHUNK):
        share = everywhere(factor)
        for line in range(LINES * chunk, LINES * (chunk + 1)):
            store(total_out, line, load(total_out, line) + share * load(vector, line))


@kernel((NUMBERS, NUMBERS, NUMBERS, NUMBERS), parallel=True)
def put_step_products(z, image, turned, sums_out):
    """z · Bp, Bp · C⁻¹Bp, ‖Bp‖², ‖C⁻¹Bp‖² by chunks and lanes (16 chunks,)."""
    for chunk in prange(len(z) // CHUNK):
        slope, curvature, first, second = everywhere(0.0), everywhere(0.0), everywhere(0.0), everywhere(0.0)
        for line in range(LINES * chunk, LINES * (chunk + 1)):
            a, b = load(image, line), load(turned, line)
            slope = slope + load(z, line) * a
            curvature = curvature + a * b
            first = first + a * a
            second = second + b * b
        store(sums_out, 4 * chunk, slope)
        store(sums_out, 4 * chunk + 1, curvature)
        store(sums_out, 4 * chunk + 2, first)
        store(sums_out, 4 * chunk + 3, second)


@kernel((float64, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS), parallel=True)
def move_along(step, way, image, turned, solution_out, residual_out, z_out, sums_out):
    """y += α p, r −= α Bp, z −= α C⁻¹Bp; ‖r‖² by chunks and lanes (4 chunks,)."""
    for chunk in prange(len(way) // CHUNK):
        share, total = everywhere(step), everywhere(0.0)
        for line in range(LINES * chunk, LINES * (chunk + 1)):
            store(solution_out, line, load(solution_out, line) + share * load(way, line))
            store(z_out, line, load(z_out, line) - share * load(turned, line))
            rest = load(residual_out, line) - share * load(image, line)
            store(residual_out, line, rest)
            total = total + rest * rest
        store(sums_out, chunk, total)


@kernel((NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS), parallel=True)
def put_turn_products(way, image, first, second, sums_out):
    """way · image, ‖way‖², ‖image‖², and the image with C⁻¹Bp of the last two directions (20 chunks,)."""
    for chunk in prange(len(way) // CHUNK):
        both, long, wide = everywhere(0.0), everywhere(0.0), everywhere(0.0)
        last, older = everywhere(0.0), everywhere(0.0)
        for line in range(LINES * chunk, LINES * (chunk + 1)):
            a, b = load(way, line), load(image, line)
            both = both + a * b
            long = long + a * a
            wide = wide + b * b
            last = last + b * load(first, line)
            older = older + b * load(second, line)
        store(sums_out, 5 * chunk, both)
        store(sums_out, 5 * chunk + 1, long)
        store(sums_out, 5 * chunk + 2, wide)
        store(sums_out, 5 * chunk + 3, last)
        store(sums_out, 5 * chunk + 4, older)


@kernel((float64, float64, NUMBERS, NUMBERS, NUMBERS, NUMBERS), parallel=True)
def remove_shares(first_share, second_share, vector, first, second, vector_out):
    """vector − its shares of two others; the vector may be the result."""
    for chunk in prange(len(vector) // CHUNK):
        a, b = everywhere(first_share), everywhere(second_share)
        for line in range(LINES * chunk, LINES * (chunk + 1)):
            rest = load(vector, line) - a * load(first, line)
            store(vector_out, line, rest - b * load(second, line))


@kernel((NUMBERS, NUMBERS, NUMBERS), parallel=True)
def put_scaled(factors, vector, scaled_out):
    """Each number by its own factor."""
    for chunk in prange(len(vector) // CHUNK):
        for line in range(LINES * chunk, LINES * (chunk + 1)):
            store(scaled_out, line, load(factors, line) * load(vector, line))
