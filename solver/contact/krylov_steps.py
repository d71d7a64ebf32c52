"""Steps of Krylov methods on the mixed system B y = d (docs/theory/conjugate_residual.md).

Residuals differ by the impulses of contacts from those of the dynamics alone, so that a change of the contacts costs no
product with A [Verschoor and Jalba 2019, section 3.5].
"""

from typing import NamedTuple

import numpy as np

from .contact_rows import ContactRows
from .mixed_kernels import (
    CHUNK,
    move_along,
    put_step_products,
    put_turn_products,
    remove_shares,
)
from .mixed_preconditioner import MixedPreconditioner
from .mixed_vector import Mixed, mixed_zeros, norms_of

BREAKDOWN = 1e-14  # of the product of two lengths: less is no number to divide by
EXHAUSTED = 1e-10  # of the first: Lanczos vectors so short are rounding errors, and the space has no more
HYPERBOLIC = 1e-4  # of the same: a residual so nearly normal to its image would make a step of nearly no length
LANES = 4  # of each sum


class MixedState:
    """Velocities, impulses, and what they lack."""

    def __init__(self, rows: ContactRows, solution: Mixed, forces: np.ndarray):
        """Velocities and multipliers to begin with, changed in place; forces (n,) [kg m/s] without contacts'."""
        self.rows, self.solution, self.forces = rows, solution, forces
        self.residual = mixed_zeros(len(solution.top), len(solution.low))

    @property
    def v(self) -> np.ndarray:
        """Velocities (n,) [m/s]."""
        return self.solution.top

    def refresh(self) -> None:
        """The residual from the velocities themselves, at the cost of a product."""
        top = self.residual.top
        self.rows.problem.dynamics.put(self.solution.flat, top)
        np.subtract(self.forces, top, out=top)
        self.restart(self.rows.impulses)

    def restart(self, change: np.ndarray) -> None:
        """The residual for rows that have changed, and impulses that have changed by so much (m, 3)."""
        self.rows.products.add_push(change, self.residual.top)
        self.rows.put_residual(self.v, self.residual.low)

    def put_product(self, vector: Mixed, product_out: Mixed) -> None:
        """B times a vector."""
        self.rows.problem.dynamics.put(vector.flat, product_out.top)
        self.rows.products.add_image(vector, self.rows.rows.give, product_out)

    def product(self, vector: Mixed) -> Mixed:
        """The same as a new vector."""
        product = mixed_zeros(len(vector.top), len(vector.low))
        self.put_product(vector, product)
        return product

    def move(self, step: float, direction: Mixed, product: Mixed) -> None:
        """y += step × direction."""
        self.solution.add(step, direction)
        self.residual.add(-step, product)


class Direction(NamedTuple):
    """A direction p, and what it has cost to know."""

    way: Mixed  # p
    image: Mixed  # B p
    turned: Mixed  # C⁻¹ B p


