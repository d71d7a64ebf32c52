"""In-plane stretching and shearing of cloth: orthotropic St Venant-Kirchhoff triangles.

E = A (½ C₁₁ ε₁² + C₁₂ ε₁ ε₂ + ½ C₂₂ ε₂² + ½ G γ²) with rest area A and Green strains of the warp and weft directions,
ε₁ = ½ (f₁·f₁ − 1), ε₂ = ½ (f₂·f₂ − 1), γ = f₁·f₂; f₁ and f₂ are the columns of the deformation gradient.
Moduli are those of the sheet, Young's modulus times thickness [N/m].
"""

import math
from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import diagonal3, matrix_add3, outer3
from ..linear_algebra.vector3 import add3, dot3, row3, scale3, sub3
from .law import (
    INDEX_ROWS,
    MATRICES,
    NUMBERS,
    VECTORS,
    ElementLaw,
    derivatives_signature,
    element_rows,
    energies_signature,
    per_element,
    put_block,
    put_vector,
)

# Of the square of the longest edge: a thinner rest triangle has no reliable inverse, and no stiffness.
FLAT = 1e-10


class MembraneElements(NamedTuple):
    nodes: np.ndarray  # corners of the triangles                                            (e, 3) int32
    rest_inverses: np.ndarray  # rows: gradients of the weights of corners 1, 2 by warp, weft (e, 2, 2) [1/m]
    areas: np.ndarray  # at rest                                                             (e,) [m²]
    moduli: np.ndarray  # C₁₁ warp, C₂₂ weft, C₁₂ coupling, G shear                          (e, 4) [N/m]


FIELDS = (MembraneElements, INDEX_ROWS, MATRICES, NUMBERS, VECTORS)


def membrane_elements(triangles, rest_coordinates, warp, weft, shear, poisson_ratio) -> MembraneElements:
    """Triangles (e, 3) with rest coordinates (e, 3, 2) [m] along warp and weft, as in a sewing pattern.

    Moduli of warp, weft and shear [N/m]. Poisson's ratio is the geometric mean of the two that an orthotropic sheet
    has, so that any value below 1 is stable: a pull along the warp narrows the weft by ν √(warp/weft).
    """
    nodes = element_rows(triangles, 3)
    rest_inverses, areas = _rest_shapes(np.asarray(rest_coordinates, float).reshape(-1, 3, 2))
    warp, weft, shear, poisson_ratio = (per_element(value, len(nodes)) for value in (warp, weft, shear, poisson_ratio))
    stiffening = 1.0 / (1.0 - poisson_ratio**2)
    coupling = poisson_ratio * np.sqrt(warp * weft) * stiffening
    moduli = np.column_stack([warp * stiffening, weft * stiffening, coupling, shear])
    return MembraneElements(nodes, rest_inverses, areas, np.ascontiguousarray(moduli))


def flat_coordinates(triangles, rest_positions, warp_direction=(1.0, 0.0, 0.0)) -> np.ndarray:
    """Rest coordinates (e, 3, 2) of triangles in space, each in its own plane, the warp along a direction.

    The direction, one (3,) or one a triangle (e, 3), is laid into the plane; where it is normal to it, the first
    edge is the warp.
    """
    corners = np.asarray(rest_positions, float)[element_rows(triangles, 3)]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normals = _unit_rows(np.cross(first, second))
    warps = np.broadcast_to(np.asarray(warp_direction, float), first.shape)
    laid = warps - (warps * normals).sum(axis=1, keepdims=True) * normals
    is_normal = np.linalg.norm(laid, axis=1) <= 1e-6 * np.linalg.norm(warps, axis=1)
    laid = _unit_rows(np.where(is_normal[:, None], first, laid))
    axes = np.stack([laid, np.cross(normals, laid)], axis=1)
    return np.einsum("eac,eic->eia", axes, corners - corners[:, :1])


def _unit_rows(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)


def _rest_shapes(coordinates):
    """Inverse edge matrices (e, 2, 2) [1/m] and areas (e,) [m²]; both zero for thin triangles."""
    edges = (coordinates[:, 1:] - coordinates[:, :1]).swapaxes(1, 2)  # columns
    determinants = np.linalg.det(edges)
    longest_square = (edges**2).sum(axis=1).max(axis=1, initial=0.0)
    is_triangle = np.abs(determinants) > FLAT * longest_square
    inverses = np.zeros_like(edges)
    inverses[is_triangle] = np.linalg.inv(edges[is_triangle])
    return np.ascontiguousarray(inverses), np.where(is_triangle, 0.5 * np.abs(determinants), 0.0)


@compiled
def membrane_energy(corners, rest_inverse, area, moduli):
    """Energy [J] of three corners."""
    warp, weft = membrane_columns(corners, rest_inverse)
    strain = membrane_strain(warp, weft)
    stress = membrane_stress(strain, moduli)
    return 0.5 * area * dot3(stress, strain)


@compiled
def membrane_gradient(corners, rest_inverse, area, moduli):
    """Derivative by the three corners [N]: A F S bᵢ."""
    warp, weft = membrane_columns(corners, rest_inverse)
    stress = scale3(area, membrane_stress(membrane_strain(warp, weft), moduli))
    along_warp = add3(scale3(stress[0], warp), scale3(stress[2], weft))
    along_weft = add3(scale3(stress[2], warp), scale3(stress[1], weft))
    second = add3(scale3(rest_inverse[0][0], along_warp), scale3(rest_inverse[0][1], along_weft))
    third = add3(scale3(rest_inverse[1][0], along_warp), scale3(rest_inverse[1][1], along_weft))
    return scale3(-1.0, add3(second, third)), second, third


