"""One contact as it is looked at: whether it changes its state or its friction (docs/theory/conjugate_residual.md)."""

import math
from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int64, prange

from ..jit_cache import compiled, kernel, tuple_of
from .contact_rows import LAWS, NUMBERS, ROWS, SLIDING
from .coulomb_law import OPEN, SLIP, STICK
from .residuals import TINY

LEAST_WEIGHT, SHRINK, GROWTH = 0.02, 0.5, 1.3  # of the moving average, where it swings and where it does not
BOTH, NORMALS, FRICTION = 0, 1, 2  # what may change


class Memory(NamedTuple):
    """What moving averages need, and how contacts give way."""

    weights: np.ndarray  # of the newest value in the average of a magnitude  (m,)
    differences: np.ndarray  # by which it last changed                       (m,) [N s]
    normal_softness: np.ndarray  # (m,) [1/kg]
    softness: np.ndarray  # the mean of the two tangents'                     (m,) [1/kg]
    most_softness: np.ndarray  # at least that of any direction               (m,) [1/kg]


class Look(NamedTuple):
    """Contacts as they are at the moment."""

    velocities: np.ndarray  # J v                              (m, 3) [m/s]
    impulses: np.ndarray  # (m, 3) [N s]
    threshold: float  # changes of velocity below it are put off    [m/s]
    is_last: bool  # the system is solved: velocities along active rows are only noise
    part: int  # what may change
    turn: float  # α_θ, or zero
    least: float  # distance of two directions that is left as it is, if α_θ is not zero


