"""Parts of surfaces with everything that a test does not care about filled in."""

import numpy as np

from stiction.solver.collision.surface import NOTHING
from stiction.solver.collision.surface_parts import SurfacePart


def part(name, rest, triangles=(), segments=(), **changes):
    rest = np.asarray(rest, float)
    count = len(rest)
    fields = {
        "radii": np.full(count, 1e-3),
        "friction": np.full(count, 0.3),
        "strands": np.full(count, NOTHING, np.int32),
        "is_given": np.zeros(count, bool),
        "nodes": np.arange(count, dtype=np.int32)[:, None],
        "weights": np.ones((count, 1)),
    }
    triangles = np.array(triangles, np.int32).reshape(-1, 3)
    segments = np.array(segments, np.int32).reshape(-1, 2)
    return SurfacePart(name, rest, triangles=triangles, segments=segments, **(fields | changes))
