"""The projection for contacts whose relative velocity is any linear function of the unknowns.

As in projection.py, but the answer of a contact to its own impulse, J_c W⁻¹ J_cᵀ, is a matrix.
"""

import numpy as np
import scipy.sparse as sparse
from numba import float64, int32, int64

from ..jit_cache import compiled, kernel
from .local_law import solve_local
from .problem import AXES, FrictionProblem


class GeneralProjection:
    """Contacts of a problem, with the impulses found so far."""

    def __init__(self, problem: FrictionProblem, weights: np.ndarray):
        """Unknowns have weights w > 0 (n,) [kg]."""
        jacobian = problem.J
        self.offsets = jacobian.indptr.astype(np.int32)
        self.columns = jacobian.indices.astype(np.int32)
        self.values = jacobian.data
        self.problem, self.softness = problem, 1.0 / weights
        self.impulses = np.zeros((problem.contact_count, AXES))
        scaled = sparse.csr_array(jacobian @ sparse.diags_array(np.sqrt(self.softness)))
        parts = [scaled[axis::AXES] for axis in range(AXES)]
        pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
        self.local = np.stack([np.asarray(parts[i].multiply(parts[j]).sum(axis=1)).ravel() for i, j in pairs], 1)
        self.local[:, [0, 3, 5]] += problem.compliance[:, None]

    def project(self, velocities: np.ndarray, sweeps: int, sleep_below: float = 0.0) -> None:
        """Velocities (n, 1) of the unknowns, in place."""
        del sleep_below  # for problems of their own, which are small
        acting = self.impulses.copy()
        acting[:, 0] -= self.problem.cohesion
        velocities[:, 0] += self.softness * (self.problem.J.T @ acting.ravel())
        sweep_contacts(
            *(self.offsets, self.columns, self.values, self.softness, self.local, self.problem.k, self.problem.mu),
            *(self.problem.compliance, sweeps, self.impulses, velocities),
        )


@kernel(
    (int32[::1], int32[::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1], float64[::1])
    + (float64[::1], int64, float64[:, ::1], float64[:, ::1])
)
def sweep_contacts(
    offsets, columns, values, softness, local, given, friction, compliance, sweeps, impulses_out, velocities_out
):
    for _ in range(sweeps):
        for contact in range(len(friction)):
            old = impulses_out[contact, 0], impulses_out[contact, 1], impulses_out[contact, 2]
            w = _entries(local, contact)
            n, s, t = _velocity(offsets, columns, values, given, contact, velocities_out)
            # Compliance, which `local` includes, gives way with the impulse; without the impulse the rest is free.
            free = (
                n + compliance[contact] * old[0] - (w[0] * old[0] + w[1] * old[1] + w[2] * old[2]),
                s + compliance[contact] * old[1] - (w[1] * old[0] + w[3] * old[1] + w[4] * old[2]),
                t + compliance[contact] * old[2] - (w[2] * old[0] + w[4] * old[1] + w[5] * old[2]),
            )
            new = solve_local(w, free, friction[contact])
            for axis in range(3):
                impulses_out[contact, axis] = new[axis]
                change = new[axis] - old[axis]
                for place in range(offsets[3 * contact + axis], offsets[3 * contact + axis + 1]):
                    velocities_out[columns[place], 0] += softness[columns[place]] * values[place] * change


@compiled
def _entries(local, contact):
    a, b, c = local[contact, 0], local[contact, 1], local[contact, 2]
    return a, b, c, local[contact, 3], local[contact, 4], local[contact, 5]


@compiled
def _velocity(offsets, columns, values, given, contact, velocities):
    """J_c v + k_c."""
    n, s, t = given[contact, 0], given[contact, 1], given[contact, 2]
    for place in range(offsets[3 * contact], offsets[3 * contact + 1]):
        n += values[place] * velocities[columns[place], 0]
    for place in range(offsets[3 * contact + 1], offsets[3 * contact + 2]):
        s += values[place] * velocities[columns[place], 0]
    for place in range(offsets[3 * contact + 2], offsets[3 * contact + 3]):
        t += values[place] * velocities[columns[place], 0]
    return n, s, t