MEMORY = tuple_of(Memory, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
LOOK = tuple_of(Look, ROWS, ROWS, float64, boolean, int64, float64, float64)


@kernel((LAWS, LOOK, SLIDING, MEMORY, ROWS, boolean[::1]), parallel=True)
def look_at_contacts(laws, look, sliding_out, memory_out, impulses_out, is_changed_out):
    """Algorithm 2: states, friction and impulses as they are after the look, and which contacts changed."""
    for contact in prange(len(is_changed_out)):
        is_changed_out[contact] = _look(laws, look, contact, sliding_out, memory_out, impulses_out)


@kernel((LAWS, LOOK, boolean[::1], SLIDING, MEMORY, ROWS), parallel=True)
def follow_sliding(laws, look, is_changed, sliding_out, memory_out, impulses_out):
    """Algorithm 3 for sliding contacts that have not changed: friction as it is by now."""
    for contact in prange(len(is_changed)):
        if sliding_out.states[contact] == SLIP and not is_changed[contact]:
            u = _relative_velocity(laws, look, contact)
            _update_kinetic(laws, look, u, contact, sliding_out, memory_out, impulses_out)


@compiled
def _look(laws, look, contact, sliding_out, memory_out, impulses_out):
    before = sliding_out.states[contact]
    u = _relative_velocity(laws, look, contact)
    if look.part != FRICTION:
        _open_or_close(look, u, contact, sliding_out, memory_out, impulses_out)
    if sliding_out.states[contact] != before:
        return True
    if look.part == NORMALS or before == OPEN:
        return False
    if before == STICK:
        return _begin_sliding(laws, look, u, contact, sliding_out, memory_out, impulses_out)
    if u[1] * sliding_out.directions[contact, 0] + u[2] * sliding_out.directions[contact, 1] < -look.threshold:
        sliding_out.states[contact] = STICK  # equation (9): friction has turned the sliding round
        return True
    return _update_kinetic(laws, look, u, contact, sliding_out, memory_out, impulses_out)


@compiled
def _relative_velocity(laws, look, contact):
    give = laws.compliance[contact]
    return (
        look.velocities[contact, 0] + laws.given[contact, 0] + give * look.impulses[contact, 0],
        look.velocities[contact, 1] + laws.given[contact, 1] + give * look.impulses[contact, 1],
        look.velocities[contact, 2] + laws.given[contact, 2] + give * look.impulses[contact, 2],
    )


@compiled
def _open_or_close(look, u, contact, sliding_out, memory_out, impulses_out):
    """Equations (6) and (7): a contact opens where it neither pushes nor meets."""
    softness, push = memory_out.normal_softness[contact], look.impulses[contact, 0]
    if sliding_out.states[contact] == OPEN:
        if not (u[0] < -look.threshold and softness > 0.0):  # without softness an impulse would do nothing
            return
        sliding_out.states[contact] = SLIP
        sliding_out.speeds[contact] = math.hypot(u[1], u[2])
        _point(u[1], u[2], contact, sliding_out)
        sliding_out.magnitudes[contact] *= 1.0 - memory_out.weights[contact]
    else:
        if not (-softness * push > look.threshold and (u[0] >= 0.0 or look.is_last)):
            return
        _weigh(-sliding_out.magnitudes[contact], contact, memory_out)
        sliding_out.states[contact] = OPEN
    for axis in range(3):
        impulses_out[contact, axis] = 0.0


@compiled
def _begin_sliding(laws, look, u, contact, sliding_out, memory_out, impulses_out):
    """Equation (8): friction beyond the cone that holds back; whether there is."""
    first, second = look.impulses[contact, 1], look.impulses[contact, 2]
    push = max(look.impulses[contact, 0], 0.0)
    limit = laws.friction[contact] * push
    beyond = memory_out.softness[contact] * (math.hypot(first, second) - limit)
    if not (beyond > look.threshold and (u[1] * first + u[2] * second < 0.0 or look.is_last)):
        return False
    sliding_out.states[contact] = SLIP
    _point(-first, -second, contact, sliding_out)
    sliding_out.magnitudes[contact] = push
    _put_speed(u, contact, sliding_out)
    for axis in range(2):
        impulses_out[contact, 1 + axis] = -limit * sliding_out.directions[contact, axis]
    return True


@compiled
def _update_kinetic(laws, look, u, contact, sliding_out, memory_out, impulses_out):
    """Algorithm 3: magnitude and direction of kinetic friction; whether they changed."""
    push, speed = max(look.impulses[contact, 0], 0.0), math.hypot(u[1], u[2])
    strength = memory_out.softness[contact] * laws.friction[contact]  # velocity for a normal impulse
    x, y = sliding_out.directions[contact, 0], sliding_out.directions[contact, 1]
    apart = math.hypot(u[1] / speed - x, u[2] / speed - y) if speed > 0.0 else 0.0
    # Only what moves across has turned: what moves back, by less than the threshold, is nearly at rest.
    across = abs(u[1] * y - u[2] * x) * min(1.0, strength * push / speed) if speed > 0.0 else 0.0
    has_turned = across > look.threshold and (look.turn == 0.0 or apart > look.least)
    # What figure 13 of the paper shows, with friction across the sliding, which has no limit of its own.
    room = laws.friction[contact] * push - math.hypot(look.impulses[contact, 1], look.impulses[contact, 2])
    has_grown = memory_out.most_softness[contact] * abs(room) > look.threshold
    if has_turned or has_grown:
        _align(look, u, apart, contact, sliding_out, memory_out)
        if look.part == BOTH:
            _average(laws, push, contact, sliding_out, memory_out)
        limit = laws.friction[contact] * sliding_out.magnitudes[contact]
        for axis in range(2):
            impulses_out[contact, 1 + axis] = -limit * sliding_out.directions[contact, axis]
    _put_speed(u, contact, sliding_out)
    return has_turned or has_grown


@compiled
def _align(look, u, apart, contact, sliding_out, memory_out):
    """A small step towards the sliding, or where sliding and friction together point."""
    if look.turn == 0.0:
        softness = memory_out.softness[contact]
        x, y = u[1] - softness * look.impulses[contact, 1], u[2] - softness * look.impulses[contact, 2]
        _point(x, y, contact, sliding_out)
    elif apart > look.least:
        x, y = sliding_out.directions[contact, 0], sliding_out.directions[contact, 1]
        speed = math.hypot(u[1], u[2])
        _point(x + look.turn * (u[1] / speed - x), y + look.turn * (u[2] / speed - y), contact, sliding_out)


@compiled
def _average(laws, push, contact, sliding_out, memory_out):
    """Equation (10): the newest impulse weighs less where the magnitude swings, and more where it creeps."""
    difference = push - sliding_out.magnitudes[contact]
    _weigh(difference, contact, memory_out)
    share = memory_out.weights[contact] * _share(laws, contact, sliding_out, memory_out)
    sliding_out.magnitudes[contact] = max(sliding_out.magnitudes[contact] + share * difference, 0.0)


@compiled
def _share(laws, contact, sliding, memory):
    """Of a difference, what makes a contact's normal impulse and friction agree at once, and never more than it."""
    x, y = sliding.directions[contact, 0], sliding.directions[contact, 1]
    coupling = laws.own[contact, 0, 1] * x + laws.own[contact, 0, 2] * y
    feedback = laws.friction[contact] * coupling / max(memory.normal_softness[contact], TINY)
    return min(1.0 / max(1.0 - feedback, 0.5), 1.0)


@compiled
def _weigh(difference, contact, memory_out):
    product, weight = difference * memory_out.differences[contact], memory_out.weights[contact]
    if product < 0.0:
        weight *= SHRINK
    elif product > 0.0:
        weight *= GROWTH
    memory_out.weights[contact] = min(max(weight, LEAST_WEIGHT), 1.0)
    if difference != 0.0:
        memory_out.differences[contact] = difference


@compiled
def _point(x, y, contact, sliding_out):
    """The direction of sliding; a vector of no length tells none."""
    length = math.hypot(x, y)
    if length > 0.0:
        sliding_out.directions[contact, 0], sliding_out.directions[contact, 1] = x / length, y / length


@compiled
def _put_speed(u, contact, sliding_out):
    along = u[1] * sliding_out.directions[contact, 0] + u[2] * sliding_out.directions[contact, 1]
    sliding_out.speeds[contact] = max(along, 0.0)
