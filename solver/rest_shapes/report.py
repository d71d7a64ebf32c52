"""What a search for rest shapes found, and what it could not do."""

from typing import NamedTuple

import numpy as np


class SagFreeReport(NamedTuple):
    acceleration: float  # largest with which what is held still starts to move       [m/s²]
    limited: np.ndarray  # strands or elements that do not bear all of their load     int
    unheld: np.ndarray  # strands or nodes that hang on nothing, and fall              int
    stiffening: np.ndarray  # by which strands, or the cloth, became stiffer; 1: not at all
    is_stable: bool = True  # a small push dies away
