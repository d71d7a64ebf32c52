"""Rest shapes of membrane triangles from the stress that they must have.

The rest shape is stretched in the weave by a symmetric U⁻¹, so that the deformation gradient F becomes F U, and the
warp keeps its direction. The forces stay those of the stress S₀ on the area A₀ that was asked for if
U S U / det U = S₀ with S = C : ½ (U Fᵀ F U − 1), which Newton's method solves (docs/theory/sag_free.md, equation 6).
"""

import numpy as np

from ..energies.membrane import Membrane
from .element_stresses import ElementStatics, Recovery

MOST_ITERATIONS = 30
EXACT = 1e-14  # of the moduli: rounding
ENOUGH = 1e-9  # of the moduli: what is left of the stress where iterations end
LONGEST_STEP = 0.2
MOST_STRETCH = 2.0  # of the rest shape, either way
BASIS = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])  # of U


class MembraneRest:
    can_stiffen = False

    def stiffened(self, law: Membrane, factor) -> Membrane:
        return law

    def statics(self, law: Membrane, positions) -> ElementStatics:
        elements = law.elements
        columns = _columns(elements, positions)
        weights = _weights(elements)
        gradients = np.stack(
            [
                np.einsum("ei,ex->eix", weights[:, :, 0], columns[:, :, 0]),
                np.einsum("ei,ex->eix", weights[:, :, 1], columns[:, :, 1]),
                np.einsum("ei,ex->eix", weights[:, :, 1], columns[:, :, 0])
                + np.einsum("ei,ex->eix", weights[:, :, 0], columns[:, :, 1]),
            ],
            axis=1,
        )
        stiffness = elements.areas[:, None, None] * _moduli(elements)
        stresses = np.einsum("est,et->es", stiffness, _strains(columns.swapaxes(1, 2) @ columns))
        return ElementStatics(gradients, stiffness, stresses)

    def with_stresses(self, law: Membrane, positions, stresses) -> Recovery:
        elements = law.elements
        is_solid = elements.areas > 0.0
        columns = _columns(elements, positions)[is_solid]
        wanted = stresses[is_solid] / elements.areas[is_solid, None]
        stretches, is_limited = _stretches(columns.swapaxes(1, 2) @ columns, _moduli(elements)[is_solid], wanted)
        rest_inverses, areas = elements.rest_inverses.copy(), elements.areas.copy()
        rest_inverses[is_solid] = rest_inverses[is_solid] @ stretches
        areas[is_solid] /= np.linalg.det(stretches)
        found = Membrane(elements._replace(rest_inverses=rest_inverses, areas=areas))
        limited = np.flatnonzero(is_solid)[is_limited]
        achieved = stresses.copy()
        achieved[limited] = self.statics(law, positions).stresses[limited]
        return Recovery(found, achieved, limited)

    def stress_stiffness(self, law: Membrane, positions, stresses) -> np.ndarray:
        weights = _weights(law.elements)
        return np.einsum("eia,eab,ejb,xy->eijxy", weights, _matrix(stresses), weights, np.eye(3), optimize=True)


def _columns(elements, positions):
    """F (e, 3, 2)."""
    corners = positions[elements.nodes]
    return (corners[:, 1:] - corners[:, :1]).swapaxes(1, 2) @ elements.rest_inverses


def _weights(elements):
    """Gradients of the corners' weights along warp and weft (e, 3, 2) [1/m]."""
    return np.concatenate([-elements.rest_inverses.sum(axis=1, keepdims=True), elements.rest_inverses], axis=1)


def _moduli(elements):
    """C (e, 3, 3) [N/m], for strains along warp, along weft, and the change of their angle."""
    warp, weft, coupling, shear = elements.moduli.T
    matrices = np.zeros((len(warp), 3, 3))
    matrices[:, 0, 0], matrices[:, 1, 1], matrices[:, 2, 2] = warp, weft, shear
    matrices[:, 0, 1] = matrices[:, 1, 0] = coupling
    return matrices


def _strains(metrics):
    """Green's strains (e, 3) of metrics FᵀF (e, 2, 2)."""
    return np.stack([0.5 * (metrics[:, 0, 0] - 1.0), 0.5 * (metrics[:, 1, 1] - 1.0), metrics[:, 0, 1]], axis=1)


def _stretches(metrics, moduli, stresses):
    """U (e, 2, 2), and the elements (e,) for which none was found: theirs is the identity."""
    numbers = np.tile([1.0, 1.0, 0.0], (len(metrics), 1))
    scale = np.abs(moduli).max(axis=(1, 2), initial=0.0)
    left = np.zeros(len(metrics))
    for _ in range(MOST_ITERATIONS):
        residual, slopes = _residual(np.einsum("eb,bij->eij", numbers, BASIS), metrics, moduli, stresses)
        left = np.abs(residual).max(axis=1, initial=0.0) / scale
        if (left <= EXACT).all():
            break
        numbers -= np.clip(_solved(slopes, residual), -LONGEST_STEP, LONGEST_STEP)
    stretches = np.einsum("eb,bij->eij", numbers, BASIS)
    principal = np.linalg.eigvalsh(stretches)
    is_limited = ~((left <= ENOUGH) & (principal[:, 0] > 1.0 / MOST_STRETCH) & (principal[:, 1] < MOST_STRETCH))
    stretches[is_limited] = np.eye(2)
    return stretches, is_limited


def _residual(stretches, metrics, moduli, stresses):
    """U S U / det U − S₀ (e, 3) [N/m], and its derivatives by the numbers of U (e, 3, 3)."""
    stress = _matrix(np.einsum("est,et->es", moduli, _strains(stretches @ metrics @ stretches)))
    shrinking = 1.0 / np.linalg.det(stretches)[:, None, None]
    pulled = shrinking * (stretches @ stress @ stretches)
    inverses = np.linalg.inv(stretches)
    slopes = np.zeros((len(stretches), 3, 3))
    for column, change in enumerate(BASIS):
        half = change @ metrics @ stretches
        changed = _matrix(np.einsum("est,et->es", moduli, _strains(half + half.swapaxes(1, 2) + np.eye(2))))
        turned = change @ stress @ stretches
        slope = shrinking * (turned + turned.swapaxes(1, 2) + stretches @ changed @ stretches)
        growth = np.trace(inverses @ change, axis1=1, axis2=2)
        slopes[:, :, column] = _numbers(slope - growth[:, None, None] * pulled)
    return _numbers(pulled) - stresses, slopes


def _solved(slopes, residual):
    """Newton's step; a little of the diagonal keeps it finite where the stress has a fold."""
    size = np.abs(slopes).max(axis=(1, 2), initial=0.0)
    return np.linalg.solve(slopes + 1e-12 * size[:, None, None] * np.eye(3), residual[:, :, None])[:, :, 0]


def _matrix(numbers):
    """Symmetric matrices (e, 2, 2) of their entries 11, 22, 12 (e, 3)."""
    return numbers[:, [0, 2, 2, 1]].reshape(-1, 2, 2)


def _numbers(matrices):
    return np.stack([matrices[:, 0, 0], matrices[:, 1, 1], matrices[:, 0, 1]], axis=1)
