"""Steps of Krylov methods on the mixed system B y = d (docs/theory/conjugate_residual.md).

Both carry A times their directions along, so that the residual of the dynamics alone is known at all times and a change
of the contacts costs no product with A [Verschoor and Jalba 2019, section 3.5].
"""

from typing import NamedTuple

import numpy as np

from ..linear_algebra.flat_vectors import add_flat
from .contact_rows import ContactRows
from .jacobian_products import DynamicsProduct
from .mixed_preconditioner import MixedPreconditioner
from .mixed_vector import Mixed

BREAKDOWN = 1e-14  # of the product of two lengths: less is no number to divide by
EXHAUSTED = 1e-10  # of the first: Lanczos vectors so short are rounding errors, and the space has no more
HYPERBOLIC = 1e-4  # of the same: a residual so nearly normal to its image would make a step of nearly no length


class MixedState:
    """Velocities, impulses, and what they lack."""

    def __init__(self, rows: ContactRows, forces: np.ndarray, v: np.ndarray):
        """Forces (n,) [kg m/s] without those of contacts; velocities v (n,) to begin with, changed in place."""
        self.rows, self.forces, self.v = rows, forces, v
        self.dynamics = DynamicsProduct(rows.problem)
        self.unconstrained = np.empty_like(v)
        self.residual = Mixed(np.empty_like(v), np.empty_like(rows.multipliers))
        self.refresh()

    def refresh(self) -> None:
        """r_u = f − A v from the velocities themselves, at the cost of a product."""
        self.dynamics.put(self.v, self.unconstrained)
        np.subtract(self.forces, self.unconstrained, out=self.unconstrained)
        self.restart()

    def restart(self) -> None:
        """The residual for rows that have changed; r_u is as it was."""
        np.add(self.unconstrained, self.rows.push(self.rows.impulses), out=self.residual.top)
        self.residual.low[:] = self.rows.residual(self.v)

    def put_product(self, vector: Mixed, product_out: Mixed, forces_out: np.ndarray) -> None:
        """B times a vector, and the part of A in it (n,)."""
        rows = self.rows
        self.dynamics.put(vector.top, forces_out)
        np.add(forces_out, rows.apply_transposed(vector.low), out=product_out.top)
        product_out.low[:] = rows.apply(vector.top) - np.where(rows.active, rows.give * vector.low, 0.0)

    def product(self, vector: Mixed) -> tuple[Mixed, np.ndarray]:
        """The same as new vectors."""
        product, forces = vector.copy(), np.empty_like(vector.top)
        self.put_product(vector, product, forces)
        return product, forces

    def move(self, step: float, direction: Mixed, product: Mixed, forces: np.ndarray) -> None:
        """y += step × direction."""
        add_flat(step, direction.top, self.v)
        self.rows.multipliers = self.rows.multipliers - step * direction.low
        add_flat(-step, forces, self.unconstrained)
        self.residual.add(-step, product)


class Direction(NamedTuple):
    """A direction p, and what it has cost to know."""

    way: Mixed  # p
    image: Mixed  # B p
    forces: np.ndarray  # A times the velocities of p  (n,)
    turned: Mixed  # C⁻¹ B p

    def remove(self, share: float, other: "Direction") -> None:
        """p −= share × the other p."""
        self.way.add(-share, other.way)
        self.image.add(-share, other.image)
        add_flat(-share, other.forces, self.forces)


