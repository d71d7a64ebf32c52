"""Steps of Krylov methods on the mixed system B y = d (docs/theory/conjugate_residual.md).

Both carry A times their directions along, so that the residual of the dynamics alone is known at all times and a change
of the contacts costs no product with A [Verschoor and Jalba 2019, section 3.5].
"""

from typing import NamedTuple

import numpy as np

from .contact_rows import ContactRows
from .jacobian_products import DynamicsProduct
from .mixed_preconditioner import MixedPreconditioner

BREAKDOWN = 1e-14  # of the product of two lengths: less is no number to divide by
EXHAUSTED = 1e-10  # of the first: Lanczos vectors so short are rounding errors, and the space has no more
HYPERBOLIC = 1e-4  # of the same: a residual so nearly normal to its image would make a step of nearly no length


class Mixed(NamedTuple):
    """A vector of the mixed system."""

    top: np.ndarray  # (n,)
    low: np.ndarray  # (m, 3)

    def dot(self, other: "Mixed") -> float:
        return float(self.top @ other.top + np.vdot(self.low, other.low))

    def plus(self, factor: float, other: "Mixed") -> "Mixed":
        return Mixed(self.top + factor * other.top, self.low + factor * other.low)


class MixedState:
    """Velocities, impulses, and what they lack."""

    def __init__(self, rows: ContactRows, forces: np.ndarray, v: np.ndarray):
        """Forces (n,) [kg m/s] without those of contacts; velocities v (n,) to begin with."""
        self.rows, self.forces, self.v = rows, forces, v
        self.multiply = DynamicsProduct(rows.problem)
        self.refresh()

    def refresh(self) -> None:
        """r_u = f − A v from the velocities themselves, at the cost of a product."""
        self.unconstrained = self.forces - self.multiply(self.v)
        self.restart()

    def restart(self) -> None:
        """The residual for rows that have changed; r_u is as it was."""
        top = self.unconstrained + self.rows.push(self.rows.impulses)
        self.residual = Mixed(top, self.rows.residual(self.v))

    def product(self, vector: Mixed) -> tuple[Mixed, np.ndarray]:
        """B times a vector, and the part of A in it."""
        forces = self.multiply(vector.top)
        low = self.rows.apply(vector.top) - np.where(self.rows.active, self.rows.give * vector.low, 0.0)
        return Mixed(forces + self.rows.apply_transposed(vector.low), low), forces

    def move(self, step: float, direction: Mixed, product: Mixed, forces: np.ndarray) -> None:
        """y += step × direction."""
        self.v = self.v + step * direction.top
        self.rows.multipliers = self.rows.multipliers - step * direction.low
        self.unconstrained = self.unconstrained - step * forces
        self.residual = self.residual.plus(-step, product)


class Direction(NamedTuple):
    """A direction p, and what it has cost to know."""

    way: Mixed  # p
    image: Mixed  # B p
    forces: np.ndarray  # A times the velocities of p  (n,)

    def without(self, share: float, other: "Direction") -> "Direction":
        return Direction(
            self.way.plus(-share, other.way), self.image.plus(-share, other.image), self.forces - share * other.forces
        )


class ConjugateResidualSteps:
    """Algorithm 1, lines 9 to 21, with a way round the steps of length zero that an indefinite B has.

    Directions are made conjugate to the last two. Where the residual gives no new one, C⁻¹ B p does [Luenberger 1970].
    """

    def __init__(self, state: MixedState, preconditioner: MixedPreconditioner):
        self.state, self.preconditioner = state, preconditioner
        self.begin()

    def begin(self) -> None:
        self.z = Mixed(*self.preconditioner.apply(*self.state.residual))
        self.direction = Direction(self.z, *self.state.product(self.z))
        self.slope = self.direction.image
        self.past: list[tuple[Direction, Mixed, float]] = []  # with C⁻¹ B p, and pᵀ B C⁻¹ B p

    def step(self) -> float:
        """One step; returns α, or 0 where there is none to take."""
        image = self.direction.image
        turned = Mixed(*self.preconditioner.apply(*image))
        curvature = image.dot(turned)
        if not abs(curvature) > BREAKDOWN * np.sqrt(image.dot(image) * turned.dot(turned)):
            return 0.0
        alpha = self.z.dot(image) / curvature
        self.state.move(alpha, *self.direction)
        self.z = self.z.plus(-alpha, turned)
        self.past = [(self.direction, turned, curvature), *self.past[:1]]
        return alpha

    def turn(self) -> None:
        """The next direction, conjugate to those before."""
        candidate = Direction(self.z, *self.state.product(self.z))
        self.slope = candidate.image
        lengths = np.sqrt(self.z.dot(self.z) * self.slope.dot(self.slope))
        if not abs(self.z.dot(self.slope)) > HYPERBOLIC * lengths:
            turned = self.past[0][1]
            candidate = Direction(turned, *self.state.product(turned))
        image = candidate.image
        for direction, turned, curvature in self.past:
            candidate = candidate.without(image.dot(turned) / curvature, direction)
        self.direction = candidate

    def gradient(self) -> Mixed:
        """B C⁻¹ r, which vanishes where the residual can get no smaller."""
        return self.slope


