"""Rest shapes of isotropic tetrahedra from the stress that they must have.

The stress in the present shape and the stretch from the rest shape have the same axes: with the principal stresses t
the stretches u solve uᵢ ∂ψ/∂uᵢ / (u₀ u₁ u₂) = tᵢ, by Newton's method in ln u on whatever the law is
(docs/theory/sag_free.md, equation 7).
"""

import numpy as np

from ..energies.law import ElementLaw
from ..energies.tetrahedron import rest_shapes
from .element_stresses import ElementStatics, Recovery

MOST_ITERATIONS = 25
EXACT = 1e-13  # of the moduli: rounding
ENOUGH = 1e-9  # of the moduli: what is left of the stress where iterations end
LONGEST_STEP = 0.1  # of ln u
MOST_STRETCH = 2.0  # either way
LOST = 2.0 * np.log(MOST_STRETCH)  # from such ln u there is no way back
DIFFERENCE = 1e-5  # of ln u, in the derivatives of the stress
PAIRS = ((1, 2), (0, 2), (0, 1))  # axes of the shears


class TetrahedronRest:
    """For laws whose elements have rest inverses, volumes and Lamé's moduli."""

    can_stiffen = True

    def stiffened(self, law: ElementLaw, factor) -> ElementLaw:
        shear, first = factor * law.elements.shear_moduli, factor * law.elements.first_moduli
        return type(law)(law.elements._replace(shear_moduli=shear, first_moduli=first))

    def statics(self, law: ElementLaw, positions) -> ElementStatics:
        """Strains are those of the present shape: along the axes, and the changes of their angles."""
        inverses, volumes = rest_shapes(law.nodes, positions)
        weights = _weights(inverses)
        gradients = np.zeros((len(weights), 6, 4, 3))
        for axis in range(3):
            gradients[:, axis, :, axis] = weights[:, :, axis]
        for shear, (a, b) in enumerate(PAIRS):
            gradients[:, 3 + shear, :, a], gradients[:, 3 + shear, :, b] = weights[:, :, b], weights[:, :, a]
        stresses = _numbers(_stress(law, positions)) * volumes[:, None]
        return ElementStatics(gradients, volumes[:, None, None] * _moduli(law), stresses)

    def with_stresses(self, law: ElementLaw, positions, stresses) -> Recovery:
        _, volumes = rest_shapes(law.nodes, positions)
        is_solid = (volumes > 0.0) & (law.elements.volumes > 0.0)
        wanted = np.divide(stresses, volumes[:, None], out=np.zeros_like(stresses), where=is_solid[:, None])
        principal, axes = np.linalg.eigh(_matrices(wanted))
        logs, left = _log_stretches(law, positions, principal, axes)
        is_found = is_solid & (left <= ENOUGH) & (np.abs(logs) < np.log(MOST_STRETCH)).all(axis=1)
        limited = np.flatnonzero(is_solid & ~is_found)
        achieved = stresses.copy()
        achieved[limited] = self.statics(law, positions).stresses[limited]
        return Recovery(_mixed(law, _stretched(law, positions, logs, axes), is_found), achieved, limited)

    def stress_stiffness(self, law: ElementLaw, positions, stresses) -> np.ndarray:
        weights = _weights(rest_shapes(law.nodes, positions)[0])
        return np.einsum("eia,eab,ejb,xy->eijxy", weights, _matrices(stresses), weights, np.eye(3), optimize=True)


def _log_stretches(law, positions, principal, axes):
    """ln u (e, 3) of principal stresses (e, 3) [Pa] along axes (e, 3, 3), and what is left over by the moduli."""
    scale = 2.0 * law.elements.shear_moduli + law.elements.first_moduli
    logs, left = np.zeros_like(principal), np.full(len(principal), np.inf)
    rows = np.arange(len(principal))  # of elements that are not done
    for _ in range(MOST_ITERATIONS):
        part = type(law)(type(law.elements)(*(field[rows] for field in law.elements)))
        residual, step = _newton_step(part, positions, logs[rows], axes[rows], principal[rows])
        before, left[rows] = left[rows], np.abs(residual).max(axis=1, initial=0.0) / scale[rows]
        is_open = (left[rows] > EXACT) & ((left[rows] < before) | (left[rows] > ENOUGH))
        is_open &= (np.abs(logs[rows]) < LOST).all(axis=1)
        rows = rows[is_open]
        logs[rows] -= np.clip(step[is_open], -LONGEST_STEP, LONGEST_STEP)
        if not len(rows):
            break
    return logs, left


