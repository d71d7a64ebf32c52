"""Contacts as rows of a mixed system, by their states (docs/theory/conjugate_residual.md).

The unknowns are velocities v and multipliers y = −x, with the impulses x along the rows. An open contact has no rows, a
sticking one all three, a sliding one its normal and one across its sliding; friction along the sliding is given.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int8, prange

from ..jit_cache import compiled, kernel, tuple_of
from .coulomb_law import OPEN, SLIP, STICK
from .mixed_problem import MixedProblem
from .problem import AXES
from .residuals import TINY

SMALLEST = 1e-100  # impulse for a speed [kg], so that nothing overflows
NEGLIGIBLE = 1e-12  # friction that turns no sliding: the row across would only divide by nearly nothing
NUMBERS, ROWS, FRAMES = float64[::1], float64[:, ::1], float64[:, :, ::1]


class ContactLaws(NamedTuple):
    """What does not change with the states."""

    own: np.ndarray  # J_c D⁻¹ J_cᵀ with A's diagonal D      (m, 3, 3) [1/kg]
    given: np.ndarray  # k                                   (m, 3) [m/s]
    friction: np.ndarray  # μ                                (m,)
    compliance: np.ndarray  # (m,) [1/kg]


class Sliding(NamedTuple):
    """State and friction of each contact."""

    states: np.ndarray  # OPEN, STICK or SLIP                              (m,) int8
    directions: np.ndarray  # δ of sliding                                 (m, 2)
    magnitudes: np.ndarray  # λ′: normal impulses that friction goes by    (m,) [N s]
    speeds: np.ndarray  # of sliding, where that was last looked at        (m,) [m/s]


class RowsOfStates(NamedTuple):
    """What the mixed system takes from the states."""

    turns: np.ndarray  # T of the rows L = T J; zero where a row is not active      (m, 3, 3)
    active: np.ndarray  # (m, 3) bool
    give: np.ndarray  # velocity along a row for an impulse along it                (m, 3) [1/kg]
    softness: np.ndarray  # T J D⁻¹ Jᵀ Tᵀ of the rows, without what makes them alike  (m, 3) [1/kg]
    fixed: np.ndarray  # impulses that are given, in the contacts' frames           (m, 3) [N s]
    pulls: np.ndarray  # y = −x                                                     (m, 3) [N s]


LAWS = tuple_of(ContactLaws, FRAMES, ROWS, NUMBERS, NUMBERS)
SLIDING = tuple_of(Sliding, int8[::1], ROWS, NUMBERS, NUMBERS)
ROWS_OF_STATES = tuple_of(RowsOfStates, FRAMES, boolean[:, ::1], ROWS, ROWS, ROWS, ROWS)


class ContactRows:
    """What changes with the contacts' states; the dynamics A do not."""

    def __init__(self, problem: MixedProblem, pulls: np.ndarray):
        """The multipliers y (m, 3) are a part of the system's unknowns."""
        count, shape = problem.contact_count, (problem.contact_count, AXES)
        self.problem, self.products, self.own = problem, problem.products, problem.own
        self.laws = ContactLaws(problem.own, problem.k, problem.friction, problem.compliance)
        self.sliding = Sliding(
            *(np.full(count, OPEN, np.int8), np.tile([1.0, 0.0], (count, 1)), np.zeros(count), np.zeros(count))
        )
        self.rows = RowsOfStates(
            *(np.zeros((count, AXES, AXES)), np.zeros(shape, bool), np.zeros(shape), np.ones(shape)),
            *(np.zeros(shape), pulls),
        )
        self._take()

    @property
    def states(self) -> np.ndarray:
        return self.sliding.states

    @property
    def impulses(self) -> np.ndarray:
        """r (m, 3) [N s], normal first."""
        impulses = np.empty_like(self.rows.fixed)
        put_impulses(self.rows, impulses)
        return impulses

    def velocities(self, v: np.ndarray) -> np.ndarray:
        """J v (m, 3) along normal and tangents."""
        return self.products.velocities(v)

    def put_residual(self, v: np.ndarray, residual_out: np.ndarray) -> None:
        """What active rows lack of L v + k + give x = 0 (m, 3) [m/s]."""
        put_row_residuals(self.rows, self.velocities(v), self.problem.k, residual_out)

    def rebuild(self, impulses: np.ndarray, has_across: bool = True) -> None:
        """Rows for the states as they are now, with these impulses (m, 3) where they are free."""
        put_rows_of_states(self.laws, self.sliding, impulses, has_across, self.rows)
        self._take()

    def give_all(self, impulses: np.ndarray) -> None:
        """Impulses (m, 3) as they are, none of them free."""
        self.rows.fixed[:], self.rows.pulls[:] = impulses, 0.0

    def hold_normals(self, impulses: np.ndarray) -> None:
        """Normal impulses as given (m, 3); only friction remains free [Kaufman et al. 2008]."""
        self._hold(slice(0, 1), impulses)

    def hold_friction(self, impulses: np.ndarray) -> None:
        """Friction as given (m, 3); only normal impulses remain free."""
        self._hold(slice(1, AXES), impulses)

    def _hold(self, axes, impulses):
        rows = self.rows
        rows.active[:, axes] = False
        rows.turns[:, axes] = rows.give[:, axes] = rows.pulls[:, axes] = 0.0
        rows.fixed[:, axes] = impulses[:, axes]
        self._take()

    def _take(self):
        self.products.take_rows(self.rows.turns, self.problem.mobilities)


