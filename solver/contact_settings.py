"""What the artist asked for where objects touch: friction, thickness, and who meets whom."""

from dataclasses import dataclass

import numpy as np


@dataclass(kw_only=True)
class ContactSettings:
    """What all objects that can be touched have in common."""

    friction: float | np.ndarray = 0.3  # coefficient of Coulomb's law, of the object or of its vertices  (n,)
    thickness: float | None = None  # of the surface; None: a strand's own, a mesh's from its edges  [m]
    collision_groups: int = 1  # bits; two objects collide if they share one
    self_collision: bool = True  # whether the object collides with itself

    def __post_init__(self):
        if np.ndim(self.friction):
            self.friction = np.ascontiguousarray(self.friction, dtype=np.float64)
        else:
            self.friction = float(self.friction)


@dataclass
class PairFriction:
    """The friction between two objects, instead of what each of them has."""

    first: str  # the name of an object
    second: str  # the name of another, or the same
    friction: float  # coefficient of Coulomb's law
