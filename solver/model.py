"""What stays constant during a simulation: flat arrays over the nodes of all objects.

Nodes of strands come first, in the order of the scene; then those of all bodies, which the laws number from 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .motion import Motion
from .rods.rods import Rods

if TYPE_CHECKING:  # what is not imported is not compiled
    from .air.air import Air
    from .air.surface_drag import SurfaceDrag
    from .energies.law import Law
    from .energies.tether import Tether
    from .rigid.rigid_bodies import RigidBodies
    from .rods.bound_points import BoundPoints
    from .volume.embedding import Embedding


class ObjectSpan(NamedTuple):
    """The rows that one object has in the arrays of all nodes, and its vertices among them."""

    name: str
    first: int
    end: int
    skin: Embedding | None = None  # nodes numbered from `first`; None: vertices are nodes


class Kinematics(NamedTuple):
    """Nodes of one object that follow a given motion."""

    nodes: np.ndarray  # (p,) int32
    motion: Motion  # positions (p, 3) [m] at a time [s]


class NodeSprings(NamedTuple):
    """Nodes of one object that springs draw to a given motion."""

    nodes: np.ndarray  # (p,) int32
    stiffness: Motion  # (p,) [N/m] at a time [s]
    motion: Motion  # positions (p, 3) [m] at a time [s]


class MovedTethers(NamedTuple):
    """Points of one object, weighted sums of its nodes, that springs draw to a given motion."""

    law: Tether
    stiffness: Motion  # (e,) [N/m] at a time [s]
    motion: Motion  # positions (e, 3) [m] at a time [s]


class KeyedStiffness(NamedTuple):
    """Stiffness of one object that changes with the time."""

    rows: np.ndarray  # constants of strands or elements, written anew each step
    start: np.ndarray  # the same at the first frame
    ratio: Callable[[float], float | np.ndarray]  # to that, of the rows' last axis or of each row, at a time [s]


class RootDirectors(NamedTuple):
    """Strands of one object whose roots' sections point where they are told."""

    strands: np.ndarray  # (s,) int32
    motion: Motion  # directions (s, 3) at a time [s]


class DampedLaw(NamedTuple):
    """A law of bodies' nodes, whose stress runs ahead of the strain."""

    law: Law
    damping: float  # by this time, ξ [s]


class Model(NamedTuple):
    spans: tuple[ObjectSpan, ...]
    masses: np.ndarray  # of the nodes                               (n,) [kg]
    air_drag: np.ndarray  # rate of taking on the air's velocity     (n,) [1/s]
    is_free: np.ndarray  # False for nodes that follow a motion      (n,) bool
    kinematics: tuple[Kinematics, ...]
    node_springs: tuple[NodeSprings, ...]
    moved_tethers: tuple[MovedTethers, ...]
    root_directors: tuple[RootDirectors, ...]
    rods: Rods  # all strands; empty if there are none
    bound_points: BoundPoints | None  # of strands that grow on bodies
    laws: tuple[DampedLaw, ...]  # of all bodies
    gravity: Motion  # (3,) [m/s²] at a time [s]
    air: Air
    surface_drag: SurfaceDrag | None  # of all sheets; one of the laws
    keyed_stiffness: tuple[KeyedStiffness, ...] = ()
    rigid: RigidBodies | None = None  # with six unknowns each; None: there are none

    @property
    def strand_nodes(self) -> slice:
        return slice(0, len(self.rods.masses))

    @property
    def body_nodes(self) -> slice:
        return slice(len(self.rods.masses), len(self.masses))