class MinresSteps:
    """The same by Lanczos vectors and rotations [Paige and Saunders 1975]; the preconditioner is Diag.

    A step takes the direction d = (z − δ d₁ − ε d₂)/γ of three Lanczos vectors, and may well have no length.
    """

    def __init__(self, state: MixedState, preconditioner: MixedPreconditioner):
        self.state, self.preconditioner = state, preconditioner
        self.begin()

    def begin(self) -> None:
        self.vector = self.state.residual
        self.z = Mixed(*self.preconditioner.apply(*self.vector))
        self.length = np.sqrt(max(self.vector.dot(self.z), 0.0))
        self.first_length, self.rest, self.before = self.length, self.length, _scaled(0.0, self.vector)
        self.rotations = (-1.0, 0.0), (-1.0, 0.0)
        nothing = _scaled(0.0, self.z), _scaled(0.0, self.z), np.zeros_like(self.z.top)
        self.directions = nothing, nothing
        self.coupling = 0.0  # to the vector before

    def step(self) -> float:
        if not self.length > EXHAUSTED * self.first_length:
            self.begin()
        if not self.length > 0.0:
            return 0.0
        z, vector = _scaled(1.0 / self.length, self.z), _scaled(1.0 / self.length, self.vector)
        product, forces = self.state.product(z)
        alpha = z.dot(product)
        following = product.plus(-alpha, vector).plus(-self.coupling, self.before)
        following_z = Mixed(*self.preconditioner.apply(*following))
        length = np.sqrt(max(following.dot(following_z), 0.0))
        taken = self._rotate(z, product, forces, alpha, length)
        self.before, self.coupling = vector, length
        self.vector, self.z, self.length = following, following_z, length
        return taken

    def _rotate(self, z, product, forces, alpha, length):
        """Entries of the tridiagonal matrix made triangular, and the step along the new direction."""
        (c1, s1), (c2, s2) = self.rotations  # the last, and the one before it
        epsilon, delta_bar = s2 * self.coupling, -c2 * self.coupling
        delta, gamma_bar = c1 * delta_bar + s1 * alpha, s1 * delta_bar - c1 * alpha
        gamma = np.hypot(gamma_bar, length)
        if not gamma > 0.0:
            return 0.0
        c, s = gamma_bar / gamma, length / gamma
        direction = self._direction(z, product, forces, delta, epsilon, gamma)
        step, self.rest = c * self.rest, s * self.rest
        self.state.move(step, *direction)
        self.rotations = (c, s), self.rotations[0]
        self.directions = direction, self.directions[0]
        return 1.0

    def _direction(self, z, product, forces, delta, epsilon, gamma):
        last, older = self.directions
        way = _scaled(1.0 / gamma, z.plus(-delta, last[0]).plus(-epsilon, older[0]))
        image = _scaled(1.0 / gamma, product.plus(-delta, last[1]).plus(-epsilon, older[1]))
        return way, image, (forces - delta * last[2] - epsilon * older[2]) / gamma

    def turn(self) -> None:
        """Lanczos vectors have gone on already."""

    def gradient(self) -> Mixed:
        """B C⁻¹ r, at the cost of a product."""
        return self.state.product(Mixed(*self.preconditioner.apply(*self.state.residual)))[0]


def _scaled(factor, vector):
    return Mixed(factor * vector.top, factor * vector.low)
