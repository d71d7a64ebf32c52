"""Every law whose elements stand alone, with shapes to try it on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stiction.solver.energies import (
    affine_rigidity,
    corotated,
    fixed_corotated,
    frame_solid,
    hinge_bending,
    membrane,
    neo_hookean,
    spring,
)
from stiction.solver.energies.law import Law
from stiction.solver.energies.solid_densities import THRESHOLD
from stiction.solver.energies.tetrahedron import lame_moduli, rest_shapes, tetrahedron_elements
from stiction.solver.linear_algebra.svd3 import svd3

SPRING = np.array([(0, 0, 0), (0.7, 0.4, 0.3)])
TRIANGLE = np.array([(0, 0, 0), (1, 0.1, 0), (0.3, 0.8, 0.2)])
HINGE = np.array([(0, 0, 0), (1, 0, 0), (0.4, 0.9, 0.2), (0.6, -0.8, 0.1)])
TETRAHEDRON = np.array([(0, 0, 0), (1, 0.1, 0), (0.2, 0.9, 0.1), (0.1, 0.3, 0.8)])
TWO_FRAMES = np.concatenate([TETRAHEDRON, 1.2 * TETRAHEDRON + [0.1, 0.2, -0.1]])


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


@dataclass(frozen=True)
class FrameCase(LawCase):
    """A cell between two frames; its exact Hessian is that of a unit tetrahedron with the same deformation gradient."""

    solid: LawCase  # the same law for tetrahedra

    def principal(self, law, element, corners):
        """Singular value decomposition of the deformation gradient, and the number and moduli of the law."""
        nodes = np.arange(len(self.rest), dtype=np.int32)
        gradients = law.elements.weight_gradients[element]
        deformation = frame_solid.frame_deformation_gradient(np.asarray(corners, float), nodes, gradients)
        return svd3(deformation), *(row[element] for row in (law.elements.laws, *law.elements[3:5]))

    def energy(self, law, element, corners):
        (_, stretches, _), number, mu, lam = self.principal(law, element, corners)
        return law.elements.volumes[element] * frame_solid.solid_density(number, stretches, mu, lam)

    def gradient(self, law, element, corners):
        (u, stretches, v), number, mu, lam = self.principal(law, element, corners)
        stress, _ = frame_solid.solid_response(number, stretches, mu, lam)
        force = law.elements.volumes[element] * (np.array(u) * stress) @ np.array(v).T
        return law.elements.weight_gradients[element] @ force.T

    def unit_tetrahedron(self, law, element, corners):
        """Corners of a unit tetrahedron under the element's deformation gradient, and the constants of its law."""
        gradients = law.elements.weight_gradients[element]
        deformation = (np.asarray(corners, float) - corners[0]).T @ gradients
        numbers = [float(getattr(law.elements, name)[element]) for name in ("volumes", "shear_moduli", "first_moduli")]
        numbers += [THRESHOLD] if self.solid.name == "neo_hookean" else []
        return np.concatenate([np.zeros((1, 3)), deformation.T]), (tuples(np.eye(3)), *numbers)

    def hessian(self, law, element, corners):
        gradients = law.elements.weight_gradients[element]
        corners, numbers = self.unit_tetrahedron(law, element, corners)
        blocks = np.zeros((4, 4, 3, 3))
        self.solid.function("hessian")(tuples(corners), *numbers, blocks)
        return matrices(np.einsum("ir,rsab,js->ijab", gradients, blocks[1:, 1:], gradients)[None])[0]


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


def make_frame_solid(solid_law):
    def make(nodes, rest, stiffness):
        gradients, volumes = cells_between_frames(nodes, rest)
        moduli = lame_moduli(stiffness, 0.4)
        elements = frame_solid.frame_solid_elements(nodes, gradients, volumes, *moduli, solid_law)
        return frame_solid.FrameSolid(elements)

    return make


def cells_between_frames(nodes, rest):
    """Gradients (e, 8, 3) of the weights of two frames' nodes in a tetrahedron between them, and its volume (e,)."""
    first, second = rest[nodes[:, :4]], rest[nodes[:, 4:]]
    corners = 0.5 * (first + second)
    blend = np.array([0.9, 0.6, 0.3, 0.2])[None, :, None]
    weights = np.concatenate([blend * barycentric(first, corners), (1 - blend) * barycentric(second, corners)], axis=2)
    inverses, volumes = rest_shapes(np.arange(4 * len(nodes)).reshape(-1, 4), corners.reshape(-1, 3))
    slopes = np.concatenate([-inverses.sum(axis=1, keepdims=True), inverses], axis=1)
    return np.einsum("ecj,ecx->ejx", weights, slopes), volumes


def barycentric(nodes, points):
    """Weights (e, p, 4) of points (e, p, 3) in four nodes (e, 4, 3)."""
    edges = (nodes[:, 1:] - nodes[:, :1]).swapaxes(1, 2)
    inner = np.einsum("eij,epj->epi", np.linalg.pinv(edges), points - nodes[:, :1])
    return np.concatenate([1.0 - inner.sum(axis=2, keepdims=True), inner], axis=2)


CASES = [
    LawCase("membrane", TRIANGLE, make_membrane, membrane),
    LawCase("hinge_bending", HINGE, make_hinge_bending, hinge_bending),
    LawCase("spring", SPRING, make_spring, spring),
    LawCase("corotated", TETRAHEDRON, make_corotated, corotated),
    LawCase("fixed_corotated", TETRAHEDRON, make_fixed_corotated, fixed_corotated),
    LawCase("neo_hookean", TETRAHEDRON, make_neo_hookean, neo_hookean),
    LawCase("affine_rigidity", TETRAHEDRON, make_affine_rigidity, affine_rigidity),
]
FRAME_CASES = [
    FrameCase(f"frame_{case.name}", TWO_FRAMES, make_frame_solid(case.name), frame_solid, case) for case in CASES[3:6]
]
CASES += FRAME_CASES
SOLIDS = [case for case in CASES if case.rest is TETRAHEDRON]
