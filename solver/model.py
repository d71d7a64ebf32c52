"""What stays constant during a simulation: flat arrays over the nodes of all objects."""

from typing import NamedTuple

import numpy as np

from .motion import Motion


class ObjectSpan(NamedTuple):
    """The rows that one object has in the arrays of all nodes."""

    name: str
    first: int
    end: int


class Kinematics(NamedTuple):
    """Nodes of one object that follow a given motion."""

    nodes: np.ndarray  # (p,) int32
    motion: Motion  # positions (p, 3) [m] at a time [s]


class Model(NamedTuple):
    spans: tuple[ObjectSpan, ...]
    masses: np.ndarray  # of the nodes                               (n,) [kg]
    air_drag: np.ndarray  # rate of taking on the air's velocity     (n,) [1/s]
    is_free: np.ndarray  # False for nodes that follow a motion      (n,) bool
    kinematics: tuple[Kinematics, ...]
    gravity: np.ndarray  # (3,) [m/s²]
    wind: np.ndarray  # (3,) [m/s]
