"""Force fields as rows of numbers, for kernels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..force_fields import FALLOFF_KINDS, FIELD_KINDS, FIELD_SHAPES, Falloff, ForceField
from .gusts import GustWaves, blow, gust_waves
from .wind import Wind

NO_GUSTS = -1


class FieldTable(NamedTuple):
    """What stays constant of fields."""

    kinds: np.ndarray  # place in FIELD_KINDS                                         (f,) int32
    shapes: np.ndarray  # place in FIELD_SHAPES                                       (f,) int32
    falloff_kinds: np.ndarray  # place in FALLOFF_KINDS                               (f,) int32
    falloffs: np.ndarray  # by distance and by radius: power, least, greatest, unit   (f, 2, 4)
    sides: np.ndarray  # where along the axis it acts: 1, -1 or 0                     (f,) int32
    gravitates: np.ndarray  #                                                         (f,) int32
    gusts: np.ndarray  # its row in the gusts of a moment, or NO_GUSTS                (f,) int32


class FieldMoment(NamedTuple):
    """What fields are at one time, for some points."""

    rows: np.ndarray  # location [m], axis, (strength, flow, size)                    (f, 3, 3)
    wind: np.ndarray  # velocity of the air where no field is                         (3,) [m/s]
    gusts: np.ndarray  # velocities of unit gusts at the points                       (g, 3, n)


class MovingFields:
    """All fields of a scene that have an effect, in their order."""

    def __init__(self, fields: Sequence[ForceField], wind: Wind):
        self.fields = fields
        self.wind = wind
        self.gusty = [(field, _waves(field)) for field in fields if field.kind == "turbulence"]
        self.table = _table(fields)

    def at(self, positions: np.ndarray, time: float) -> FieldMoment:
        """The fields at positions (n, 3) [m] and a time [s]."""
        gusts = np.empty((len(self.gusty), 3, len(positions)))
        for (field, waves), velocities in zip(self.gusty, gusts, strict=True):
            phases = self._phases(field, waves, time)
            blow(waves.vectors, waves.cosines, waves.sines, phases, np.ascontiguousarray(positions.T), velocities)
        return FieldMoment(np.array([field.rows_at(time) for field in self.fields]), self.wind.at(time), gusts)

    def _phases(self, field, waves: GustWaves, time):
        """The wind carries gusts along [Taylor 1938], and each turns over in its own time (equation 1)."""
        origin = self.wind.way(time)
        if not field.is_global:
            origin = origin + field.rows_at(time)[0]
        return waves.phases + time * waves.frequencies - waves.vectors @ origin


def _waves(field) -> GustWaves:
    """Gusts keep the size and the pace that they start with: changing those later would make them race."""
    strength, _, size = field.rows_at(0.0)[2]
    return gust_waves(size, abs(strength) or 1.0, field.seed)


def _table(fields) -> FieldTable:
    is_gusty = np.array([field.kind == "turbulence" for field in fields])
    return FieldTable(
        kinds=_integers(FIELD_KINDS.index(field.kind) for field in fields),
        shapes=_integers(FIELD_SHAPES.index(field.shape) for field in fields),
        falloff_kinds=_integers(FALLOFF_KINDS.index(field.falloff_kind) for field in fields),
        falloffs=np.array([_falloffs(field) for field in fields]),
        sides=_integers(field.side for field in fields),
        gravitates=_integers(field.gravitates for field in fields),
        gusts=_integers(np.where(is_gusty, np.cumsum(is_gusty) - 1, NO_GUSTS)),
    )


def _falloffs(field):
    radial_unit = 1.0 if field.falloff_kind == "cone" else field.falloff_unit  # angles are in degrees
    return [_numbers(field.falloff, field.falloff_unit), _numbers(field.radial_falloff, radial_unit)]


def _numbers(falloff: Falloff, unit):
    greatest = np.inf if falloff.greatest is None else falloff.greatest
    return [falloff.power, falloff.least, greatest, unit]


def _integers(values):
    return np.array(list(values), np.int32)
