"""Nodes' velocities projected onto those that contacts allow: Gauss-Seidel without a matrix.

[Daviet 2020, algorithm 3]; docs/theory/friction.md, 4. Impulses are kept as the velocities that they make, r̄ = s r.
"""

import numpy as np
from numba import float64, int64, prange, uint8

from ..jit_cache import inlined, kernel
from ..linear_algebra.vector3 import add3, dot3, scale3, sub3
from .colouring import STAGES
from .coulomb_law import isotropic_velocity
from .nodal_contacts import NodalContacts
from .packed_contacts import (
    FRICTION,
    GIVE,
    GIVEN,
    NARROW,
    NARROW_TYPES,
    NORMAL,
    PUSH,
    SOFTEST,
    WIDE_TYPES,
    pack,
)

WORTHWHILE = 2000  # contacts of a stage: waking threads for fewer takes longer than the contacts


class Projection:
    """Sets of contacts, with the impulses found so far."""

    def __init__(self, contacts: NodalContacts, weights: np.ndarray, impulses: np.ndarray | None = None):
        """Nodes have weights w > 0 (n,) [kg]; impulses (m, 3) [N s] may be known from before."""
        self.sets = [_ContactSet(contacts, weights, impulses)]

    def add(self, contacts: NodalContacts, weights: np.ndarray) -> None:
        """New contacts. Weights of nodes that others touch are as before: those are not packed again."""
        self.sets.append(_ContactSet(contacts, weights, None))

    @property
    def impulses(self) -> np.ndarray:
        """r (m, 3) [N s] of body B on A, that of cohesion not included."""
        return np.concatenate([contacts.impulses for contacts in self.sets])

    def states(self, velocities: np.ndarray) -> np.ndarray:
        """OPEN, STICK or SLIP (m,) uint8 of the contacts when nodes have velocities (n, 3) [m/s]."""
        return np.concatenate([contacts.states(velocities) for contacts in self.sets])

    def project(self, velocities: np.ndarray, sweeps: int, sleep_below: float = 0.0) -> None:
        """Velocities (n, 3) [m/s] of the nodes, in place; contacts that change less than `sleep_below` [m/s] rest.

        First the nodes get the impulses of before; then all contacts that are awake are visited again and again.
        """
        for contacts in self.sets:
            contacts.wake()
        for sweep in range(-1, sweeps):
            for contacts in self.sets:
                contacts.visit(sweep, sleep_below, velocities)


class _ContactSet:
    """Contacts that are coloured and packed together."""

    def __init__(self, contacts, weights, impulses):
        self.packed = pack(contacts, 1.0 / weights)
        if impulses is not None:
            self._put_pushes(self.packed.softness[:, None] * impulses[self.packed.order])
        held = (self.packed.softness * contacts.cohesion[self.packed.order])[:, None]
        self.held = held * contacts.normals[self.packed.order]  # velocities that cohesion makes [m/s]

    @property
    def impulses(self):
        rows = np.concatenate([self.packed.narrow.rows, self.packed.wide.rows])
        pushes = np.where(self.packed.softness[:, None] > SOFTEST, rows[:, PUSH : PUSH + 3], 0.0)
        return self.packed.in_order_of_contacts(pushes / self.packed.softness[:, None])

    def states(self, velocities):
        states = np.empty(len(self.packed.order), np.uint8)
        put_states(self.packed.narrow, self.packed.wide, velocities, states)
        return self.packed.in_order_of_contacts(states)

    def visit(self, sweep, sleep_below, velocities):
        visit_contacts(self.packed.narrow, self.packed.wide, self.held, sweep, sleep_below, velocities)

    def wake(self):
        self.packed.narrow.asleep[:] = self.packed.wide.asleep[:] = 0

    def _put_pushes(self, pushes):
        count = len(self.packed.narrow.rows)
        self.packed.narrow.rows[:, PUSH : PUSH + 3] = pushes[:count]
        self.packed.wide.rows[:, PUSH : PUSH + 3] = pushes[count:]


@kernel((NARROW_TYPES, WIDE_TYPES, float64[:, ::1], int64, float64, float64[:, ::1]), parallel=True)
def visit_contacts(narrow, wide, held, sweep, sleep_below, velocities_out):
    """All that are awake, once."""
    held_wide = held[len(narrow.rows) :]
    for stage in range(STAGES + 1):
        first, end = narrow.starts[stage], narrow.starts[stage + 1]
        if stage < STAGES and end - first >= WORTHWHILE:
            for contact in prange(first, end):
                _visit_narrow(narrow, contact, held, sweep, sleep_below, velocities_out)
        else:
            for contact in range(first, end):
                _visit_narrow(narrow, contact, held, sweep, sleep_below, velocities_out)
        first, end = wide.starts[stage], wide.starts[stage + 1]
        if stage < STAGES and end - first >= WORTHWHILE:
            for contact in prange(first, end):
                _visit_wide(wide, contact, held_wide, sweep, sleep_below, velocities_out)
        else:
            for contact in range(first, end):
                _visit_wide(wide, contact, held_wide, sweep, sleep_below, velocities_out)


