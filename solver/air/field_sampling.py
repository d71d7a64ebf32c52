"""Force fields at points: how they move the air there, and pull at things (docs/theory/air.md, equations 5 to 9)."""

import math

import numba

from ..force_fields import FALLOFF_KINDS, FIELD_KINDS, FIELD_SHAPES
from ..jit_cache import compiled, kernel, tuple_of
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, row3, scale3, sub3
from .field_table import FieldMoment, FieldTable

FORCE, WIND, VORTEX, HARMONIC, TURBULENCE, DRAG = range(len(FIELD_KINDS))
POINT, LINE, PLANE = range(len(FIELD_SHAPES))
SPHERE, TUBE, CONE = range(len(FALLOFF_KINDS))
SWIRL_RATE = 1.0  # [1/s], at which a vortex along a line turns things; Blender's
NEAREST = 0.01  # [m]; nearer to its source, gravitation grows no further: it would fling things off
NOTHING = (0.0, 0.0, 0.0)

INTEGERS, NUMBERS = numba.types.int32[::1], numba.types.float64[::1]
VECTORS, MATRICES = numba.types.float64[:, ::1], numba.types.float64[:, :, ::1]
TABLE = tuple_of(FieldTable, *[INTEGERS] * 3, MATRICES, *[INTEGERS] * 3)
MOMENT = tuple_of(FieldMoment, MATRICES, NUMBERS, MATRICES)


@compiled
def weakened(falloff, distance):
    """Share of the strength that is left at a distance (equation 6); `falloff` is power, least, greatest, unit."""
    if distance > falloff[2]:
        return 0.0
    return (1.0 + max(distance - falloff[1], 0.0) / falloff[3]) ** -falloff[0]


@compiled
def field_falloff(table, field, offset, axis, distance):
    """Share of the strength at an offset from the field's location, `distance` from its source."""
    along = dot3(offset, axis)
    if along * table.sides[field] < 0.0:
        return 0.0
    by_distance, by_radius = table.falloffs[field, 0], table.falloffs[field, 1]
    if table.falloff_kinds[field] == SPHERE:
        return weakened(by_distance, distance)
    share = weakened(by_distance, abs(along))
    if table.falloff_kinds[field] == TUBE:
        return share * weakened(by_radius, norm3(sub3(offset, scale3(along, axis))))
    far = norm3(offset)
    cosine = along / far if far > 0.0 else 1.0
    return share * weakened(by_radius, math.degrees(math.acos(min(max(cosine, -1.0), 1.0))))


@compiled
def from_source(kind, shape, offset, axis):
    """From the nearest point of the field's source."""
    if shape == POINT:
        return offset
    along = scale3(dot3(offset, axis), axis)
    return sub3(offset, along) if shape == LINE or kind == VORTEX else along


@compiled
def unit(vector):
    length = norm3(vector)
    return scale3(1.0 / length, vector) if length > 0.0 else NOTHING


@compiled
def push(table, field, strength, away, distance):
    """Acceleration of a radial force (equation 7)."""
    if table.gravitates[field]:
        strength /= max(distance, NEAREST) ** 2
    return scale3(strength, unit(away))


@compiled
def swirl(shape, strength, rate, axis, away, distance):
    """Acceleration of a vortex (equation 8): around a point along the circle; else towards turning with it."""
    around = cross3(axis, away)
    if shape == POINT:
        return scale3(strength * distance, unit(around))
    turning = scale3(strength, around)
    return add3(scale3(rate, turning), scale3(strength, cross3(axis, turning)))


@kernel((TABLE, MOMENT, VECTORS, VECTORS, VECTORS, VECTORS, NUMBERS, NUMBERS), parallel=True)
def sample_fields(table, moment, positions, velocities, air_out, accelerations_out, rates_out, stiffness_out):
    """Velocity of the air [m/s], acceleration [m/s²], rate of drag [1/s] and stiffness by mass [1/s²] at points."""
    rows, wind, gusts = moment.rows, moment.wind, moment.gusts
    for node in numba.prange(len(positions)):
        point = row3(positions, node)
        air, pull = (wind[0], wind[1], wind[2]), NOTHING
        rate, rate_by_speed, stiffness = 0.0, 0.0, 0.0
        for field in range(len(table.kinds)):
            kind, shape = table.kinds[field], table.shapes[field]
            offset, axis = sub3(point, row3(rows[field], 0)), row3(rows[field], 1)
            away = from_source(kind, shape, offset, axis)
            distance = norm3(away)
            share = field_falloff(table, field, offset, axis, distance)
            if share == 0.0:
                continue
            strength, flow, size = share * rows[field, 2, 0], share * rows[field, 2, 1], rows[field, 2, 2]
            rate += max(flow, 0.0)
            if kind == FORCE:
                pull = add3(pull, push(table, field, strength, away, distance))
            elif kind == WIND:
                air = add3(air, scale3(strength, axis))
            elif kind == VORTEX:
                swirl_rate = 0.0 if shape == POINT else SWIRL_RATE * share
                pull = add3(pull, swirl(shape, strength, swirl_rate, axis, away, distance))
                rate += swirl_rate
            elif kind == HARMONIC:
                pull = add3(pull, scale3(-strength * (distance - size), unit(away)))
                stiffness += max(strength, 0.0)
            elif kind == TURBULENCE:
                row = table.gusts[field]
                air = add3(air, scale3(strength, (gusts[row, 0, node], gusts[row, 1, node], gusts[row, 2, node])))
            else:
                rate_by_speed += max(strength, 0.0)
        against = sub3(air, row3(velocities, node))
        rates_out[node] = rate + rate_by_speed * norm3(against)
        stiffness_out[node] = stiffness
        for i in range(3):
            air_out[node, i] = air[i]
            accelerations_out[node, i] = pull[i]
