"""Which guides a strand goes by, and how: three of them, by the distances of the roots."""

from typing import NamedTuple

import numpy as np

NEAREST = 8  # guides among which three are chosen whose roots are not in a line
THINNEST = 1e-3  # height of the roots' triangle to its longest side


class GuideWeights(NamedTuple):
    """Three guides of each point of the strands."""

    points: np.ndarray  # of the guides, before the place that is gone by              (n, 3) int
    shares: np.ndarray  # of the way from there to the next                            (n, 3)
    weights: np.ndarray  # of the guides, which add up to one                          (n, 3)
    roots: np.ndarray  # of the guides                                                 (n, 3) int
    offset: np.ndarray  # from the weighted sum, in the frame of the roots' triangle   (n, 3)


def guide_weights(positions, offsets, guide_positions, guide_offsets) -> GuideWeights | None:
    """Of strands at positions (n, 3) with offsets (s + 1,), as the guides have; None where no triangle leads them."""
    triples = _triples(positions[offsets[:-1]], guide_positions[guide_offsets[:-1]])
    if triples is None:
        return None
    strand_of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    guides = triples[strand_of]
    points, shares = _places(_shares_of_length(positions, offsets), guides, guide_positions, guide_offsets)
    roots = guide_offsets[guides]
    weights = _weights(positions[offsets[:-1]][strand_of], guide_positions[roots])
    following = np.minimum(points + 1, len(guide_positions) - 1)
    on_guides = guide_positions[points] + shares[..., None] * (guide_positions[following] - guide_positions[points])
    residual = positions - (weights[..., None] * on_guides).sum(axis=1)
    offset = np.einsum("nij,nj->ni", triangle_frames(guide_positions[roots]), residual)
    return GuideWeights(points, shares, weights, roots, offset)


def triangle_frames(corners: np.ndarray) -> np.ndarray:
    """Rows: along the first side of triangles (n, 3, 3), across it, and along the normal."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    along, normal = _unit(first), _unit(np.cross(first, second))
    return np.stack([along, np.cross(normal, along), normal], axis=1)


def _unit(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)


def _triples(roots, guide_roots):
    """The nearest three guides of each strand (s, 3) whose roots make a triangle."""
    from scipy.spatial import KDTree

    if len(guide_roots) < 3:
        return None
    count = min(NEAREST, len(guide_roots))
    _, near = KDTree(guide_roots).query(roots, k=count)
    triples = np.full((len(roots), 3), -1, np.int64)
    for second in range(1, count - 1):
        for third in range(second + 1, count):
            chosen = near[:, [0, second, third]]
            is_better = (triples[:, 0] < 0) & _is_triangle(guide_roots[chosen])
            triples[is_better] = chosen[is_better]
    return None if (triples < 0).any() else triples


def _is_triangle(corners):
    sides = np.roll(corners, -1, axis=1) - corners
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    return np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) > THINNEST * longest**2


def _shares_of_length(positions, offsets):
    """How far each point (n,) is along its strand, 0 to 1."""
    steps = np.linalg.norm(np.diff(positions, axis=0, prepend=positions[:1]), axis=1)
    travelled = np.cumsum(steps)
    strand_of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    from_root = travelled - travelled[offsets[:-1]][strand_of]
    whole = (travelled[offsets[1:] - 1] - travelled[offsets[:-1]])[strand_of]
    return np.divide(from_root, whole, out=np.zeros_like(whole), where=whole > 0.0)


def _places(along, guides, guide_positions, guide_offsets):
    """On each guide, the point before the same share of its length (n, 3), and the share of the way to the next."""
    shares_of_points = _shares_of_length(guide_positions, guide_offsets)
    guide_of = np.repeat(np.arange(len(guide_offsets) - 1), np.diff(guide_offsets))
    keys = 2.0 * guide_of + shares_of_points  # increasing over all guides
    first, last = guide_offsets[guides], guide_offsets[guides + 1] - 1
    points = np.searchsorted(keys, 2.0 * guides + along[:, None], side="right") - 1
    points = np.clip(points, first, np.maximum(last - 1, first))
    following = np.minimum(points + 1, last)
    way = shares_of_points[following] - shares_of_points[points]
    gone = along[:, None] - shares_of_points[points]
    return points, np.clip(np.divide(gone, way, out=np.zeros_like(way), where=way > 0.0), 0.0, 1.0)


def _weights(roots, guide_roots):
    """By the inverse squares of distances: a strand that grows on a guide's root goes by that alone."""
    squares = ((guide_roots - roots[:, None]) ** 2).sum(axis=2)
    inverse = 1.0 / np.maximum(squares, 1e-12 * squares.max(axis=1, keepdims=True))
    return inverse / inverse.sum(axis=1, keepdims=True)
