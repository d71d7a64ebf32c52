"""The only thing that changes during a simulation."""

from dataclasses import dataclass

import numpy as np


@dataclass
class State:
    step: int  # steps taken since the start frame
    positions: np.ndarray  # of all nodes    (n, 3) [m]
    velocities: np.ndarray  # of all nodes   (n, 3) [m/s]

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays that a checkpoint has to hold."""
        return {"positions": self.positions, "velocities": self.velocities}

    def copy(self) -> "State":
        return State(self.step, self.positions.copy(), self.velocities.copy())
