"""Where the strain of a body of frames is measured: a few places that stand for many tetrahedra.

Tetrahedra that the same frames move form a group, and the gradients of the nodes' weights in them a cloud of points
with a mean and principal directions, as mass in space has. A few equal cells have the same mean and the same second
moments (equation 11): any energy that is quadratic in the deformation gradient is integrated exactly.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ..energies.tetrahedron import rest_shapes
from ..volume.mesh import VolumeMesh, tetrahedron_volumes
from .blending import largest_weights
from .equimomental import Frames

SLIGHT = 0.03  # mean weight of a frame that does not count in a tetrahedron
GROUPS_PER_FRAME = 6  # the largest; tetrahedra of others join the group that has most of their weights
# Variance over the square of the mean: one frame alone has no other. Bending of thin parts comes close, with the square
# of their thickness over the distance between frames, and must not be left out.
ROUNDING = 1e-13
# Weights of a tetrahedron's corners at four places whose mean is exact for quadratic functions.
PLACES = 0.25 * (1.0 - 1.0 / np.sqrt(5.0)) + np.eye(4) / np.sqrt(5.0)
POINT, MEAN, WHOLE = range(3)  # roles of a cell: one of several in a group; their mean; a group of one


class FrameCells(NamedTuple):
    """Cells that the same number m of frames moves."""

    nodes: np.ndarray  # of the frames                               (e, 4 m) int32
    gradients: np.ndarray  # of the nodes' weights; they sum to zero (e, 4 m, 3) [1/m]
    volumes: np.ndarray  # (e,) [m³]
    roles: np.ndarray  # POINT, MEAN or WHOLE                        (e,) int8


class _Group(NamedTuple):
    """Tetrahedra that the same m frames move; k = 12 m numbers are the gradients of the weights of their nodes."""

    frames: np.ndarray  # (m,)
    volume: float  # [m³]
    mean: np.ndarray  # of the gradients                     (k,) [1/m]
    spreads: np.ndarray  # from the mean along the principal directions  (r, k) [1/m]


def frame_cells(mesh: VolumeMesh, frames: Frames, weights: csr_matrix) -> list[FrameCells]:
    """The cells of a mesh whose nodes frames move with weights (n, f), sorted by the number of frames."""
    parts = [_cells(group) for group in _groups(mesh, frames, weights)]
    widths = sorted({part.nodes.shape[1] for part in parts})
    alike = ([part for part in parts if part.nodes.shape[1] == width] for width in widths)
    return [FrameCells(*(np.concatenate(fields) for fields in zip(*same))) for same in alike]


def _groups(mesh, frames, weights):
    volumes = mesh.fractions * tetrahedron_volumes(mesh.nodes, mesh.tetrahedra)
    sets, of_tetrahedron = _frame_sets(mesh, weights, volumes)
    order = np.argsort(of_tetrahedron, kind="stable")
    bounds = np.searchsorted(of_tetrahedron[order], np.arange(len(sets) + 1))
    for row, members in zip(sets, np.split(order, bounds[1:-1])):
        if len(members):
            own, tetrahedra = row[row >= 0], mesh.tetrahedra[members]
            corner_weights = weights[tetrahedra.ravel()][:, own].toarray().reshape(*tetrahedra.shape, len(own))
            gradients = _weight_gradients(mesh.nodes, tetrahedra, frames, own, corner_weights)
            yield _group(own, np.repeat(0.25 * volumes[members], 4), gradients)


def _frame_sets(mesh, weights, volumes):
    """Sets of frames (s, 4), −1 where there are fewer, and the set (t,) of each tetrahedron."""
    means = _mean_weights(mesh, weights)
    largest = largest_weights(means)
    rows = np.sort(np.where(largest.weights > SLIGHT, largest.frames, -1), axis=1)
    _find_cells_for_all(means, rows)
    sets, of_tetrahedron = np.unique(rows, axis=0, return_inverse=True)
    of_tetrahedron = of_tetrahedron.ravel()
    places, slots = np.nonzero(sets >= 0)
    members = csr_matrix((np.ones(len(places)), (places, sets[places, slots])), shape=(len(sets), weights.shape[1]))
    is_large = _largest_of_each_frame(members.tocsc(), np.bincount(of_tetrahedron, volumes))
    homeless = np.flatnonzero(~is_large[of_tetrahedron])
    of_tetrahedron = (np.cumsum(is_large) - 1)[of_tetrahedron]
    if len(homeless):
        of_tetrahedron[homeless] = np.ravel((means[homeless] @ members[is_large].T).argmax(axis=1))
    return sets[is_large], of_tetrahedron


def _find_cells_for_all(means, rows):
    """A frame that is nowhere among the largest joins where it is largest: without a cell it would fall alone."""
    frames = np.arange(means.shape[1])
    best = np.ravel(means.argmax(axis=0))
    lost = np.setdiff1d(frames, rows)
    rows[best[lost], 0] = lost
    rows.sort(axis=1)


def _mean_weights(mesh, weights):
    """Of each frame in each tetrahedron, as a sparse matrix (t, f)."""
    corner = np.arange(mesh.tetrahedra.size)
    shape = (len(mesh.tetrahedra), len(mesh.nodes))
    means = csr_matrix((np.full(len(corner), 0.25), (corner // 4, mesh.tetrahedra.ravel())), shape=shape)
    return means @ weights


def _largest_of_each_frame(members, set_volumes):
    is_large = np.zeros(len(set_volumes), bool)
    for first, end in zip(members.indptr[:-1], members.indptr[1:]):
        of_frame = members.indices[first:end]
        is_large[of_frame[np.argsort(-set_volumes[of_frame], kind="stable")[:GROUPS_PER_FRAME]]] = True
    return is_large


def _weight_gradients(positions, tetrahedra, frames, own, corner_weights):
    """∇(w b) = w ∇b + b ∇w for all nodes of its own frames at the four places of each tetrahedron (4 t, 4 m, 3) [1/m].

    Blending weights w are linear in the tetrahedron, as are the barycentric weights b (equation 10).
    """
    # A corner that other frames move altogether does what the rest of the tetrahedron does.
    corner_weights = corner_weights + 1e-9 * corner_weights.mean(axis=1, keepdims=True)
    corner_weights /= corner_weights.sum(axis=2, keepdims=True)
    inverses, _ = rest_shapes(tetrahedra, positions)
    corner_slopes = np.concatenate([-inverses.sum(axis=1, keepdims=True), inverses], axis=1)
    slopes = np.einsum("tcm,tcx->tmx", corner_weights, corner_slopes)[:, None, :, None]
    weights = (PLACES @ corner_weights)[..., None, None]
    barycentric = frames.weights(np.broadcast_to(own, weights.shape[:3]), (PLACES @ positions[tetrahedra])[:, :, None])
    gradients = weights * frames.weight_gradients[own] + barycentric[..., None] * slopes
    return gradients.reshape(4 * len(tetrahedra), -1, 3)


def _group(frames, volumes, gradients):
    flat, total = gradients.reshape(len(gradients), -1), volumes.sum()
    mean = volumes @ flat / total
    scaled = (flat - mean) * np.sqrt(volumes / total)[:, None]
    # The covariance itself would square the condition, and small directions would no longer sum to zero.
    _, deviations, directions = np.linalg.svd(np.linalg.qr(scaled, mode="r"), full_matrices=False)
    is_real = deviations**2 > ROUNDING * (mean @ mean)
    return _Group(frames, total, mean, deviations[is_real, None] * directions[is_real])


def _cells(group):
    """Equal cells at the corners of a simplex around the mean, and the mean itself."""
    count = len(group.spreads) + 1
    place = np.pi * (np.arange(count)[:, None] + 0.5) / count
    corners = np.sqrt(2.0) * np.cos(place * np.arange(1, count))  # of unit variance along each of the directions
    points, volumes = group.mean + corners @ group.spreads, np.full(count, group.volume / count)
    roles = np.full(count, WHOLE, np.int8)
    if count > 1:
        points, volumes = np.vstack([points, group.mean]), np.append(volumes, group.volume)
        roles = np.append(np.full(count, POINT, np.int8), np.int8(MEAN))
    nodes = (4 * group.frames[:, None] + np.arange(4)).ravel().astype(np.int32)
    return FrameCells(np.tile(nodes, (len(points), 1)), points.reshape(len(points), -1, 3), volumes, roles)
