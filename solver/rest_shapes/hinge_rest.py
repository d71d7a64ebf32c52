"""Rest angles of hinges from the moments that they must have."""

import numba
import numpy as np

from ..energies.hinge_bending import (
    FIELDS,
    HingeBending,
    hinge_angle,
    hinge_angle_gradient,
    hinge_bending_hessian,
)
from ..energies.law import HESSIANS, MATRICES, NUMBERS, VECTORS, put_vector
from ..energies.tetrahedron import four_corners
from ..jit_cache import kernel, tuple_of
from .element_stresses import ElementStatics, Recovery

MOST_BENDING = 0.75 * np.pi  # [rad]; of a hinge against its rest angle


@kernel((tuple_of(*FIELDS), VECTORS, NUMBERS, MATRICES), parallel=True)
def put_angles(elements, positions, angles_out, gradients_out):
    """Angles (e,) [rad] of hinges and their derivatives by the corners (e, 4, 3) [1/m]."""
    for e in numba.prange(len(elements.nodes)):
        corners = four_corners(positions, elements.nodes, e)
        angles_out[e] = hinge_angle(corners)
        gradient = hinge_angle_gradient(corners)
        for corner in range(4):
            put_vector(gradients_out[e], corner, gradient[corner])


@kernel((tuple_of(*FIELDS), VECTORS, HESSIANS), parallel=True)
def put_angle_hessians(elements, positions, hessians_out):
    """∇θ ∇θᵀ + ∇²θ of hinges (e, 4, 4, 3, 3) [1/m²]: the Hessian of one with stiffness and moment 1."""
    for e in numba.prange(len(elements.nodes)):
        corners = four_corners(positions, elements.nodes, e)
        hinge_bending_hessian(corners, hinge_angle(corners) - 1.0, 1.0, hessians_out[e])


class HingeRest:
    can_stiffen = True

    def stiffened(self, law: HingeBending, factor) -> HingeBending:
        return HingeBending(law.elements._replace(stiffness=factor * law.elements.stiffness))

    def statics(self, law: HingeBending, positions) -> ElementStatics:
        angles, gradients = _angles(law, positions)
        stiffness = law.elements.stiffness
        stresses = stiffness * (angles - law.elements.rest_angles)
        return ElementStatics(gradients[:, None], stiffness[:, None, None], stresses[:, None])

    def with_stresses(self, law: HingeBending, positions, stresses) -> Recovery:
        stiffness = law.elements.stiffness
        bent = np.divide(stresses[:, 0], stiffness, out=np.zeros_like(stiffness), where=stiffness > 0.0)
        kept = np.clip(bent, -MOST_BENDING, MOST_BENDING)
        rest_angles = _angles(law, positions)[0] - kept
        found = HingeBending(law.elements._replace(rest_angles=rest_angles))
        return Recovery(found, (stiffness * kept)[:, None], np.flatnonzero(kept != bent))

    def stress_stiffness(self, law: HingeBending, positions, stresses) -> np.ndarray:
        hessians = np.zeros((len(law.nodes), 4, 4, 3, 3))
        put_angle_hessians(law.elements, positions, hessians)
        _, gradients = _angles(law, positions)
        hessians -= np.einsum("eix,ejy->eijxy", gradients, gradients)
        return stresses[:, 0, None, None, None, None] * hessians


def _angles(law, positions):
    angles, gradients = np.zeros(len(law.nodes)), np.zeros((len(law.nodes), 4, 3))
    put_angles(law.elements, positions, angles, gradients)
    return angles, gradients
