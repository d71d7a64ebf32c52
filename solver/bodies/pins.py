"""Vertices that follow a motion, strictly or drawn by springs."""

from collections.abc import Iterable, Iterator

import numpy as np

from ..model import Kinematics, MovedTethers, NodeSprings
from ..motion import positions_at
from ..scene import SoftPins
from .placement import Placed

# Pins of a vertex that is no node are springs: of this natural frequency, they pass for stiff at any frame rate.
PIN_FREQUENCY = 1000.0  # [1/s]


def kinematics_of(placed: Iterable[Placed]) -> Iterator[Kinematics]:
    """Pins of vertices that are nodes."""
    for entry in placed:
        if entry.body.vertices_are_nodes:
            item = entry.item
            motion = item.positions[item.pinned] if item.pin_motion is None else item.pin_motion
            yield Kinematics(entry.rows(item.pinned), motion)


def node_springs_of(placed: Iterable[Placed]) -> Iterator[NodeSprings]:
    """Soft pins of vertices that are nodes."""
    for entry in placed:
        pins = entry.item.soft_pins
        if pins is not None and entry.body.vertices_are_nodes:
            motion = entry.item.positions[pins.vertices] if pins.motion is None else pins.motion
            yield NodeSprings(entry.rows(pins.vertices), _stiffness_of(entry, pins), motion)


def moved_tethers_of(placed: Iterable[Placed]) -> Iterator[MovedTethers]:
    """Pins of vertices that are weighted sums of nodes."""
    for entry in placed:
        if entry.body.vertices_are_nodes:
            continue
        item, pins = entry.item, entry.item.soft_pins
        if len(item.pinned):
            yield _tethers(entry, item.pinned, _firmest(entry, len(item.pinned)), item.pin_motion)
        if pins is not None:
            yield _tethers(entry, pins.vertices, _stiffness_of(entry, pins), pins.motion)


def _firmest(entry, count):
    """Stiffness (count,) [N/m] with which pins together hold the whole object."""
    return np.full(count, entry.body.masses.sum() * (2.0 * np.pi * PIN_FREQUENCY) ** 2 / max(count, 1))


def _stiffness_of(entry, pins: SoftPins):
    """Of springs (q,) [N/m]; a function of the time where their strength is one."""
    firmest = np.full(len(pins.vertices), np.inf)
    is_firm = np.isinf(pins.stiffness)
    firmest[is_firm] = _firmest(entry, int(is_firm.sum()))
    if not callable(pins.strength):
        return pins.stiffness_at(0.0, firmest)
    return lambda time: pins.stiffness_at(time, firmest)


def _tethers(entry, vertices, stiffness, motion):
    from ..energies.tether import Tether, tether_elements

    nodes, weights = entry.body.embedding(vertices)
    targets = entry.item.positions[vertices]
    law = Tether(tether_elements(nodes + entry.first, weights, targets, positions_at(stiffness, 0.0)))
    return MovedTethers(law, stiffness, targets if motion is None else motion)
