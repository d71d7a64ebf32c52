"""Where objects touch at the end of a frame: the force and the state of each vertex, and of each contact."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .collision.proximity import SurfaceContacts
from .collision.surface import CollisionSurface
from .contact.coulomb_law import SLIP, STICK
from .touch_states import OPENS, SLIPS, STICKS


class VertexTouch(NamedTuple):
    """What touches the vertices of an object."""

    forces: np.ndarray  # of all contacts on each vertex, world axes         (n, 3) [N]
    states: np.ndarray  # NO_TOUCH, OPENS, STICKS, or SLIPS if one slips     (n,)


class ContactMarks(NamedTuple):
    """Contacts, to be drawn."""

    positions: np.ndarray  # on the side that its force acts on              (m, 3) [m]
    forces: np.ndarray  # world axes                                        (m, 3) [N]
    states: np.ndarray  # STICKS, SLIPS, or OPENS where there is no force   (m,)


class StepTouch:
    """The contacts of a step as they were solved."""

    def __init__(self, surface: CollisionSurface, sets: Sequence[SurfaceContacts], impulses, states, time_step: float):
        """States (m,) and impulses (m, 3) [N s], in world axes, of the first m contacts; later ones were not solved."""
        count = len(states)
        self.surface = surface
        self.points, self.weights = (np.concatenate([getattr(part, name) for part in sets])[:count] for name in
                                     ("points", "weights"))  # fmt: skip
        self.forces = np.asarray(impulses)[:count] / time_step
        self.states = np.select([states == STICK, states == SLIP], [STICKS, SLIPS], OPENS)

    def of_vertices(self) -> dict[str, VertexTouch]:
        """By object; those of colliders are there, too."""
        count = len(self.surface.points.radii)
        forces, states = np.zeros((count, 3)), np.zeros(count)
        for corner in range(self.points.shape[1]):
            rows, shares = self.points[:, corner], self.weights[:, corner]
            for axis in range(3):
                forces[:, axis] += np.bincount(rows, shares * self.forces[:, axis], count)
            np.maximum.at(states, rows[shares != 0.0], self.states[shares != 0.0])
        spans = zip(self.surface.names, self.surface.firsts[:-1], self.surface.firsts[1:])
        return {name: VertexTouch(forces[first:end], states[first:end]) for name, first, end in spans}

    def marks(self, point_positions: np.ndarray) -> ContactMarks:
        """With all points at positions (p, 3) [m]."""
        on_a = np.maximum(self.weights, 0.0)
        positions = np.einsum("mc,mci->mi", on_a, point_positions[self.points])
        return ContactMarks(positions, self.forces, self.states)
