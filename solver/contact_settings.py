"""What the artist asked for where objects touch: friction, stickiness, thickness, and who meets whom."""

from dataclasses import dataclass

import numpy as np

from .over_time import OverTime, Vector3, as_given, vector3


@dataclass(kw_only=True)
class ContactSettings:
    """What all objects that can be touched have in common."""

    friction: OverTime = 0.3  # coefficient of Coulomb's law, of the object or of its vertices  (n,)
    kinetic_friction: OverTime | None = None  # while it slides, not above the other; None: the same
    cohesion: float = 0.0  # force that holds each contact together; of two objects the larger counts  [N]
    compliance: float = 0.0  # way that a force presses each contact together; of two objects they add up  [m/N]
    restitution: float = 0.0  # share of the speed of an impact with which it rebounds; of two objects the larger counts
    thickness: float | None = None  # of the surface; None: a strand's own, a mesh's from its edges  [m]
    collision_groups: int = 1  # bits; two objects collide if they share one
    self_collision: bool = True  # whether the object collides with itself

    def __post_init__(self):
        self.friction = as_given(self.friction)
        if self.kinetic_friction is not None:
            self.kinetic_friction = as_given(self.kinetic_friction)


@dataclass(kw_only=True)
class SolidContactSettings(ContactSettings):
    """What rigid bodies and colliders have besides: an ellipsoid of friction (docs/theory/proximal.md, 3)."""

    spin_friction: float = 0.0  # radius of the patch by which contacts resist spinning; of two the larger counts  [m]
    friction_ratio: float = 1.0  # of the friction across a direction to that along it, which is `friction`
    friction_direction: Vector3 = (1.0, 0.0, 0.0)  # in the object's own axes; it turns with the surface
    own_axes: np.ndarray | None = None  # columns, in world space at the start frame; None: those of the world  (3, 3)

    def __post_init__(self):
        super().__post_init__()
        self.friction_direction = vector3(self.friction_direction)
        if self.own_axes is not None:
            self.own_axes = np.ascontiguousarray(self.own_axes, dtype=np.float64).reshape(3, 3)

    @property
    def start_direction(self) -> np.ndarray:
        """The direction of friction in world space at the start frame (3,)."""
        direction = np.array(self.friction_direction)
        return direction if self.own_axes is None else self.own_axes @ direction


@dataclass
class PairFriction:
    """The friction between two objects, instead of what each of them has."""

    first: str  # the name of an object
    second: str  # the name of another, or the same
    friction: OverTime  # coefficient of Coulomb's law
    kinetic_friction: OverTime | None = None  # while they slide; None: the same
