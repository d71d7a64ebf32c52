"""Force fields as the artist asked for them; docs/theory/air.md says what each does."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .motion import Motion, positions_at

FIELD_KINDS = ("force", "wind", "vortex", "harmonic", "turbulence", "drag")
IGNORED_KINDS = ("boid", "charge", "fluid_flow", "guide", "lennardj", "magnet", "texture")
FIELD_SHAPES = ("point", "line", "plane")
IGNORED_SHAPES = ("surface", "points")
FALLOFF_KINDS = ("sphere", "tube", "cone")


@dataclass(frozen=True)
class Falloff:
    """How a field weakens away from its source: (1 + (distance − least)/unit)^−power."""

    power: float = 0.0
    least: float = 0.0  # full strength up to here     [m], [°] around a cone's axis
    greatest: float | None = None  # nothing beyond    [m], [°]


@dataclass
class ForceField:
    """Something that moves the air, or all that is near, without touching it."""

    name: str
    kind: str  # one of FIELD_KINDS; IGNORED_KINDS do nothing, and a warning says so
    shape: str = "point"  # where its source is: one of FIELD_SHAPES; a line is along the axis, a plane across it
    location: Sequence[float] = (0.0, 0.0, 0.0)  # [m]
    axis: Sequence[float] = (0.0, 0.0, 1.0)  # where it blows, or what it turns about
    strength: float = 1.0  # in the units of its kind: wind, turbulence [m/s]; force [m/s²], [m³/s²] if it gravitates;
    #                        vortex [1/s²] around a point, else [1/s]; harmonic [1/s²]; drag [1/m]
    flow: float = 0.0  # rate at which things take on the air's velocity where it is  [1/s]
    size: float = 0.0  # of the largest gusts; of a harmonic field, its rest length   [m]
    motion: Motion | None = None  # rows location, axis, (strength, flow, size); None: as above for good  (3, 3)
    falloff_kind: str = "sphere"  # one of FALLOFF_KINDS: by distance; or along the axis, and by radius or angle
    falloff: Falloff = field(default_factory=Falloff)
    radial_falloff: Falloff = field(default_factory=Falloff)
    falloff_unit: float = 1.0  # [m]
    side: int = 0  # 1: only where its axis points to; -1: only behind; 0: on both sides
    gravitates: bool = False  # a force weakens with the square of the distance, too
    is_global: bool = False  # gusts stay where they are when the field moves
    seed: int = 0  # of the gusts

    def rows_at(self, time: float) -> np.ndarray:
        """Location [m], axis (of length one, or zero) and (strength, flow, size) at a time [s] (3, 3)."""
        still = np.array([self.location, self.axis, (self.strength, self.flow, self.size)], np.float64)
        rows = still if self.motion is None else positions_at(self.motion, time).copy()
        length = np.linalg.norm(rows[1])
        if length > 0.0:
            rows[1] /= length
        return rows

    @property
    def is_known(self) -> bool:
        """Whether it has an effect."""
        return self.kind in FIELD_KINDS and self.shape in FIELD_SHAPES
