"""Every law whose elements stand alone, with shapes to try it on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stiction.solver.energies import (
    affine_rigidity,
    corotated,
    fixed_corotated,
    hinge_bending,
    membrane,
    neo_hookean,
    spring,
)
from stiction.solver.energies.law import Law
from stiction.solver.energies.tetrahedron import tetrahedron_elements

SPRING = np.array([(0, 0, 0), (0.7, 0.4, 0.3)])
TRIANGLE = np.array([(0, 0, 0), (1, 0.1, 0), (0.3, 0.8, 0.2)])
HINGE = np.array([(0, 0, 0), (1, 0, 0), (0.4, 0.9, 0.2), (0.6, -0.8, 0.1)])
TETRAHEDRON = np.array([(0, 0, 0), (1, 0.1, 0), (0.2, 0.9, 0.1), (0.1, 0.3, 0.8)])


@dataclass(frozen=True)
class LawCase:
    name: str
    rest: np.ndarray  # one element of unit size (k, 3)
    make: Callable[[np.ndarray, np.ndarray, float], Law]  # from nodes (e, k), rest positions (n, 3), stiffness
    module: Any

    def function(self, what):
        return getattr(self.module, f"{self.name}_{what}")

    def energy(self, law, element, corners):
        return self.function("energy")(tuples(corners), *constants(law, element))

    def gradient(self, law, element, corners):
        return np.array(self.function("gradient")(tuples(corners), *constants(law, element)))

    def hessian(self, law, element, corners):
        """Exact second derivative (3 k, 3 k)."""
        count = len(self.rest)
        blocks = np.zeros((count, count, 3, 3))
        self.function("hessian")(tuples(corners), *constants(law, element), blocks)
        return matrices(blocks[None])[0]

    def one(self, size=1.0, stiffness=1e3):
        """A law of one element, and its rest positions."""
        rest = size * self.rest
        return self.make(np.arange(len(rest))[None], rest, stiffness), rest


def constants(law, element):
    return tuple(tuples(field[element]) for field in law.elements[1:])


def tuples(array):
    """Arrays as nested tuples of floats, as compiled functions take them."""
    array = np.asarray(array, float)
    return float(array) if array.ndim == 0 else tuple(tuples(row) for row in array)


def matrices(hessians):
    """Element Hessians (e, k, k, 3, 3) as matrices (e, 3 k, 3 k)."""
    count, nodes = hessians.shape[:2]
    return hessians.transpose(0, 1, 3, 2, 4).reshape(count, 3 * nodes, 3 * nodes)


def batch(law, positions):
    """Energies, gradients and Hessians of all elements, from arrays that hold rubbish."""
    count, k = law.nodes.shape
    energies, gradients, hessians = (np.full(shape, np.nan) for shape in ((count,), (count, k, 3), (count, k, k, 3, 3)))
    law.energies(positions, energies)
    law.derivatives(positions, gradients, hessians)
    return energies, gradients, hessians


def make_membrane(nodes, rest, stiffness):
    coordinates = membrane.flat_coordinates(nodes, rest, (1.0, 0.5, 0.0))
    return membrane.Membrane(
        membrane.membrane_elements(nodes, coordinates, stiffness, 0.5 * stiffness, 0.3 * stiffness, 0.3)
    )


def make_spring(nodes, rest, stiffness):
    return spring.Spring(spring.spring_elements(nodes, spring.rest_lengths(nodes, rest), stiffness))


def make_hinge_bending(nodes, rest, stiffness):
    return hinge_bending.HingeBending(hinge_bending.hinge_bending_elements(nodes, rest, stiffness))


def make_affine_rigidity(nodes, rest, stiffness):
    elements = affine_rigidity.affine_rigidity_elements(nodes, rest, 0.2, stiffness)
    return affine_rigidity.AffineRigidity(elements)


def make_neo_hookean(nodes, rest, stiffness):
    return neo_hookean.NeoHookean(neo_hookean.neo_hookean_elements(nodes, rest, stiffness, 0.4))


def make_corotated(nodes, rest, stiffness):
    return corotated.Corotated(tetrahedron_elements(nodes, rest, stiffness, 0.4))


def make_fixed_corotated(nodes, rest, stiffness):
    return fixed_corotated.FixedCorotated(tetrahedron_elements(nodes, rest, stiffness, 0.4))


CASES = [
    LawCase("membrane", TRIANGLE, make_membrane, membrane),
    LawCase("hinge_bending", HINGE, make_hinge_bending, hinge_bending),
    LawCase("spring", SPRING, make_spring, spring),
    LawCase("corotated", TETRAHEDRON, make_corotated, corotated),
    LawCase("fixed_corotated", TETRAHEDRON, make_fixed_corotated, fixed_corotated),
    LawCase("neo_hookean", TETRAHEDRON, make_neo_hookean, neo_hookean),
    LawCase("affine_rigidity", TETRAHEDRON, make_affine_rigidity, affine_rigidity),
]
SOLIDS = [case for case in CASES if case.rest is TETRAHEDRON]