def _newton_step(law, positions, logs, axes, principal):
    """The stress beyond the principal stresses (e, 3) [Pa], and the change of ln u (e, 3) that it asks for."""
    residual = _principal_stress(law, positions, logs, axes) - principal
    slopes = np.zeros((len(logs), 3, 3))
    for axis in range(3):
        step = DIFFERENCE * np.eye(3)[axis]
        after, before = (_principal_stress(law, positions, logs + sign * step, axes) for sign in (1.0, -1.0))
        slopes[:, :, axis] = (after - before) / (2.0 * DIFFERENCE)
    slopes += 1e-12 * law.elements.shear_moduli[:, None, None] * np.eye(3)  # keeps the step finite at a fold
    return residual, np.linalg.solve(slopes, residual[:, :, None])[:, :, 0]


def _principal_stress(law, positions, logs, axes):
    stress = _stress(_stretched(law, positions, logs, axes), positions)
    return np.einsum("exa,exy,eya->ea", axes, stress, axes)


def _stretched(law, positions, logs, axes):
    """The law with rest shapes from which stretches along axes lead to the present shape."""
    inverses, volumes = rest_shapes(law.nodes, positions)
    stretches = np.einsum("exa,ea,eya->exy", axes, np.exp(logs), axes)
    rest_inverses = np.ascontiguousarray(inverses @ stretches)
    return type(law)(law.elements._replace(rest_inverses=rest_inverses, volumes=volumes * np.exp(-logs.sum(axis=1))))


def _mixed(law, new_law, is_new):
    """Some elements of one law, the others of another."""
    old, new = law.elements, new_law.elements
    return type(law)(
        old._replace(
            rest_inverses=np.where(is_new[:, None, None], new.rest_inverses, old.rest_inverses),
            volumes=np.where(is_new, new.volumes, old.volumes),
        )
    )


def _stress(law, positions):
    """Of the present shape (e, 3, 3) [Pa]: Σ fᵢ (xᵢ − x₀)ᵀ over the volume."""
    _, volumes = rest_shapes(law.nodes, positions)
    gradients, hessians = np.zeros((len(volumes), 4, 3)), np.zeros((len(volumes), 4, 4, 3, 3))
    law.derivatives(positions, gradients, hessians)
    corners = positions[law.nodes]
    virial = np.einsum("eix,eiy->exy", gradients[:, 1:], corners[:, 1:] - corners[:, :1])
    virial = 0.5 * (virial + virial.swapaxes(1, 2))
    return np.divide(virial, volumes[:, None, None], out=np.zeros_like(virial), where=volumes[:, None, None] > 0.0)


def _weights(inverses):
    """Gradients of the weights of all four corners (e, 4, 3) [1/m]."""
    return np.concatenate([-inverses.sum(axis=1, keepdims=True), inverses], axis=1)


def _moduli(law):
    """Of an isotropic solid at small strains (e, 6, 6) [Pa]."""
    shear, first = law.elements.shear_moduli, law.elements.first_moduli
    moduli = np.zeros((len(shear), 6, 6))
    moduli[:, :3, :3] = first[:, None, None] + 2.0 * shear[:, None, None] * np.eye(3)
    moduli[:, 3:, 3:] = shear[:, None, None] * np.eye(3)
    return moduli


def _matrices(numbers):
    """Symmetric matrices (e, 3, 3) of their diagonal and their shears (e, 6)."""
    return numbers[:, [[0, 5, 4], [5, 1, 3], [4, 3, 2]]]


def _numbers(matrices):
    return np.concatenate(
        [np.diagonal(matrices, axis1=1, axis2=2), np.stack([matrices[:, a, b] for a, b in PAIRS], axis=1)], axis=1
    )
