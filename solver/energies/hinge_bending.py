"""Bending of cloth at the edges between triangles: discrete shells [Grinspun et al. 2003].

E = ½ B (θ − θ̄)² with the angle θ between the normals of two triangles, and B = D |e|² / (A₁ + A₂) from the flexural
rigidity D [N m] of the sheet, the length |e| of the edge and the areas of its triangles at rest.

This is Grinspun's weight 3 |e|² / (A₁ + A₂) times D/6, so that a sheet bent to a cylinder of curvature κ holds ½ D κ² a
square metre. On a grid of right triangles bent lengthwise only the edges across it open, by κ Δx. In an equilateral
mesh the three families of edges open by h κ (1/3 + 2/3 cos 2φ), whose squares add up to (h κ)² at any angle φ to the
axis: it is an isotropic plate (of Poisson's ratio −1/3). Other meshes are stiffer or softer askew to their edges.

The angle lies in (−π, π] and its difference is not wrapped: cloth that passes ±π has passed through itself.
"""

import math
from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.matrix3 import cross_matrix3, matrix_add3, matrix_scale3, outer3, vector_matrix3
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, scale3, sub3
from .law import (
    INDEX_ROWS,
    NUMBERS,
    ElementLaw,
    derivatives_signature,
    element_rows,
    energies_signature,
    per_element,
    put_block,
    put_vector,
)
from .tetrahedron import four_corners

THIN = 1e-5  # height to length of a triangle that passes for degenerate: there a hinge goes limp, not infinitely stiff
VANISHING = 1e-300  # against division by zero where all corners coincide


class HingeBendingElements(NamedTuple):
    nodes: np.ndarray  # ends of the edge, then the opposite corners          (e, 4) int32
    rest_angles: np.ndarray  # positive where the normals diverge, as on a ridge (e,) [rad]
    stiffness: np.ndarray  # B = D |e|² / (A₁ + A₂)                           (e,) [J]


FIELDS = (HingeBendingElements, INDEX_ROWS, NUMBERS, NUMBERS)


def hinge_bending_elements(hinge_nodes, rest_positions, rigidity, rest_angles=None) -> HingeBendingElements:
    """Hinges (e, 4) as `find_hinges` gives them, rest positions (n, 3) [m], and flexural rigidity D [N m].

    Rest angles [rad] are those of the rest positions unless given (0 for cloth that wants to be flat). A hinge at a
    degenerate triangle has no stiffness.
    """
    nodes = element_rows(hinge_nodes, 4)
    corners = np.asarray(rest_positions, float)[nodes]
    edges, wings = corners[:, 1] - corners[:, 0], corners[:, 2:] - corners[:, :1]
    normals = np.cross(edges[:, None], wings * [[[1.0], [-1.0]]])
    areas = 0.5 * np.linalg.norm(normals, axis=2)
    squares = (edges**2).sum(axis=1)
    is_hinge = (areas > THIN * (squares[:, None] + (wings**2).sum(axis=2))).all(axis=1)
    stiffness = np.divide(squares, areas.sum(axis=1), out=np.zeros_like(squares), where=is_hinge)
    if rest_angles is None:
        rest_angles = _angles(edges, wings, normals)
    return HingeBendingElements(
        nodes, per_element(rest_angles, len(nodes)), per_element(rigidity, len(nodes)) * stiffness
    )


def _angles(edges, wings, normals):
    sines = -np.linalg.norm(edges, axis=1) * (normals[:, 0] * wings[:, 1]).sum(axis=1)
    return np.arctan2(sines, (normals[:, 0] * normals[:, 1]).sum(axis=1))


@compiled
def hinge_bending_energy(corners, rest_angle, stiffness):
    """Energy [J] of the two ends of an edge and the two opposite corners."""
    difference = hinge_angle(corners) - rest_angle
    return 0.5 * stiffness * difference * difference


@compiled
def hinge_bending_gradient(corners, rest_angle, stiffness):
    """Derivative by the four corners [N]."""
    moment = stiffness * (hinge_angle(corners) - rest_angle)
    first, second, third, fourth = hinge_angle_gradient(corners)
    return scale3(moment, first), scale3(moment, second), scale3(moment, third), scale3(moment, fourth)


@compiled
def hinge_bending_hessian(corners, rest_angle, stiffness, hessian_out):
    """Exact second derivative (4, 4, 3, 3) [N/m]: B (∇θ ∇θᵀ + (θ − θ̄) ∇²θ)."""
    hinge_bending_projected_hessian(hinge_angle_gradient(corners), stiffness, hessian_out)
    moment = stiffness * (hinge_angle(corners) - rest_angle)
    _add_side_hessian(corners, 2, 1.0, moment, hessian_out)
    _add_side_hessian(corners, 3, -1.0, moment, hessian_out)


@compiled
def hinge_bending_projected_hessian(angle_gradient, stiffness, hessian_out):
    """B ∇θ ∇θᵀ (Gauss-Newton): exact at the rest angle, positive semi-definite anywhere."""
    for i in range(4):
        row = scale3(stiffness, angle_gradient[i])
        for j in range(i + 1):
            put_block(hessian_out, i, j, outer3(row, angle_gradient[j]))


