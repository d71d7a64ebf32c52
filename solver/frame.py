"""What comes out of a simulation."""

from typing import NamedTuple

import numpy as np

from .report import FrameReport


class Frame(NamedTuple):
    number: int
    positions: dict[str, np.ndarray]  # of each simulated object, world space (n, 3) [m]
    report: FrameReport
