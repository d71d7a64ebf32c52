"""Which primitives may meet: asked for each pair of boxes that overlap, before the pair is stored.

Pairs whose points are all given never come here: primitives of given points have trees of their own, which are not
searched against each other. Neither do pairs of two colliders, for the same reason.
"""

import numpy as np

from ..jit_cache import compiled
from .surface import SurfacePoints


def traits_of(points: SurfacePoints, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the filter must know of primitives with corners (n, k), which are of one object each.

    Their objects (n,) int32; the objects that one of their points grows on, too near to collide, or NOTHING (n,) int32.
    """
    return points.objects[corners[:, 0]], points.grows_on[corners].max(axis=1)


@compiled
def may_meet(meets, own, place, other, other_place):
    """Whether two primitives can come into contact; not those that share a point, nor a root with what it grows on."""
    first, second = own.objects[place], other.objects[other_place]
    if not meets[first, second] or own.grounds[place] == second or other.grounds[other_place] == first:
        return False
    if first == second:
        for i in range(own.corners.shape[1]):
            for j in range(other.corners.shape[1]):
                if own.corners[place, i] == other.corners[other_place, j]:
                    return False
    return True
