"""Air that blows across a sheet: drag and lift of its triangles (docs/theory/air.md, equations 12 to 15).

A triangle of area A with the normal n feels ½ ρ C A |w| w n, with w = n·(u − v) the speed of the air across it; along
it the air slips. At the start of each step this is linearised in the velocity, and its resistance taken implicitly:
while a node moves by d, the force on it is p − K d, with the energy ½ dᵀ K d − pᵀ d.
"""

from typing import NamedTuple

import numba
import numpy as np

from ..energies.law import (
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
from ..jit_cache import compiled, kernel, tuple_of
from ..linear_algebra.block_matrix import gather_nodes
from ..linear_algebra.matrix3 import matrix3_at, matrix_vector3
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, row3, scale3, sub3

AIR_DENSITY = 1.2  # ρ [kg/m³], at 20 °C and sea level


class DragElements(NamedTuple):
    """Nodes that the air pulls, during one step."""

    nodes: np.ndarray  #                                      (e, 1) int32
    starts: np.ndarray  # where they are as the step starts   (e, 3) [m]
    pulls: np.ndarray  # p, the force if they stayed there    (e, 3) [N]
    stiffness: np.ndarray  # K, by which it lessens           (e, 3, 3) [N/m]


class Sheets(NamedTuple):
    """All triangles that feel the air."""

    triangles: np.ndarray  #                                        (t, 3) int32
    coefficients: np.ndarray  # of drag, C                          (t,)
    offsets: np.ndarray  # first corner of each node, and the end   (e + 1,) int32
    corners: np.ndarray  # of each node: triangle · 3 + place       (3 t,) int32


FIELDS = (DragElements, INDEX_ROWS, VECTORS, VECTORS, MATRICES)
INTEGERS = numba.types.int32[::1]
SHEETS = tuple_of(Sheets, INDEX_ROWS, NUMBERS, INTEGERS, INTEGERS)


@compiled
def node_offset(elements, positions, e):
    return sub3(row3(positions, elements.nodes[e, 0]), row3(elements.starts, e))


@kernel(energies_signature(*FIELDS), parallel=True)
def drag_energies(elements, positions, energies_out):
    for e in numba.prange(len(elements.nodes)):
        offset = node_offset(elements, positions, e)
        resisted = matrix_vector3(matrix3_at(elements.stiffness, e), offset)
        energies_out[e] = 0.5 * dot3(offset, resisted) - dot3(row3(elements.pulls, e), offset)


@kernel(derivatives_signature(*FIELDS), parallel=True)
def drag_derivatives(elements, positions, gradients_out, hessians_out):
    for e in numba.prange(len(elements.nodes)):
        stiffness = matrix3_at(elements.stiffness, e)
        resisted = matrix_vector3(stiffness, node_offset(elements, positions, e))
        put_vector(gradients_out[e], 0, sub3(resisted, row3(elements.pulls, e)))
        put_block(hessians_out[e], 0, 0, stiffness)


@compiled
def triangle_mean(vectors, triangles, t):
    total = add3(row3(vectors, triangles[t, 0]), row3(vectors, triangles[t, 1]))
    return scale3(1.0 / 3.0, add3(total, row3(vectors, triangles[t, 2])))


@kernel((SHEETS, VECTORS, VECTORS, VECTORS, VECTORS, NUMBERS, NUMBERS), parallel=True)
def blow_across(sheets, positions, velocities, air, normals_out, speeds_out, resistances_out):
    """Normals of the triangles, the speed w of the air along them [m/s], and ρ C |w| A/3 [kg/s] (equation 13)."""
    triangles = sheets.triangles
    for t in numba.prange(len(triangles)):
        first = row3(positions, triangles[t, 0])
        sides = sub3(row3(positions, triangles[t, 1]), first), sub3(row3(positions, triangles[t, 2]), first)
        across = cross3(sides[0], sides[1])
        twice_area = norm3(across)
        normal = scale3(1.0 / twice_area if twice_area > 0.0 else 0.0, across)  # no area, no force
        against = sub3(triangle_mean(air, triangles, t), triangle_mean(velocities, triangles, t))
        speed = dot3(normal, against)
        put_vector(normals_out, t, normal)
        speeds_out[t] = speed
        resistances_out[t] = AIR_DENSITY * sheets.coefficients[t] * abs(speed) * twice_area / 6.0


@kernel((SHEETS, VECTORS, NUMBERS, NUMBERS, VECTORS, VECTORS, numba.types.float64, tuple_of(*FIELDS)), parallel=True)
def linearize_drag(sheets, normals, speeds, resistances, positions, velocities, time_step, elements_out):
    """p and K of each node from the triangles around it (equations 14 and 15)."""
    starts, pulls, stiffness = elements_out.starts, elements_out.pulls, elements_out.stiffness
    for e in numba.prange(len(elements_out.nodes)):
        node = elements_out.nodes[e, 0]
        velocity, pull = row3(velocities, node), (0.0, 0.0, 0.0)
        stiffness[e] = 0.0
        for place in range(sheets.offsets[e], sheets.offsets[e + 1]):
            t = sheets.corners[place] // 3
            normal = row3(normals, t)
            pull = add3(pull, scale3(resistances[t] * (0.5 * speeds[t] + dot3(normal, velocity)), normal))
            for i in range(3):
                for j in range(3):
                    stiffness[e, i, j] += resistances[t] / time_step * normal[i] * normal[j]
        put_vector(starts, e, row3(positions, node))
        put_vector(pulls, e, pull)


class SurfaceDrag(ElementLaw):
    """The air on sheets. Before each step `start_step` writes the elements anew."""

    is_of_sheets = True
    energies_kernel = drag_energies
    derivatives_kernel = drag_derivatives

    def __init__(self, triangles, coefficients):
        """Triangles (t, 3) and their coefficients of drag (t,)."""
        rows = element_rows(triangles, 3)
        nodes, places = np.unique(rows, return_inverse=True)
        count = len(nodes)
        starts, pulls = np.zeros((2, count, 3))
        super().__init__(DragElements(element_rows(nodes, 1), starts, pulls, np.zeros((count, 3, 3))))
        offsets, corners = gather_nodes(count, places.reshape(rows.shape))
        self.sheets = Sheets(rows, per_element(coefficients, len(rows)), offsets, corners)

    def moved(self, first):
        return SurfaceDrag(self.sheets.triangles + first, self.sheets.coefficients)

    def start_step(self, positions, velocities, air, time_step: float) -> None:
        """Positions [m] and velocities [m/s] of the nodes as the step starts, and of the air there, all (n, 3)."""
        count = len(self.sheets.triangles)
        normals, speeds, resistances = np.empty((count, 3)), np.empty(count), np.empty(count)
        blow_across(self.sheets, positions, velocities, air, normals, speeds, resistances)
        linearize_drag(self.sheets, normals, speeds, resistances, positions, velocities, time_step, self.elements)
