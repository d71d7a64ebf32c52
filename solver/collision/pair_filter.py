"""Which primitives may meet: asked for each pair of boxes that overlap, before the pair is stored.

Pairs whose points are all given never come here: primitives of given points have trees of their own, which are not
searched against each other. Neither do pairs of two colliders, for the same reason.
"""

import numpy as np
from numba import int32, prange

from ..jit_cache import inlined, kernel
from .surface import SurfacePoints


def traits_of(points: SurfacePoints, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the filter must know of primitives with corners (n, k), which are of one object each.

    Their objects (n,) int32; the objects that one of their points grows on, too near to collide, or NOTHING (n,) int32.
    """
    objects, grounds = np.empty(len(corners), np.int32), np.empty(len(corners), np.int32)
    put_traits(points.objects, points.grows_on, corners, objects, grounds)
    return objects, grounds


@kernel((int32[::1], int32[::1], int32[:, ::1], int32[::1], int32[::1]), parallel=True)
def put_traits(objects, grows_on, corners, objects_out, grounds_out):
    for primitive in prange(len(corners)):
        objects_out[primitive] = objects[corners[primitive, 0]]
        ground = grows_on[corners[primitive, 0]]
        for corner in range(1, corners.shape[1]):
            ground = max(ground, grows_on[corners[primitive, corner]])
        grounds_out[primitive] = ground


@inlined
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
