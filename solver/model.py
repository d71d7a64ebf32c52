"""What stays constant during a simulation: flat arrays over the nodes of all objects.

Nodes of strands come first, in the order of the scene; then those of all other objects.
"""

from typing import NamedTuple

import numpy as np

from .energies.law import Law
from .motion import Motion
from .rods.rods import Rods


class ObjectSpan(NamedTuple):
    """The rows that one object has in the arrays of all nodes."""

    name: str
    first: int
    end: int


class Kinematics(NamedTuple):
    """Nodes of one object that follow a given motion."""

    nodes: np.ndarray  # (p,) int32
    motion: Motion  # positions (p, 3) [m] at a time [s]


class RootDirectors(NamedTuple):
    """Strands of one object whose roots' sections point where they are told."""

    strands: np.ndarray  # (s,) int32
    motion: Motion  # directions (s, 3) at a time [s]


class ElementBody(NamedTuple):
    """A body made of elements, which number its nodes from 0."""

    first: int  # its nodes in the arrays of all nodes
    end: int
    laws: tuple[Law, ...]
    damping: float  # ξ [s]


class Model(NamedTuple):
    spans: tuple[ObjectSpan, ...]
    masses: np.ndarray  # of the nodes                               (n,) [kg]
    air_drag: np.ndarray  # rate of taking on the air's velocity     (n,) [1/s]
    is_free: np.ndarray  # False for nodes that follow a motion      (n,) bool
    kinematics: tuple[Kinematics, ...]
    root_directors: tuple[RootDirectors, ...]
    rods: Rods  # all strands; empty if there are none
    bodies: tuple[ElementBody, ...]
    gravity: np.ndarray  # (3,) [m/s²]
    wind: np.ndarray  # (3,) [m/s]
