"""The one operation that repairs and improves a tetrahedral mesh: empty a cavity, fill it with a star.

Tetrahedra are removed, and the faces around the hole are all joined to one apex, which is a corner of the
hole or a new point in it. Flips, vertex insertion, smoothing and the recovery of surface triangles are all
this. A star is right if all its tetrahedra have positive volume: since its boundary is that of the hole, they
cannot overlap.
"""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import cross3, dot3, norm3, row3, scale3, sub3

MOST_FACES = 400  # of a cavity; larger ones are left alone
NEW_POINT = -1  # as an apex
ASCENT_STEPS = 40  # towards the point that sees all faces from furthest
SEARCH_STEPS = 12  # then towards the best shapes
HEIGHT_SHRINK = 0.85


@compiled
def star_quality(points, p, q, r, apex):
    """The shape of the tetrahedron from an outward face to an apex: 6√2 V / ℓ³, negative if inverted."""
    a, b, c = row3(points, p), row3(points, q), row3(points, r)
    u, v, w = sub3(a, apex), sub3(b, apex), sub3(c, apex)
    ab, bc, ca = sub3(b, a), sub3(c, b), sub3(a, c)
    mean = (dot3(u, u) + dot3(v, v) + dot3(w, w) + dot3(ab, ab) + dot3(bc, bc) + dot3(ca, ca)) / 6.0
    return math.sqrt(2.0) * dot3(u, cross3(v, w)) / (mean * math.sqrt(mean) + 1e-300)  # 0/0 for doubled points


@compiled
def corners4(tetrahedra, row):
    return tetrahedra[row, 0], tetrahedra[row, 1], tetrahedra[row, 2], tetrahedra[row, 3]


@compiled
def add_face(faces, count, p, q, r):
    """Add an oriented face to a list, or remove its reverse from it; the new length."""
    if q < p and q < r:
        p, q, r = q, r, p
    elif r < p and r < q:
        p, q, r = r, p, q
    for row in range(count):
        if faces[row, 0] == p and faces[row, 1] == r and faces[row, 2] == q:
            faces[row, 0], faces[row, 1], faces[row, 2] = row3(faces, count - 1)
            return count - 1
    if count < MOST_FACES:
        faces[count, 0], faces[count, 1], faces[count, 2] = p, q, r
    return min(count + 1, MOST_FACES)


@compiled
def cavity_faces(tetrahedra, cavity, size, faces_out):
    """The outward faces around a set of tetrahedra; their number, MOST_FACES if there are too many."""
    count = 0
    for row in range(size):
        a, b, c, d = corners4(tetrahedra, cavity[row])
        count = add_face(faces_out, count, b, c, d)
        count = add_face(faces_out, count, a, d, c)
        count = add_face(faces_out, count, a, b, d)
        count = add_face(faces_out, count, a, c, b)
    return count


@compiled
def worst_in_star(points, faces, count, node, apex, enough):
    """The lowest quality in the star of an apex; stops once it is not above `enough`."""
    worst = 2.0
    for row in range(count):
        p, q, r = row3(faces, row)
        if node != p and node != q and node != r:
            worst = min(worst, star_quality(points, p, q, r, apex))
            if worst <= enough:
                break
    return worst


@compiled
def best_corner(points, faces, count, enough):
    """The corner of a cavity with the best star: its node and lowest quality; NEW_POINT if none is above `enough`."""
    best, best_node = enough, NEW_POINT
    for row in range(count):
        for corner in range(3):
            node = faces[row, corner]
            worst = worst_in_star(points, faces, count, node, row3(points, node), best)
            if worst > best and worst < 2.0:
                best, best_node = worst, node
    return best_node, best


@compiled
def best_new_point(points, faces, count):
    """A point in the cavity with a star as well shaped as can be: the point and its lowest quality."""
    point, size = _middle(points, faces, count)
    point = _ascend(points, faces, count, point, size)
    return _search(points, faces, count, point, 0.25 * size)


@compiled
def _middle(points, faces, count):
    """The mean of a cavity's face corners and their mean distance from it."""
    x, y, z = 0.0, 0.0, 0.0
    for row in range(count):
        for corner in range(3):
            p = row3(points, faces[row, corner])
            x, y, z = x + p[0], y + p[1], z + p[2]
    middle = (x / (3 * count), y / (3 * count), z / (3 * count))
    size = 0.0
    for row in range(count):
        for corner in range(3):
            size += norm3(sub3(row3(points, faces[row, corner]), middle))
    return middle, size / (3 * count)


@compiled
def _ascend(points, faces, count, point, size):
    """Away from the face whose plane is nearest (or furthest on the wrong side), with ever smaller steps."""
    best, best_height = point, -math.inf
    step = 0.5 * size
    for _ in range(ASCENT_STEPS):
        lowest, normal = math.inf, (0.0, 0.0, 0.0)
        for row in range(count):
            a = row3(points, faces[row, 0])
            across = cross3(sub3(row3(points, faces[row, 1]), a), sub3(row3(points, faces[row, 2]), a))
            length = norm3(across)
            if length > 0.0:
                height = dot3(sub3(a, point), across) / length
                if height < lowest:
                    lowest, normal = height, scale3(1.0 / length, across)
        if lowest > best_height:
            best, best_height = point, lowest
        point = sub3(point, scale3(step, normal))
        step *= HEIGHT_SHRINK
    return best


@compiled
def _search(points, faces, count, point, step):
    """Steps along the axes while they improve the worst tetrahedron, halved when none does."""
    best = worst_in_star(points, faces, count, NEW_POINT, point, -math.inf)
    for _ in range(SEARCH_STEPS):
        moved = False
        for axis in range(6):
            shift = step if axis < 3 else -step
            trial = (
                point[0] + (shift if axis % 3 == 0 else 0.0),
                point[1] + (shift if axis % 3 == 1 else 0.0),
                point[2] + (shift if axis % 3 == 2 else 0.0),
            )
            worst = worst_in_star(points, faces, count, NEW_POINT, trial, best)
            if worst > best:
                point, best, moved = trial, worst, True
        if not moved:
            step *= 0.5
    return point, best


@compiled
def write_star(tetrahedra, faces, count, node, first):
    """Put the star of a node behind the mesh, from row `first` on; the new number of rows."""
    for row in range(count):
        p, q, r = row3(faces, row)
        if node != p and node != q and node != r:
            tetrahedra[first, 0], tetrahedra[first, 1] = node, p
            tetrahedra[first, 2], tetrahedra[first, 3] = q, r
            first += 1
    return first