class ConjugateResidualSteps:
    """Algorithm 1, lines 9 to 21, with a way round the steps of length zero that an indefinite B has.

    Directions are made conjugate to the last two. Where the residual gives no new one, C⁻¹ B p does [Luenberger 1970].
    """

    def __init__(self, state: MixedState, preconditioner: MixedPreconditioner):
        self.state, self.preconditioner = state, preconditioner
        self.z = state.residual.copy()
        self.spare = [Direction(*(state.residual.copy() for _ in range(3))) for _ in range(3)]
        self.past: list[tuple[Direction, float]] = []  # with pᵀ B C⁻¹ B p
        self.norms = np.inf, np.inf  # of the residual
        self.slope = np.inf, np.inf  # and of B C⁻¹ r

    def begin(self) -> None:
        """From the state's residual, as if there had been no directions."""
        self.norms = self.state.residual.norms()
        self.preconditioner.put(self.state.residual, self.z)
        self.spare, self.past = [*self.spare, *(direction for direction, _ in self.past)], []
        self.turn()

    def step(self) -> float:
        """One step; returns α, or 0 where there is none to take."""
        way, image, turned = self.direction
        self.preconditioner.put(image, turned)
        sums = self._sums(4)
        put_step_products(self.z.flat, image.flat, turned.flat, sums.ravel())
        slope, curvature, first, second = sums.sum(axis=(0, 2))
        if not abs(curvature) > BREAKDOWN * np.sqrt(first * second):
            return 0.0
        alpha, squares = slope / curvature, self._sums(1)
        state = self.state.solution.flat, self.state.residual.flat, self.z.flat
        move_along(alpha, way.flat, image.flat, turned.flat, *state, squares.ravel())
        self.norms = norms_of(squares, way.top_chunks)
        self.spare.pop()
        self.past.insert(0, (self.direction, curvature))
        if len(self.past) > 2:
            self.spare.append(self.past.pop()[0])
        return alpha

    def turn(self) -> None:
        """The next direction, conjugate to those before."""
        self.direction = self.spare[-1]
        sums = self._point(self.z)
        self.slope = norms_of(sums[:, 2], self.z.top_chunks)
        both, *squares = sums.sum(axis=(0, 2))[:3]
        base = self.z
        if self.past and not abs(both) > HYPERBOLIC * np.sqrt(squares[0] * squares[1]):
            base = self.past[0][0].turned
            sums = self._point(base)
        shares = [share / curvature for share, (_, curvature) in zip(sums.sum(axis=(0, 2))[3:], self.past)]
        self._conjugate(base, shares)

    def gradient(self) -> tuple[float, float]:
        """Norms of B C⁻¹ r, which vanish where the residual can get no smaller."""
        return self.slope

    def _point(self, way):
        """B times a way, and the sums that tell what of it is new."""
        image, sums = self.direction.image, self._sums(5)
        self.state.put_product(way, image)
        last, older = self._last_two(way)
        put_turn_products(way.flat, image.flat, last.turned.flat, older.turned.flat, sums.ravel())
        return sums

    def _conjugate(self, base, shares):
        way, image, _ = self.direction
        last, older = self._last_two(base)
        first, second = [*shares, 0.0, 0.0][:2]
        remove_shares(first, second, base.flat, last.way.flat, older.way.flat, way.flat)
        if self.past:
            remove_shares(first, second, image.flat, last.image.flat, older.image.flat, image.flat)

    def _last_two(self, filler):
        """The directions before; where there are fewer, what counts nothing takes their place."""
        found = [direction for direction, _ in self.past]
        return [*found, *[Direction(filler, filler, filler)] * 2][:2]

    def _sums(self, count):
        return np.empty((len(self.z.flat) // CHUNK, count, LANES))


class MinresSteps:
    """The same by Lanczos vectors and rotations [Paige and Saunders 1975]; the preconditioner is Diag.

    A step takes the direction d = (z − δ d₁ − ε d₂)/γ of three Lanczos vectors, and may well have no length.
    """

    def __init__(self, state: MixedState, preconditioner: MixedPreconditioner):
        self.state, self.preconditioner = state, preconditioner
        self.norms = np.inf, np.inf  # of the residual

    def begin(self) -> None:
        self.vector = self.state.residual.copy()
        self.z = self.preconditioner.of(self.vector)
        self.length = np.sqrt(max(self.vector.dot(self.z), 0.0))
        self.first_length, self.rest, self.before = self.length, self.length, self.vector.scaled(0.0)
        self.rotations = (-1.0, 0.0), (-1.0, 0.0)
        self.norms = self.state.residual.norms()
        nothing = self.z.scaled(0.0), self.z.scaled(0.0)
        self.directions = nothing, nothing
        self.coupling = 0.0  # to the vector before

    def step(self) -> float:
        if not self.length > EXHAUSTED * self.first_length:
            self.begin()
        if not self.length > 0.0:
            return 0.0
        z, vector = self.z.scaled(1.0 / self.length), self.vector.scaled(1.0 / self.length)
        product = self.state.product(z)
        alpha = z.dot(product)
        following = product.plus(-alpha, vector).plus(-self.coupling, self.before)
        following_z = self.preconditioner.of(following)
        length = np.sqrt(max(following.dot(following_z), 0.0))
        taken = self._rotate(z, product, alpha, length)
        self.before, self.coupling = vector, length
        self.vector, self.z, self.length = following, following_z, length
        return taken

    def _rotate(self, z, product, alpha, length):
        """Entries of the tridiagonal matrix made triangular, and the step along the new direction."""
        (c1, s1), (c2, s2) = self.rotations  # the last, and the one before it
        epsilon, delta_bar = s2 * self.coupling, -c2 * self.coupling
        delta, gamma_bar = c1 * delta_bar + s1 * alpha, s1 * delta_bar - c1 * alpha
        gamma = np.hypot(gamma_bar, length)
        if not gamma > EXHAUSTED:  # of a matrix that is scaled to about one: there is nothing to be made smaller
            return 0.0
        c, s = gamma_bar / gamma, length / gamma
        direction = self._direction(z, product, delta, epsilon, gamma)
        step, self.rest = c * self.rest, s * self.rest
        self.state.move(step, *direction)
        self.norms = self.state.residual.norms()
        self.rotations = (c, s), self.rotations[0]
        self.directions = direction, self.directions[0]
        return 1.0

    def _direction(self, z, product, delta, epsilon, gamma):
        last, older = self.directions
        way = z.plus(-delta, last[0]).plus(-epsilon, older[0]).scaled(1.0 / gamma)
        image = product.plus(-delta, last[1]).plus(-epsilon, older[1]).scaled(1.0 / gamma)
        return way, image

    def turn(self) -> None:
        """Lanczos vectors have gone on already."""

    def gradient(self) -> tuple[float, float]:
        """Norms of B C⁻¹ r, at the cost of a product."""
        return self.state.product(self.preconditioner.of(self.state.residual)).norms()
