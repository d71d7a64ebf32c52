"""The only thing that changes during a simulation."""

from dataclasses import dataclass, field, fields

import numpy as np

from .rods.rods import NO_FRAMES, RodFrames


@dataclass
class State:
    step: int  # steps taken since the start frame
    positions: np.ndarray  # of all nodes                                (n, 3) [m]
    velocities: np.ndarray  # of all nodes                               (n, 3) [m/s]
    twists: np.ndarray  # θ of the edges of strands                      (h,) [rad]
    twist_velocities: np.ndarray  # of the edges of strands              (h,) [rad/s]
    tangents: np.ndarray  # of the edges, when frames were transported   (h, 3)
    directors: np.ndarray  # of the edges' reference frames              (h, 3)
    turns: np.ndarray  # of the reference frames at vertices             (h,) [rad]
    impulses: np.ndarray  # of the last step's contacts on all nodes     (n, 3) [N s]
    # What some methods remember of the last step's contacts: key, normal, force in world axes  (k, 7) [1, 1, N]
    contact_memory: np.ndarray = field(default_factory=lambda: np.zeros((0, 7)))

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays that a checkpoint has to hold."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name != "step"}

    def copy(self) -> "State":
        return State(self.step, **{name: array.copy() for name, array in self.arrays().items()})

    @property
    def frames(self) -> RodFrames:
        """The reference frames of strands; the arrays are the state's own."""
        return RodFrames(self.tangents, self.directors, self.turns)


def new_state(positions, velocities, frames: RodFrames = NO_FRAMES) -> State:
    """The state at the start frame: strands are not twisted against their natural shape."""
    rest = np.zeros(len(frames.turns))
    return State(0, positions, velocities, rest, rest.copy(), *frames, np.zeros_like(positions))
