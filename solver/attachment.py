"""Ties between simulated objects."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Attachment:
    """Springs between points of two simulated objects, or of one: seams, laces, rubber bands."""

    first: str  # the name of an object
    first_vertices: np.ndarray  # of that object                                      (m,) int32
    second: str  # the name of an object, maybe the same
    second_vertices: np.ndarray  # whose weighted sum each is drawn to                (m, k) int32
    second_weights: np.ndarray  # of these vertices; each row sums to one             (m, k)
    stiffness: float = 1000.0  # of each spring; points of hair are held firmly       [N/m]
    keeps_distance: bool = False  # as at the start; False: drawn together

    def __post_init__(self):
        self.first_vertices = np.ascontiguousarray(self.first_vertices, dtype=np.int32)
        self.second_vertices = np.ascontiguousarray(self.second_vertices, dtype=np.int32)
        self.second_weights = np.ascontiguousarray(self.second_weights, dtype=np.float64)
