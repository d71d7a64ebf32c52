"""What the artist asked for where objects touch: friction, stickiness, thickness, and who meets whom."""

from dataclasses import dataclass

from .over_time import OverTime, as_given


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


@dataclass
class PairFriction:
    """The friction between two objects, instead of what each of them has."""

    first: str  # the name of an object
    second: str  # the name of another, or the same
    friction: OverTime  # coefficient of Coulomb's law
    kinetic_friction: OverTime | None = None  # while they slide; None: the same