@inlined
def _visit_narrow(narrow, contact, held, sweep, sleep_below, velocities_out):
    if sweep >= 0 and narrow.asleep[contact] != 0:
        return
    if sweep < 0:
        change = _first_push(narrow.rows, contact, held)
    else:
        change = _answer(narrow.rows, contact, _velocity_narrow(narrow, contact, velocities_out))
        _fall_asleep(narrow.asleep, contact, change, sleep_below)
    for place in range(NARROW):
        _give(velocities_out, narrow.nodes[contact, place], narrow.links[contact, NARROW + place], change)


@inlined
def _visit_wide(wide, contact, held, sweep, sleep_below, velocities_out):
    if sweep >= 0 and wide.asleep[contact] != 0:
        return
    if sweep < 0:
        change = _first_push(wide.rows, contact, held)
    else:
        change = _answer(wide.rows, contact, _velocity_wide(wide, contact, velocities_out))
        _fall_asleep(wide.asleep, contact, change, sleep_below)
    for place in range(wide.offsets[contact], wide.offsets[contact + 1]):
        _give(velocities_out, wide.nodes[place], wide.links[place, 1], change)


@inlined
def _velocity_narrow(narrow, contact, velocities):
    """Σ b v."""
    u = (0.0, 0.0, 0.0)
    for place in range(NARROW):
        u = _add_node(u, narrow.links[contact, place], velocities, narrow.nodes[contact, place])
    return u


@inlined
def _velocity_wide(wide, contact, velocities):
    u = (0.0, 0.0, 0.0)
    for place in range(wide.offsets[contact], wide.offsets[contact + 1]):
        u = _add_node(u, wide.links[place, 0], velocities, wide.nodes[place])
    return u


@inlined
def _add_node(u, weight, velocities, node):
    return (
        u[0] + weight * velocities[node, 0],
        u[1] + weight * velocities[node, 1],
        u[2] + weight * velocities[node, 2],
    )


@inlined
def _give(velocities_out, node, share, push):
    velocities_out[node, 0] += share * push[0]
    velocities_out[node, 1] += share * push[1]
    velocities_out[node, 2] += share * push[2]


@inlined
def _first_push(rows, contact, held):
    return sub3(_columns(rows, contact, PUSH), _columns(held, contact, 0))


@inlined
def _answer(rows, contact, velocity):
    """The contact's change of its push, for nodes that have the relative velocity Σ b v."""
    push, u = _columns(rows, contact, PUSH), _relative_velocity(rows, contact, velocity)
    wanted, _ = isotropic_velocity(sub3(u, push), _columns(rows, contact, NORMAL), rows[contact, FRICTION])
    change = sub3(wanted, u)
    rows[contact, PUSH] = push[0] + change[0]
    rows[contact, PUSH + 1] = push[1] + change[1]
    rows[contact, PUSH + 2] = push[2] + change[2]
    return change


@inlined
def _fall_asleep(asleep_out, contact, change, sleep_below):
    asleep_out[contact] = 1 if dot3(change, change) < sleep_below * sleep_below else 0


@inlined
def _relative_velocity(rows, contact, velocity):
    """u, of nodes with Σ b v: what is given, and what the contact itself gives way, added."""
    give = scale3(rows[contact, GIVE], _columns(rows, contact, PUSH))
    return add3(add3(velocity, _columns(rows, contact, GIVEN)), give)


@inlined
def _columns(rows, row, first):
    return rows[row, first], rows[row, first + 1], rows[row, first + 2]


@kernel((NARROW_TYPES, WIDE_TYPES, float64[:, ::1], uint8[::1]), parallel=True)
def put_states(narrow, wide, velocities, states_out):
    """Of the narrow contacts, then of the wide ones."""
    for contact in prange(len(narrow.rows)):
        states_out[contact] = _state(narrow.rows, contact, _velocity_narrow(narrow, contact, velocities))
    for contact in prange(len(wide.rows)):
        states_out[len(narrow.rows) + contact] = _state(wide.rows, contact, _velocity_wide(wide, contact, velocities))


@inlined
def _state(rows, contact, velocity):
    push, u = _columns(rows, contact, PUSH), _relative_velocity(rows, contact, velocity)
    _, state = isotropic_velocity(sub3(u, push), _columns(rows, contact, NORMAL), rows[contact, FRICTION])
    return state
