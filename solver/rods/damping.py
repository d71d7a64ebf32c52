"""Elastic damping: the stress answers to the strain, and to its rate times ξ.

With the rate taken over the step, k (c − c̄ + ξ (c − c₀)/Δt) is the stress of a stiffer spring with another
rest: stiffness k (1 + ξ/Δt), rest (c̄ + ξ/Δt c₀) / (1 + ξ/Δt). So damping needs no law of its own, has a
potential, and does not brake rigid motion.
"""

import numpy as np
from numba import float64, prange

from ..jit_cache import kernel
from .rods import FRAME_TYPES, ROD_TYPES, Rods
from .strains import vertex_strains
from .transport import edge_of


def damped_storage(rods: Rods) -> Rods:
    """Rods whose stiffness and rest `damp_rods` may overwrite."""
    changed = ("rest_lengths", "stretching", "bending", "twisting", "rest_curvatures", "rest_twists")
    return rods._replace(**{name: np.copy(getattr(rods, name)) for name in changed})


@kernel((ROD_TYPES, FRAME_TYPES, float64[:, ::1], float64[::1], float64, ROD_TYPES), parallel=True)
def damp_rods(rods, frames, positions, twists, time_step, damped_out):
    """Stiffness and rest for a step that starts at `positions`, where the frames are."""
    # numba drops what a parallel loop writes to a field of a tuple
    lengths_out, stretching_out = damped_out.rest_lengths, damped_out.stretching
    bending_out, twisting_out = damped_out.bending, damped_out.twisting
    curvatures_out, twists_out = damped_out.rest_curvatures, damped_out.rest_twists
    for strand in prange(len(rods.offsets) - 1):
        for point in range(rods.offsets[strand], rods.offsets[strand + 1] - 1):
            _, length = edge_of(positions, point)
            rest, share = rods.rest_lengths[point], rods.damping[point] / time_step
            lengths_out[point] = (rest + share * length) / (1.0 + share)
            stretching_out[point] = rods.stretching[point] * (1.0 + share) * lengths_out[point] / rest
        for vertex in range(rods.offsets[strand] + 1, rods.offsets[strand + 1] - 1):
            first, second, twist = vertex_strains(frames, positions, twists, vertex)
            share = rods.damping[vertex] / time_step
            curvatures_out[vertex, 0] = (rods.rest_curvatures[vertex, 0] + share * first) / (1.0 + share)
            curvatures_out[vertex, 1] = (rods.rest_curvatures[vertex, 1] + share * second) / (1.0 + share)
            twists_out[vertex] = (rods.rest_twists[vertex] + share * twist) / (1.0 + share)
            bending_out[vertex, 0] = rods.bending[vertex, 0] * (1.0 + share)
            bending_out[vertex, 1] = rods.bending[vertex, 1] * (1.0 + share)
            twisting_out[vertex] = rods.twisting[vertex] * (1.0 + share)