class ConjugateResidualSteps:
    """Algorithm 1, lines 9 to 21, with a way round the steps of length zero that an indefinite B has.

    Directions are made conjugate to the last two. Where the residual gives no new one, C⁻¹ B p does [Luenberger 1970].
    """

    def __init__(self, state: MixedState, preconditioner: MixedPreconditioner):
        self.state, self.preconditioner = state, preconditioner
        self.z = state.residual.copy()
        self.spare = [_room(state.residual) for _ in range(3)]
        self.past: list[tuple[Direction, float]] = []  # with pᵀ B C⁻¹ B p
        self.begin()

    def begin(self) -> None:
        self.preconditioner.put(self.state.residual, self.z)
        self.spare, self.past = [*self.spare, *(direction for direction, _ in self.past)], []
        self.direction = self.spare[-1]
        self._point(self.z)
        self.slope = self.direction.image.norms()

    def step(self) -> float:
        """One step; returns α, or 0 where there is none to take."""
        way, image, forces, turned = self.direction
        self.preconditioner.put(image, turned)
        curvature = image.dot(turned)
        if not abs(curvature) > BREAKDOWN * np.sqrt(image.dot(image) * turned.dot(turned)):
            return 0.0
        alpha = self.z.dot(image) / curvature
        self.state.move(alpha, way, image, forces)
        self.z.add(-alpha, turned)
        self.spare.pop()
        self.past.insert(0, (self.direction, curvature))
        if len(self.past) > 2:
            self.spare.append(self.past.pop()[0])
        return alpha

    def turn(self) -> None:
        """The next direction, conjugate to those before."""
        self.direction = self.spare[-1]
        self._point(self.z)
        self.slope = self.direction.image.norms()
        lengths = np.sqrt(self.z.dot(self.z)) * np.hypot(*self.slope)
        if not abs(self.z.dot(self.direction.image)) > HYPERBOLIC * lengths:
            self._point(self.past[0][0].turned)
        shares = [self.direction.image.dot(other.turned) / curvature for other, curvature in self.past]
        for share, (other, _) in zip(shares, self.past, strict=True):
            self.direction.remove(share, other)

    def gradient(self) -> tuple[float, float]:
        """Norms of B C⁻¹ r, which vanish where the residual can get no smaller."""
        return self.slope

    def _point(self, way):
        self.direction.way.take(way)
        self.state.put_product(self.direction.way, self.direction.image, self.direction.forces)


def _room(vector):
    return Direction(vector.copy(), vector.copy(), vector.top.copy(), vector.copy())


class MinresSteps:
    """The same by Lanczos vectors and rotations [Paige and Saunders 1975]; the preconditioner is Diag.

    A step takes the direction d = (z − δ d₁ − ε d₂)/γ of three Lanczos vectors, and may well have no length.
    """

    def __init__(self, state: MixedState, preconditioner: MixedPreconditioner):
        self.state, self.preconditioner = state, preconditioner
        self.begin()

    def begin(self) -> None:
        self.vector = self.state.residual.copy()
        self.z = self.preconditioner.of(self.vector)
        self.length = np.sqrt(max(self.vector.dot(self.z), 0.0))
        self.first_length, self.rest, self.before = self.length, self.length, self.vector.scaled(0.0)
        self.rotations = (-1.0, 0.0), (-1.0, 0.0)
        nothing = self.z.scaled(0.0), self.z.scaled(0.0), np.zeros_like(self.z.top)
        self.directions = nothing, nothing
        self.coupling = 0.0  # to the vector before

    def step(self) -> float:
        if not self.length > EXHAUSTED * self.first_length:
            self.begin()
        if not self.length > 0.0:
            return 0.0
        z, vector = self.z.scaled(1.0 / self.length), self.vector.scaled(1.0 / self.length)
        product, forces = self.state.product(z)
        alpha = z.dot(product)
        following = product.plus(-alpha, vector).plus(-self.coupling, self.before)
        following_z = self.preconditioner.of(following)
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
        way = z.plus(-delta, last[0]).plus(-epsilon, older[0]).scaled(1.0 / gamma)
        image = product.plus(-delta, last[1]).plus(-epsilon, older[1]).scaled(1.0 / gamma)
        return way, image, (forces - delta * last[2] - epsilon * older[2]) / gamma

    def turn(self) -> None:
        """Lanczos vectors have gone on already."""

    def gradient(self) -> tuple[float, float]:
        """Norms of B C⁻¹ r, at the cost of a product."""
        return self.state.product(self.preconditioner.of(self.state.residual))[0].norms()
