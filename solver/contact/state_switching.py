"""Contacts that open, close, stick and slide while the system is being solved (docs/theory/conjugate_residual.md).

[Verschoor and Jalba 2019, algorithms 2 and 3]. What would change a contact's velocity by less than a threshold is put
off, so that contacts at the edge of two states do not change for ever.
"""

from dataclasses import dataclass

import numpy as np

from .contact_rows import ContactRows
from .coulomb_law import OPEN, SLIP, STICK
from .state_looks import BOTH, FRICTION, NORMALS, Look, Memory, follow_sliding, look_at_contacts

__all__ = ["BOTH", "FRICTION", "NORMALS", "StateSwitching", "SwitchingLaw"]


@dataclass
class SwitchingLaw:
    """How friction follows the sliding. With a step `turn`, directions are aligned step by step as in the paper."""

    angle: float = np.radians(1.2)  # ε_θ: misalignment that is left as it is                [rad]
    turn: float = 0.0  # α_θ: share of the misalignment that each look takes away; 0: by the row across the sliding
    part: int = BOTH


class StateSwitching:
    """Algorithm 2 on the rows of contacts, with the memory that moving averages need."""

    def __init__(self, rows: ContactRows, law: SwitchingLaw):
        self.rows, self.law = rows, law
        count, compliance = len(rows.states), rows.problem.compliance
        normal, first, second = (rows.own[:, axis, axis] for axis in range(3))
        softness = normal, 0.5 * (first + second), np.abs(rows.own).sum(axis=2).max(axis=1, initial=0.0)
        self.memory = Memory(np.ones(count), np.zeros(count), *(part + compliance for part in softness))
        self.is_changed = np.zeros(count, bool)

    def evaluate(self, v: np.ndarray, threshold: float, is_last: bool) -> np.ndarray | None:
        """Change states and friction for velocities v (n,); returns by how much impulses have changed, if any did."""
        rows, before = self.rows, self.rows.impulses
        impulses = before.copy()
        least = 2.0 * np.sin(0.5 * self.law.angle)
        look = Look(rows.velocities(v), before, threshold, bool(is_last), self.law.part, self.law.turn, least)
        look_at_contacts(rows.laws, look, rows.sliding, self.memory, impulses, self.is_changed)
        if not self.is_changed.any():
            return None
        if self.law.part != NORMALS:  # steps begin anew: what was put off costs nothing now
            at_once = look._replace(threshold=0.0)
            follow_sliding(rows.laws, at_once, self.is_changed, rows.sliding, self.memory, impulses)
        self.rebuild(impulses)
        return rows.impulses - before

    def take(self, v: np.ndarray, impulses: np.ndarray) -> None:
        """States of velocities (n,) and impulses (m, 3) that are known: what pushes, and how it would go on."""
        sliding, softness = self.rows.sliding, self.memory.softness
        push = np.maximum(impulses[:, 0], 0.0)
        motion = (self.rows.velocities(v) + self.rows.problem.k)[:, 1:]
        goal = motion - softness[:, None] * impulses[:, 1:]
        lengths = np.linalg.norm(goal, axis=1)
        slides = lengths > self.rows.problem.friction * softness * push
        sliding.states[:] = np.where(push > 0.0, np.where(slides, SLIP, STICK), OPEN)
        np.divide(goal, lengths[:, None], out=sliding.directions, where=(lengths > 0.0)[:, None])
        sliding.magnitudes[:] = push
        sliding.speeds[:] = np.maximum((motion * sliding.directions).sum(axis=1), 0.0)
        self.rebuild(np.where((push > 0.0)[:, None], impulses, 0.0))

    def rebuild(self, impulses: np.ndarray) -> None:
        """Rows for the states as they are now, with impulses (m, 3) as far as they are free."""
        self.rows.rebuild(impulses, has_across=not self.law.turn)
        if self.law.part == NORMALS:
            self.rows.hold_friction(impulses)
        if self.law.part == FRICTION:
            self.rows.hold_normals(impulses)