@kernel((LAWS, SLIDING, ROWS, boolean, ROWS_OF_STATES), parallel=True)
def put_rows_of_states(laws, sliding, impulses, has_across, rows_out):
    for contact in prange(len(sliding.states)):
        _put_rows(laws, sliding, impulses, has_across, contact, rows_out)


@compiled
def _put_rows(laws, sliding, impulses, has_across, contact, rows_out):
    c, s = 1.0, 0.0  # of the tangential rows against the tangents
    if sliding.states[contact] == SLIP:
        c, s = -sliding.directions[contact, 1], sliding.directions[contact, 0]
    _put_softness(laws.own, contact, c, s, rows_out.softness)
    turns = _give_way(laws, sliding, contact, rows_out) and has_across
    _activate(laws, sliding.states[contact], turns, contact, rows_out)
    _put_turns(contact, c, s, rows_out)
    _put_impulses(laws, sliding, impulses, contact, rows_out)


@compiled
def _put_impulses(laws, sliding, impulses, contact, rows_out):
    """Friction that is given, and what of the impulses is free."""
    limit = laws.friction[contact] * sliding.magnitudes[contact]
    if sliding.states[contact] != SLIP:
        limit = 0.0
    rows_out.fixed[contact, 0] = 0.0
    rows_out.fixed[contact, 1] = -limit * sliding.directions[contact, 0]
    rows_out.fixed[contact, 2] = -limit * sliding.directions[contact, 1]
    for row in range(3):
        along = 0.0
        for axis in range(3):
            along += rows_out.turns[contact, row, axis] * (impulses[contact, axis] - rows_out.fixed[contact, axis])
        rows_out.pulls[contact, row] = -along


@compiled
def _put_softness(own, contact, c, s, softness_out):
    first, both, second = own[contact, 1, 1], own[contact, 1, 2], own[contact, 2, 2]
    softness_out[contact, 0] = max(own[contact, 0, 0], TINY)
    softness_out[contact, 1] = max(c * c * first + 2.0 * c * s * both + s * s * second, TINY)
    softness_out[contact, 2] = max(s * s * first - 2.0 * c * s * both + c * c * second, TINY)


@compiled
def _give_way(laws, sliding, contact, rows_out):
    """Equation (5): the row across gives way so that friction keeps pointing against the sliding; whether it does."""
    for axis in range(3):
        rows_out.give[contact, axis] = laws.compliance[contact]
    if sliding.states[contact] != SLIP:
        return False
    speed, limit = sliding.speeds[contact], laws.friction[contact] * sliding.magnitudes[contact]
    rows_out.give[contact, 1] += speed / max(limit, SMALLEST * speed + TINY)
    return rows_out.give[contact, 1] * NEGLIGIBLE < rows_out.softness[contact, 1]


@compiled
def _activate(laws, state, turns, contact, rows_out):
    """Rows along which nothing can move are no equations, whatever sliding would make of them."""
    for row in range(3):
        is_wanted = state == STICK or (row == 0 and state != OPEN) or (row == 1 and turns)
        can_move = rows_out.softness[contact, row] > TINY or laws.compliance[contact] > 0.0
        rows_out.active[contact, row] = is_wanted and can_move
        if not rows_out.active[contact, row]:
            rows_out.give[contact, row] = 0.0


@compiled
def _put_turns(contact, c, s, rows_out):
    for row in range(3):
        for axis in range(3):
            rows_out.turns[contact, row, axis] = 0.0
    if rows_out.active[contact, 0]:
        rows_out.turns[contact, 0, 0] = 1.0
    if rows_out.active[contact, 1]:
        rows_out.turns[contact, 1, 1], rows_out.turns[contact, 1, 2] = c, s
    if rows_out.active[contact, 2]:
        rows_out.turns[contact, 2, 1], rows_out.turns[contact, 2, 2] = -s, c


@kernel((ROWS_OF_STATES, ROWS), parallel=True)
def put_impulses(rows, impulses_out):
    for contact in prange(len(rows.fixed)):
        for axis in range(3):
            total = rows.fixed[contact, axis]
            for row in range(3):
                total -= rows.turns[contact, row, axis] * rows.pulls[contact, row]
            impulses_out[contact, axis] = total


@kernel((ROWS_OF_STATES, ROWS, ROWS, ROWS), parallel=True)
def put_row_residuals(rows, velocities, given, residuals_out):
    for contact in prange(len(given)):
        for row in range(3):
            rest = rows.give[contact, row] * rows.pulls[contact, row]
            for axis in range(3):
                rest -= rows.turns[contact, row, axis] * (velocities[contact, axis] + given[contact, axis])
            residuals_out[contact, row] = rest
