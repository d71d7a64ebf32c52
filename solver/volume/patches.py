"""How faces that form closed patches hang together along edges that several patches share."""

import numpy as np


def paired_faces(points: np.ndarray, faces: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of faces that belong to one patch.

    The faces (f, 3), with `signs` (f,) +1 for those to take away and −1 for those to put in, are closed: at each
    edge they cancel. Where more than two meet, neighbours in the order around the edge are paired.
    """
    edge, face, direction, angle = _edge_uses(points, faces, signs)
    order = np.lexsort((angle, edge))
    edge, face, direction, angle = edge[order], face[order], direction[order], angle[order]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(edge) != 0]))
    lengths = np.diff(np.concatenate([starts, [len(edge)]]))
    start, length = np.repeat(starts, lengths), np.repeat(lengths, lengths)
    place = np.arange(len(edge)) - start
    after = start + (place + 1) % length
    gap = np.where(place + 1 < length, angle[after] - angle, angle[after] + 2.0 * np.pi - angle)
    parity = _better_parity(gap, direction, direction[after], place, starts)
    # An odd number of faces at an edge cannot be paired: then all belong together.
    is_pair = (place % 2 == np.repeat(parity, lengths)) | (length % 2 == 1)
    return face[is_pair], face[after[is_pair]]


def _edge_uses(points, faces, signs):
    """For each side of each face: its edge, the face, the signed direction along the edge and the angle around it."""
    tail, head = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    apex = np.roll(faces, -2, axis=1).ravel()
    low, high = np.minimum(tail, head).astype(np.int64), np.maximum(tail, head).astype(np.int64)
    _, edge = np.unique((low << 32) | high, return_inverse=True)
    direction = np.where(tail < head, 1, -1) * np.repeat(signs, 3)
    axis = points[high] - points[low]
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-300)
    # Any fixed direction across the edge serves as zero: the one of the least component.
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis), axis=1)])
    out = points[apex] - points[low]
    angle = np.arctan2(np.einsum("ij,ij->i", out, np.cross(axis, across)), np.einsum("ij,ij->i", out, across))
    return edge.ravel(), np.repeat(np.arange(len(faces)), 3), direction, angle


def _better_parity(gap, direction, next_direction, place, starts):
    """Whether to pair first with second (0) or second with third (1) around each edge.

    The pairs must cancel; of two ways that do, the one with the smaller angles.
    """
    cost = gap + np.where(direction + next_direction == 0, 0.0, 100.0)
    even = np.add.reduceat(np.where(place % 2 == 0, cost, 0.0), starts)
    odd = np.add.reduceat(np.where(place % 2 == 1, cost, 0.0), starts)
    return np.where(even <= odd, 0, 1)
