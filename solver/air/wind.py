"""The even wind of a scene, which may change, and how far it has carried the air."""

import numpy as np

from ..over_time import VectorOverTime, value_at


class Wind:
    """A function of the time alone, so that a bake can resume: the way is summed up from the first frame on."""

    def __init__(self, velocity: VectorOverTime, time_step: float):
        self.velocity, self.time_step = velocity, time_step
        self.ways = [np.zeros(3)]  # after whole steps [m]

    def at(self, time: float) -> np.ndarray:
        """The velocity (3,) [m/s] at a time [s]."""
        return value_at(self.velocity, time)

    def way(self, time: float) -> np.ndarray:
        """∫ w dt (3,) [m] since the first frame, by trapezoids of a step each (theory/air.md, equation 1)."""
        if not callable(self.velocity):
            return time * self.at(time)
        steps = max(int(time / self.time_step), 0)
        while len(self.ways) <= steps:
            before = (len(self.ways) - 1) * self.time_step
            self.ways.append(self.ways[-1] + self._blown(before, before + self.time_step))
        return self.ways[steps] + self._blown(steps * self.time_step, time)

    def _blown(self, start, end):
        return 0.5 * (end - start) * (self.at(start) + self.at(end))
