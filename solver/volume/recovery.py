"""Make the boundary of a tetrahedral mesh that of the surface, face by face.

The faces that the mesh has too many and those that it lacks form closed patches. Each patch is mended by
emptying the tetrahedra around it and filling the hole, now bounded by the right faces, with a star.
"""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from .mending import mend_patches
from .mesh import outward_faces
from .mesh_edit import begin_pass, end_pass
from .patches import paired_faces

PASSES = 20


def recover_surface(points: np.ndarray, tetrahedra: np.ndarray, triangles: np.ndarray):
    """A mesh whose boundary is `triangles`, or as near as it came; points, tetrahedra, and faces still wrong."""
    wrong_before = -1
    for turn in range(PASSES):
        extra, owners, missing = boundary_mismatch(tetrahedra, triangles)
        wrong = len(extra) + len(missing)
        if not wrong or (wrong == wrong_before and turn % 2):
            break
        wrong_before = wrong
        edit = begin_pass(points, tetrahedra)
        # Cavities of one pass must not touch; turning the order round gives the others their chance.
        mend_patches(*edit, *_patches(points, extra, owners, missing, reverse=bool(turn % 2)))
        points, tetrahedra = end_pass(edit)
    extra, _, missing = boundary_mismatch(tetrahedra, triangles)
    return points, tetrahedra, len(extra) + len(missing)


def boundary_mismatch(tetrahedra, triangles):
    """Boundary faces that are no surface triangle, their tetrahedra, and surface triangles that are no such face."""
    faces = outward_faces(tetrahedra).reshape(-1, 3)
    everything = np.concatenate([faces, triangles[:, ::-1]])
    keys, signs = _face_keys(everything)
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(keys[order]) != 0]))
    sums = np.add.reduceat(signs[order], starts)
    lengths = np.diff(np.concatenate([starts, [len(keys)]]))
    unbalanced = order[np.repeat(sums != 0, lengths)]
    extra = np.sort(unbalanced[unbalanced < len(faces)])
    missing = np.sort(unbalanced[unbalanced >= len(faces)]) - len(faces)
    return faces[extra], (extra // 4).astype(np.int32), triangles[missing]


def _face_keys(faces):
    """A number for the three vertices of each face, and ±1 for the way they turn.

    21 bits a vertex: meshes of more than two million nodes would get equal keys, and count as not recovered.
    """
    low, middle, high = np.sort(faces, axis=1).astype(np.int64).T
    turns = (faces[:, 0] < faces[:, 1]).astype(int) + (faces[:, 1] < faces[:, 2]) + (faces[:, 2] < faces[:, 0])
    return (low << 42) | (middle << 21) | high, np.where(turns == 2, 1, -1)


def _patches(points, extra, owners, missing, reverse):
    """Faces grouped into closed patches: group starts, faces, and the tetrahedron of each extra one, −1 if missing."""
    faces = np.concatenate([extra, missing]).astype(np.int32)
    owners = np.concatenate([owners, np.full(len(missing), -1, np.int32)])
    first, second = paired_faces(points, faces, np.where(owners >= 0, 1, -1))
    graph = coo_matrix((np.ones(len(first), bool), (first, second)), shape=(len(faces), len(faces)))
    _, labels = connected_components(graph, directed=False)
    labels = -labels if reverse else labels
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(labels[order]) != 0, [True]]))
    return starts.astype(np.int32), np.ascontiguousarray(faces[order]), np.ascontiguousarray(owners[order])