@compiled
def hinge_angle(corners):
    """Angle between the normals n₁ = e × w₁ and n₂ = w₂ × e, from sin ∝ −|e| n₁·w₂ and cos ∝ n₁·n₂ [rad]."""
    edge, first, second = _edge_and_wings(corners)
    normal = cross3(edge, first)
    return math.atan2(-norm3(edge) * dot3(normal, second), dot3(normal, cross3(second, edge)))


@compiled
def hinge_angle_gradient(corners):
    """∇θ [1/m] by the four corners [Bridson, Marino, Fedkiw 2003; Tamstorf & Grinspun 2013, equation 5].

    An opposite corner tilts its triangle by −n/(|n| height); the ends of the edge share the reaction as a lever does.
    """
    edge, first, second = _edge_and_wings(corners)
    length = norm3(edge)
    direction = scale3(1.0 / max(length, VANISHING), edge)
    tilt1, tilt2 = _tilt(edge, first, 1.0), _tilt(edge, second, -1.0)
    lever1, lever2 = dot3(first, direction), dot3(second, direction)
    start = add3(scale3(length - lever1, tilt1), scale3(length - lever2, tilt2))
    end = add3(scale3(lever1, tilt1), scale3(lever2, tilt2))
    return start, end, scale3(-length, tilt1), scale3(-length, tilt2)


@compiled
def _edge_and_wings(corners):
    return sub3(corners[1], corners[0]), sub3(corners[2], corners[0]), sub3(corners[3], corners[0])


@compiled
def _tilt(edge, wing, sign):
    """n/|n|² with n = ± edge × wing [1/m²]; nearly degenerate triangles are taken for wider ones."""
    normal = cross3(edge, wing)
    thin = THIN * (dot3(edge, edge) + dot3(wing, wing))
    return scale3(sign / max(dot3(normal, normal), thin * thin, VANISHING), normal)


@compiled
def _add_side_hessian(corners, wing_node, sign, moment, hessian_out):
    """Add moment · ∂(aᵢ m)/∂xⱼ of one triangle, with levers a = (|e| − w·t, w·t, −|e|) and tilt m = n/|n|².

    Nodes 0, 1 and the opposite corner; edge e of direction t, wing w, n = ± e × w. Only the sum of both
    triangles is symmetric. [Tamstorf & Grinspun 2013] in another order.
    """
    edge, wing = sub3(corners[1], corners[0]), sub3(corners[wing_node], corners[0])
    length = max(norm3(edge), VANISHING)
    t, m = scale3(1.0 / length, edge), _tilt(edge, wing, sign)
    lever = dot3(wing, t)
    swing = scale3(1.0 / length, sub3(wing, scale3(lever, t)))  # ∂(w·t)/∂e
    nodes = (0, 1, wing_node)
    levers = (length - lever, lever, -length)
    to_minus_edge, to_wing = cross_matrix3(scale3(sign, wing)), cross_matrix3(scale3(sign, edge))
    turns = (matrix_add3(to_minus_edge, matrix_scale3(-1.0, to_wing)), matrix_scale3(-1.0, to_minus_edge), to_wing)
    back = scale3(-1.0, t)
    lever_gradients = (
        (swing, sub3(t, swing), back),
        (sub3(back, swing), swing, t),
        (t, back, (0.0, 0.0, 0.0)),
    )
    for i in range(3):
        for j in range(3):
            block = outer3(m, lever_gradients[i][j])
            block = matrix_add3(block, matrix_scale3(levers[i], _tilt_derivative(m, turns[j])))
            for row in range(3):
                for column in range(3):
                    hessian_out[nodes[i], nodes[j], row, column] += moment * block[row][column]


@compiled
def _tilt_derivative(m, turn):
    """∂(n/|n|²) = (|m|² I − 2 m mᵀ) ∂n, with m = n/|n|² and the derivative ∂n of the normal."""
    reflected = outer3(scale3(-2.0, m), vector_matrix3(m, turn))
    return matrix_add3(matrix_scale3(dot3(m, m), turn), reflected)


@kernel(energies_signature(*FIELDS), parallel=True)
def hinge_bending_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        corners = four_corners(positions, elements.nodes, e)
        energies_out[e] = hinge_bending_energy(corners, elements.rest_angles[e], elements.stiffness[e])


@kernel(derivatives_signature(*FIELDS), parallel=True)
def hinge_bending_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        corners, stiffness = four_corners(positions, elements.nodes, e), elements.stiffness[e]
        angle_gradient = hinge_angle_gradient(corners)
        moment = stiffness * (hinge_angle(corners) - elements.rest_angles[e])
        for corner in range(4):
            put_vector(gradients_out[e], corner, scale3(moment, angle_gradient[corner]))
        hinge_bending_projected_hessian(angle_gradient, stiffness, hessians_out[e])


class HingeBending(ElementLaw):
    """Sheets that resist bending; elements: `hinge_bending_elements`."""

    node_count = 4
    is_of_sheets = True
    elements: HingeBendingElements
    energies_kernel = hinge_bending_energies
    derivatives_kernel = hinge_bending_derivatives
