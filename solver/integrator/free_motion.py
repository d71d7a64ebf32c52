"""Nodes under inertia, gravity and moving air, each by itself."""

from ..jit_cache import kernel
from ..model import Model


def advance_free_nodes(model: Model, time_step, first, positions_out, velocities_out):
    """Implicit Euler for the free nodes from `first` on, in place.

    v⁺ = (v + Δt (g + γ w)) / (1 + Δt γ),  x⁺ = x + Δt v⁺
    with gravity g, air velocity w and drag rate γ.
    """
    _advance_free_nodes(
        *(time_step, first, model.is_free, model.air_drag, model.gravity, model.wind), positions_out, velocities_out
    )


@kernel(
    "void(float64, int64, boolean[::1], float64[::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1])"
)
def _advance_free_nodes(time_step, first, is_free, air_drag, gravity, wind, positions_out, velocities_out):
    for node in range(first, len(positions_out)):
        if not is_free[node]:
            continue
        drag = air_drag[node]
        for axis in range(3):
            pushed = velocities_out[node, axis] + time_step * (gravity[axis] + drag * wind[axis])
            velocities_out[node, axis] = pushed / (1.0 + time_step * drag)
            positions_out[node, axis] += time_step * velocities_out[node, axis]
