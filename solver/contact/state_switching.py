"""Contacts that open, close, stick and slide while the system is being solved (docs/theory/conjugate_residual.md).

[Verschoor and Jalba 2019, algorithms 2 and 3]. What would change a contact's velocity by less than a threshold is put
off, so that contacts at the edge of two states do not change for ever.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .contact_rows import ContactRows
from .coulomb_law import OPEN, SLIP, STICK
from .residuals import TINY

LEAST_WEIGHT, SHRINK, GROWTH = 0.02, 0.5, 1.3  # of the moving average, where it swings and where it does not
BOTH, NORMALS, FRICTION = 0, 1, 2  # what may change


@dataclass
class SwitchingLaw:
    """How friction follows the sliding. With a step `turn`, directions are aligned step by step as in the paper."""

    angle: float = np.radians(1.2)  # ε_θ: misalignment that is left as it is                [rad]
    turn: float = 0.0  # α_θ: share of the misalignment that each look takes away; 0: by the row across the sliding
    part: int = BOTH


class Look(NamedTuple):
    """Contacts as they are at the moment."""

    u: np.ndarray  # relative velocities                       (m, 3) [m/s]
    r: np.ndarray  # impulses                                  (m, 3) [N s]
    threshold: float  # changes of velocity below it are put off    [m/s]
    is_last: bool  # the system is solved: velocities along active rows are only noise


class StateSwitching:
    """Algorithm 2 on the rows of contacts, with the memory that moving averages need."""

    def __init__(self, rows: ContactRows, law: SwitchingLaw):
        self.rows, self.law = rows, law
        self.weights = np.ones(len(rows.states))  # of the newest value in the average of a magnitude
        self.differences = np.zeros(len(rows.states))  # by which it last changed          [N s]
        normal, first, second = (rows.own[:, axis, axis] for axis in range(3))
        compliance = rows.problem.compliance
        self.normal_softness, self.softness = normal + compliance, 0.5 * (first + second) + compliance

    def evaluate(self, v: np.ndarray, threshold: float, is_last: bool) -> int:
        """Change states and friction for velocities v (n,); returns how many contacts changed."""
        rows, r = self.rows, self.rows.impulses
        u = rows.velocities(v) + rows.problem.k + rows.problem.compliance[:, None] * r
        look, impulses = Look(u, r, threshold, is_last), r.copy()
        before = rows.states.copy()
        if self.law.part != FRICTION:
            self._open_and_close(look, impulses)
        is_kept = before == rows.states
        if self.law.part != NORMALS:
            begins = self._begin_sliding(look, is_kept & (before == STICK), impulses)
            ends = self._end_sliding(look, is_kept & (before == SLIP))
            slides_on = is_kept & (before == SLIP) & ~ends
            updated = begins | self._update_kinetic(look, slides_on, impulses)
        else:
            updated = np.zeros(len(before), bool)
        changes = int(np.count_nonzero(updated | (before != rows.states)))
        if changes:
            self.rebuild(impulses)
        return changes

    def take(self, v: np.ndarray, impulses: np.ndarray) -> None:
        """States of velocities (n,) and impulses (m, 3) that are known: what pushes, and how it would go on."""
        rows, mu = self.rows, self.rows.problem.mu
        push = np.maximum(impulses[:, 0], 0.0)
        sliding = (rows.velocities(v) + rows.problem.k)[:, 1:]
        goal = sliding - self.softness[:, None] * impulses[:, 1:]
        slides = np.linalg.norm(goal, axis=1) > mu * self.softness * push
        rows.states[:] = np.where(push > 0.0, np.where(slides, SLIP, STICK), OPEN)
        rows.directions, rows.magnitudes = _unit(goal, rows.directions), push
        rows.speeds = np.maximum((sliding * rows.directions).sum(axis=1), 0.0)
        self.rebuild(np.where((push > 0.0)[:, None], impulses, 0.0))

    def rebuild(self, impulses: np.ndarray) -> None:
        """Rows for the states as they are now, with impulses (m, 3) as far as they are free."""
        self.rows.rebuild(impulses, has_across=not self.law.turn)
        if self.law.part == NORMALS:
            self.rows.hold_friction(impulses)
        if self.law.part == FRICTION:
            self.rows.hold_normals(impulses)

    def _open_and_close(self, look, impulses_out):
        """Equations (6) and (7): a contact opens where it neither pushes nor meets."""
        rows, along, push = self.rows, look.u[:, 0], look.r[:, 0]
        is_open = rows.states == OPEN
        opens = ~is_open & (-self.normal_softness * push > look.threshold) & ((along >= 0.0) | look.is_last)
        closes = is_open & (along < -look.threshold) & (self.normal_softness > 0.0)  # or an impulse would do nothing
        self._weigh(opens, -rows.magnitudes)
        rows.states[opens], rows.states[closes] = OPEN, SLIP
        impulses_out[opens | closes] = 0.0
        rows.directions[closes] = _unit(look.u[:, 1:], rows.directions)[closes]
        rows.speeds[closes] = np.linalg.norm(look.u[closes, 1:], axis=1)
        rows.magnitudes[closes] *= 1.0 - self.weights[closes]

    def _begin_sliding(self, look, is_sticking, impulses_out):
        """Equation (8): friction beyond the cone that holds back."""
        rows, mu = self.rows, self.rows.problem.mu
        friction, limits = look.r[:, 1:], mu * np.maximum(look.r[:, 0], 0.0)
        beyond = np.linalg.norm(friction, axis=1) - limits
        holds_back = (look.u[:, 1:] * friction).sum(axis=1) < 0.0
        begins = is_sticking & (self.softness * beyond > look.threshold) & (holds_back | look.is_last)
        rows.states[begins] = SLIP
        rows.directions[begins] = _unit(-friction, rows.directions)[begins]
        rows.magnitudes[begins] = np.maximum(look.r[begins, 0], 0.0)
        rows.speeds[begins] = np.maximum((look.u[begins, 1:] * rows.directions[begins]).sum(axis=1), 0.0)
        impulses_out[begins, 1:] = -limits[begins, None] * rows.directions[begins]
        return begins

    def _end_sliding(self, look, is_sliding):
        """Equation (9): friction that has turned the sliding round."""
        along = (look.u[:, 1:] * self.rows.directions).sum(axis=1)
        ends = is_sliding & (along < -look.threshold)
        self.rows.states[ends] = STICK
        return ends

    def _update_kinetic(self, look, is_sliding, impulses_out):
        """Algorithm 3: magnitude and direction of kinetic friction."""
        rows, mu = self.rows, self.rows.problem.mu
        push, sliding = np.maximum(look.r[:, 0], 0.0), look.u[:, 1:]
        speeds = np.linalg.norm(sliding, axis=1)
        goal = _unit(sliding, rows.directions)
        apart = np.linalg.norm(goal - rows.directions, axis=1)
        turned = apart * np.minimum(speeds, self.softness * mu * push)
        grown = self.softness * mu * np.abs(rows.magnitudes - push)
        updated = is_sliding & ((turned > look.threshold) | (grown > look.threshold))
        if self.law.turn:
            updated &= (apart > 2.0 * np.sin(0.5 * self.law.angle)) | (grown > look.threshold)
        rows.directions[updated] = self._aligned(look, goal, apart)[updated]
        rows.speeds = np.maximum((sliding * rows.directions).sum(axis=1), 0.0)
        if self.law.part == BOTH:
            self._average(updated, push)
        impulses_out[updated, 1:] = -((mu * rows.magnitudes)[:, None] * rows.directions)[updated]
        return updated

    def _aligned(self, look, goal, apart):
        """New directions (m, 2): a small step towards the sliding, or where sliding and friction together point."""
        rows, law = self.rows, self.law
        if law.turn:
            is_off = (apart > 2.0 * np.sin(0.5 * law.angle))[:, None]
            return _unit(rows.directions + np.where(is_off, law.turn * (goal - rows.directions), 0.0), rows.directions)
        return _unit(look.u[:, 1:] - self.softness[:, None] * look.r[:, 1:], rows.directions)

    def _average(self, updated, push):
        """Equation (10): the newest impulse weighs less where the magnitude swings, and more where it creeps."""
        rows = self.rows
        difference = np.where(updated, push - rows.magnitudes, 0.0)
        self._weigh(updated, difference)
        magnitudes = rows.magnitudes + self.weights * self._share() * difference
        rows.magnitudes = np.maximum(magnitudes, 0.0)

    def _share(self):
        """Of a difference, what makes a contact's normal impulse and friction agree at once, and never more than it."""
        rows, mu = self.rows, self.rows.problem.mu
        coupling = (rows.own[:, 0, 1:] * rows.directions).sum(axis=1)
        feedback = mu * coupling / np.maximum(self.normal_softness, TINY)
        return np.minimum(1.0 / np.maximum(1.0 - feedback, 0.5), 1.0)

    def _weigh(self, is_new, difference):
        product = np.where(is_new, difference, 0.0) * self.differences
        factor = np.where(product < 0.0, SHRINK, np.where(product > 0.0, GROWTH, 1.0))
        self.weights = np.clip(self.weights * factor, LEAST_WEIGHT, 1.0)
        self.differences = np.where(is_new & (difference != 0.0), difference, self.differences)


def _unit(vectors, otherwise):
    """Of length 1 (m, 2); those of no length are replaced."""
    lengths = np.linalg.norm(vectors, axis=1)[:, None]
    return np.divide(vectors, lengths, out=otherwise.copy(), where=lengths > 0.0)
