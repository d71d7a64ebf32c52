"""Vertices and triangles of Blender's meshes as arrays.

Blender hands out the vertices of its triangles one by one, and its window stands still meanwhile. Positions and corners
come at once, and of triangles and convex quads it is known how Blender splits them.
"""

import bpy
import numpy as np

FOLD = 1e-3  # cosine of the angle between the halves of a quad, below which single precision may find it concave
FEW = 0.05  # share of all triangles up to which it is quicker to ask Blender for each of the doubtful ones


def read_vertices(mesh: bpy.types.Mesh | None) -> np.ndarray:
    """Local positions (n, 3) float32; none for no mesh."""
    positions = np.empty((len(mesh.vertices) if mesh else 0, 3), np.float32)
    if len(positions):
        mesh.attributes["position"].data.foreach_get("vector", positions.ravel())  # faster than "co"
    return positions


def read_triangles(mesh: bpy.types.Mesh | None) -> np.ndarray:
    """Vertices of each triangle (t, 3) int32; none for no mesh."""
    if mesh is None or not len(mesh.polygons):
        return np.empty((0, 3), np.int32)
    mesh.calc_loop_triangles()
    faces = np.empty(len(mesh.loop_triangles), np.int32)
    mesh.loop_triangle_polygons.foreach_get("value", faces)
    sizes = np.bincount(faces, minlength=len(mesh.polygons)).astype(np.int32) + 2
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.attributes[".corner_vert"].data.foreach_get("value", corners)
    firsts = np.cumsum(sizes, dtype=np.int32) - sizes  # corners
    triangles = _split_at_first_corner(corners, firsts, faces)
    _ask_where_doubtful(mesh, triangles, _is_doubtful(mesh, corners, firsts, sizes)[faces])
    return triangles


def _split_at_first_corner(corners, firsts, faces):
    """Triangles as they are, and quads by the diagonal from their first corner (t, 3)."""
    first = firsts[faces]
    second = first + 1
    second[1:] += faces[1:] == faces[:-1]  # the other half of a quad
    return np.column_stack([corners[first], corners[second], corners[np.minimum(second + 1, len(corners) - 1)]])


def _is_doubtful(mesh, corners, firsts, sizes):
    """Whether Blender may split a face (f,) otherwise: it has more corners, or is a quad that is not clearly convex."""
    is_doubtful = sizes > 4
    quads = np.flatnonzero(sizes == 4)
    coordinates = np.ascontiguousarray(read_vertices(mesh).T)
    at = np.take(coordinates, corners[firsts[quads] + np.arange(4)[:, None]], axis=1)  # (3, 4, q)
    side, diagonal, last = (at[:, corner] - at[:, 0] for corner in (1, 2, 3))
    one, other = _cross(side, diagonal), _cross(diagonal, last)
    is_doubtful[quads] = (one * other).sum(axis=0) <= FOLD * np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    return is_doubtful


def _cross(a, b):
    """Cross products (3, n) of vectors (3, n); numpy's own takes three times as long."""
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _ask_where_doubtful(mesh, triangles, is_doubtful):
    doubtful = np.flatnonzero(is_doubtful)
    if len(doubtful) > FEW * len(triangles):
        mesh.loop_triangles.foreach_get("vertices", triangles.ravel())
        return
    for number in doubtful.tolist():
        triangles[number] = mesh.loop_triangles[number].vertices
