"""Constants and deformation of linear tetrahedra (docs/theory/solids.md, 1 to 3)."""

from typing import NamedTuple

import numpy as np

from ..jit_cache import compiled
from ..linear_algebra.matrix3 import matrix_add3, outer3
from ..linear_algebra.vector3 import add3, row3, scale3, sub3
from .law import INDEX_ROWS, MATRICES, NUMBERS, element_rows, per_element

# Of the cube of the longest edge: a flatter rest shape has no reliable inverse, and its element no stiffness.
FLAT = 1e-12


class TetrahedronElements(NamedTuple):
    nodes: np.ndarray  # corners                                                  (e, 4) int32
    rest_inverses: np.ndarray  # rows: gradients of the weights of corners 1, 2, 3 (e, 3, 3) [1/m]
    volumes: np.ndarray  # at rest                                                (e,) [m³]
    shear_moduli: np.ndarray  # Lamé's μ                                          (e,) [Pa]
    first_moduli: np.ndarray  # Lamé's λ                                          (e,) [Pa]


TETRAHEDRA = (TetrahedronElements, INDEX_ROWS, MATRICES, NUMBERS, NUMBERS, NUMBERS)  # for signatures


def tetrahedron_elements(tetrahedra, rest_positions, youngs_modulus, poisson_ratio) -> TetrahedronElements:
    """Tetrahedra (e, 4) of rest positions (n, 3) [m], Young's modulus [Pa] and Poisson's ratio.

    Either orientation of a tetrahedron will do. A flat one has no volume and no forces.
    """
    nodes = element_rows(tetrahedra, 4)
    rest_inverses, volumes = rest_shapes(nodes, rest_positions)
    shear_moduli, first_moduli = lame_moduli(youngs_modulus, poisson_ratio)
    count = len(nodes)
    return TetrahedronElements(
        nodes, rest_inverses, volumes, per_element(shear_moduli, count), per_element(first_moduli, count)
    )


def lame_moduli(youngs_modulus, poisson_ratio):
    """Lamé's μ = E / (2 (1 + ν)) and λ = E ν / ((1 + ν) (1 − 2 ν)) [Pa]."""
    youngs_modulus, poisson_ratio = np.asarray(youngs_modulus, float), np.asarray(poisson_ratio, float)
    shear = 0.5 * youngs_modulus / (1.0 + poisson_ratio)
    return shear, 2.0 * shear * poisson_ratio / (1.0 - 2.0 * poisson_ratio)


def rest_shapes(nodes, rest_positions):
    """Inverse edge matrices (e, 3, 3) [1/m] and volumes (e,) [m³]; both zero for flat tetrahedra."""
    corners = np.asarray(rest_positions, float)[nodes]
    edges = (corners[:, 1:] - corners[:, :1]).swapaxes(1, 2)  # columns
    determinants = np.linalg.det(edges)
    longest = np.sqrt((edges**2).sum(axis=1)).max(axis=1, initial=0.0)
    is_solid = np.abs(determinants) > FLAT * longest**3
    inverses = np.zeros_like(edges)
    inverses[is_solid] = np.linalg.inv(edges[is_solid])
    return np.ascontiguousarray(inverses), np.where(is_solid, np.abs(determinants) / 6.0, 0.0)


@compiled
def four_corners(positions, nodes, element):
    return (
        row3(positions, nodes[element, 0]),
        row3(positions, nodes[element, 1]),
        row3(positions, nodes[element, 2]),
        row3(positions, nodes[element, 3]),
    )


@compiled
def deformation_gradient(corners, rest_inverse):
    """F = Σ (xᵢ − x₀) bᵢᵀ with the rows bᵢ of the rest inverse: rest edges to present ones."""
    first, second, third = sub3(corners[1], corners[0]), sub3(corners[2], corners[0]), sub3(corners[3], corners[0])
    f = matrix_add3(outer3(first, rest_inverse[0]), outer3(second, rest_inverse[1]))
    return matrix_add3(f, outer3(third, rest_inverse[2]))


@compiled
def weight_gradients(rest_inverse):
    """Gradients bᵢ of the barycentric weights of all four corners [1/m]; they add up to zero."""
    first, second, third = rest_inverse
    return scale3(-1.0, add3(add3(first, second), third)), first, second, third
