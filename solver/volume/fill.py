"""A tetrahedral mesh whose boundary is the surface itself."""

import numpy as np
from scipy.spatial import Delaunay, QhullError

from .improvement import improve_shapes
from .inside import InsideTest, are_inside, inside_test
from .interior_points import interior_points
from .mesh import VolumeMesh, enclosed_volume, tetrahedron_qualities, tetrahedron_volumes
from .mesh_edit import without_unused_points
from .recovery import boundary_mismatch, recover_surface

DEFAULT_RESOLUTION = 8  # at least so many points deep inside, along the longest side
LEAST_QUALITY = 0.002  # of the worst tetrahedron; only needle-like surface triangles lead below
FLAT = 1e-4  # quality of tetrahedra that are left out, to be mended as a crack in the mesh
ROUNDS = 4  # of recovery and improvement
SHAKE = 1e-8  # of the longest side: points on a common sphere or plane get a definite order


def fill(
    positions: np.ndarray,
    triangles: np.ndarray,
    resolution: int | None = None,
    inner_points: np.ndarray | None = None,
) -> VolumeMesh | None:
    """Tetrahedra inside a closed surface that does not cross itself, with outward normals.

    The surface's vertices are the first nodes, its triangles are faces of the mesh. `resolution` is the least
    number of points along the longest side deep inside, if no points (i, 3) [m] are given for the inside; a few may
    be added to them, or left out. None if no well-shaped mesh was found.
    """
    center, size = _middle_and_size(positions)
    if size <= 0.0:
        return None
    unit = (positions - center) / size
    test = inside_test(unit, triangles)
    if inner_points is None:
        inner = interior_points(unit, triangles, test, 1.0 / (resolution or DEFAULT_RESOLUTION))
    else:
        inner = (inner_points - center) / size
    points = np.concatenate([unit, inner])
    tetrahedra = _delaunay_inside(points, len(unit), test)
    if not len(tetrahedra):
        return None
    points, tetrahedra = _repaired(points, tetrahedra, triangles)
    points, tetrahedra = without_unused_points(points, tetrahedra, len(positions))
    if not _is_right(points, tetrahedra, triangles):
        return None
    nodes = np.concatenate([positions, center + size * points[len(positions) :]])
    return VolumeMesh(nodes, np.ascontiguousarray(tetrahedra), np.ones(len(tetrahedra)))


def _middle_and_size(positions):
    low, high = positions.min(axis=0), positions.max(axis=0)
    return 0.5 * (low + high), float((high - low).max())


def _delaunay_inside(points: np.ndarray, surface_count: int, test: InsideTest):
    """Delaunay tetrahedra inside the surface, positively oriented, flat ones left out.

    Inside are those with an interior point, and of the others those whose middle is. This may be wrong where
    tetrahedra cross the surface; recovery mends that.
    """
    shaken = points + SHAKE * np.random.default_rng(0).uniform(-1.0, 1.0, points.shape)
    try:
        tetrahedra = Delaunay(shaken).simplices.astype(np.int32)
    except QhullError:
        return np.zeros((0, 4), np.int32)
    is_negative = tetrahedron_volumes(shaken, tetrahedra) < 0.0
    tetrahedra[is_negative] = tetrahedra[is_negative][:, [0, 2, 1, 3]]
    tetrahedra = tetrahedra[tetrahedron_qualities(points, tetrahedra) > FLAT]
    is_inside = (tetrahedra >= surface_count).any(axis=1)
    middles = points[tetrahedra[~is_inside]].mean(axis=1)
    is_inside[~is_inside] = are_inside(test, middles)
    return np.ascontiguousarray(tetrahedra[is_inside])


def _repaired(points, tetrahedra, triangles):
    """Recover the surface and improve shapes; better shapes may free patches that were stuck."""
    wrong_before = np.inf
    for _ in range(ROUNDS):
        points, tetrahedra, wrong_faces = recover_surface(points, tetrahedra, triangles)
        points, tetrahedra = improve_shapes(points, tetrahedra)
        if not wrong_faces or wrong_faces >= wrong_before:
            break
        wrong_before = wrong_faces
    return points, tetrahedra


def _is_right(points, tetrahedra, triangles):
    """Positive tetrahedra with exactly this boundary fill it once; the volume is checked all the same."""
    extra, _, missing = boundary_mismatch(tetrahedra, triangles)
    if len(extra) or len(missing) or tetrahedron_qualities(points, tetrahedra).min() < LEAST_QUALITY:
        return False
    volume = enclosed_volume(points, triangles)
    return bool(abs(tetrahedron_volumes(points, tetrahedra).sum() - volume) <= 1e-9 * volume)