@compiled
def membrane_hessian(corners, rest_inverse, area, moduli, hessian_out):
    """Exact second derivative (3, 3, 3, 3) [N/m]."""
    warp, weft = membrane_columns(corners, rest_inverse)
    stress = membrane_stress(membrane_strain(warp, weft), moduli)
    put_membrane_hessian(warp, weft, rest_inverse, area, moduli, stress, hessian_out)


@compiled
def membrane_projected_hessian(corners, rest_inverse, area, moduli, hessian_out):
    """The same without compressive stress, whose geometric stiffness is the negative one."""
    warp, weft = membrane_columns(corners, rest_inverse)
    stress = positive_part2(membrane_stress(membrane_strain(warp, weft), moduli))
    put_membrane_hessian(warp, weft, rest_inverse, area, moduli, stress, hessian_out)


@compiled
def put_membrane_hessian(warp, weft, rest_inverse, area, moduli, stress, hessian_out):
    """Blocks of all pairs of corners, from their weights' gradients by warp and weft."""
    first, second = rest_inverse
    weights = (-first[0] - second[0], -first[1] - second[1]), first, second
    for i in range(3):
        scaled = area * weights[i][0], area * weights[i][1]
        for j in range(i + 1):
            put_block(hessian_out, i, j, membrane_block(scaled, weights[j], warp, weft, moduli, stress))


@compiled
def membrane_block(b, c, f, g, moduli, stress):
    """Σ bᵃ cᵇ ∂(F S)ᵃ/∂Fᵇ for the columns F = (f, g) and the gradients b and c of two corners' weights [N/m].

    Four dyads of f and g from the moduli, and the identity from the stress S.
    """
    ff = moduli[0] * b[0] * c[0] + moduli[3] * b[1] * c[1]
    fg = moduli[2] * b[0] * c[1] + moduli[3] * b[1] * c[0]
    gf = moduli[2] * b[1] * c[0] + moduli[3] * b[0] * c[1]
    gg = moduli[1] * b[1] * c[1] + moduli[3] * b[0] * c[0]
    tension = stress[0] * b[0] * c[0] + stress[1] * b[1] * c[1] + stress[2] * (b[0] * c[1] + b[1] * c[0])
    of_f, of_g = add3(scale3(ff, f), scale3(fg, g)), add3(scale3(gf, f), scale3(gg, g))
    dyads = matrix_add3(outer3(f, of_f), outer3(g, of_g))
    return matrix_add3(dyads, diagonal3((tension, tension, tension)))


@compiled
def membrane_columns(corners, rest_inverse):
    """The columns of F = [x₁ − x₀, x₂ − x₀] rest_inverse: where one metre of warp and of weft goes."""
    first, second = sub3(corners[1], corners[0]), sub3(corners[2], corners[0])
    warp = add3(scale3(rest_inverse[0][0], first), scale3(rest_inverse[1][0], second))
    weft = add3(scale3(rest_inverse[0][1], first), scale3(rest_inverse[1][1], second))
    return warp, weft


@compiled
def membrane_strain(warp, weft):
    return 0.5 * (dot3(warp, warp) - 1.0), 0.5 * (dot3(weft, weft) - 1.0), dot3(warp, weft)


@compiled
def membrane_stress(strain, moduli):
    """Second Piola-Kirchhoff stress of the sheet: warp, weft, shear [N/m]."""
    return (
        moduli[0] * strain[0] + moduli[2] * strain[1],
        moduli[2] * strain[0] + moduli[1] * strain[1],
        moduli[3] * strain[2],
    )


@compiled
def positive_part2(stress):
    """The symmetric matrix [p, r; r, q], given as (p, q, r), with negative eigenvalues replaced by zero."""
    p, q, r = stress
    mean, radius = 0.5 * (p + q), math.sqrt(0.25 * (p - q) ** 2 + r * r)
    if mean >= radius:
        return stress
    if mean + radius <= 0.0:
        return 0.0, 0.0, 0.0
    # One eigenvalue is positive: keep it times its projector, (stress − smaller) / (larger − smaller).
    kept = (mean + radius) / (2.0 * radius)
    smaller = mean - radius
    return kept * (p - smaller), kept * (q - smaller), kept * r


@compiled
def _constants(elements, e):
    """Rest inverse, area and moduli of one element."""
    inverses, moduli = elements.rest_inverses, elements.moduli
    rest_inverse = (inverses[e, 0, 0], inverses[e, 0, 1]), (inverses[e, 1, 0], inverses[e, 1, 1])
    return rest_inverse, elements.areas[e], (moduli[e, 0], moduli[e, 1], moduli[e, 2], moduli[e, 3])


@compiled
def three_corners(positions, nodes, element):
    first, second = row3(positions, nodes[element, 0]), row3(positions, nodes[element, 1])
    return first, second, row3(positions, nodes[element, 2])


@kernel(energies_signature(*FIELDS), parallel=True)
def membrane_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        rest_inverse, area, moduli = _constants(elements, e)
        energies_out[e] = membrane_energy(three_corners(positions, elements.nodes, e), rest_inverse, area, moduli)


@kernel(derivatives_signature(*FIELDS), parallel=True)
def membrane_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        corners = three_corners(positions, elements.nodes, e)
        rest_inverse, area, moduli = _constants(elements, e)
        gradients = membrane_gradient(corners, rest_inverse, area, moduli)
        for corner in range(3):
            put_vector(gradients_out[e], corner, gradients[corner])
        membrane_projected_hessian(corners, rest_inverse, area, moduli, hessians_out[e])


class Membrane(ElementLaw):
    """Woven or isotropic sheets; elements: `membrane_elements`."""

    node_count = 3
    is_of_sheets = True
    elements: MembraneElements
    energies_kernel = membrane_energies
    derivatives_kernel = membrane_derivatives
