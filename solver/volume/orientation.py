"""Which side of a surface is outside: one answer for all faces, whatever their normals say."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from .mesh import enclosed_volume
from .winding import winding_numbers, winding_tree


class Edges(NamedTuple):
    """The edges of a surface and the faces at each."""

    ends: np.ndarray  # vertices, the lower first                                   (e, 2) int32
    face_counts: np.ndarray  # faces at each edge                                   (e,)
    pairs: np.ndarray  # the two faces at each edge that has just two               (m, 2)
    pair_edges: np.ndarray  # that edge                                             (m,)
    agree: np.ndarray  # whether these two faces run along the edge in opposite directions (m,) bool


def surface_edges(triangles: np.ndarray) -> Edges:
    """All edges of a surface, sorted."""
    directed = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    low, high = directed.min(axis=1).astype(np.int64), directed.max(axis=1).astype(np.int64)
    keys, inverse, counts = np.unique((low << 32) | high, return_inverse=True, return_counts=True)
    ends = np.column_stack([keys >> 32, keys & 0xFFFFFFFF]).astype(np.int32)
    order = np.argsort(inverse.ravel(), kind="stable")
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    pair_edges = np.flatnonzero(counts == 2)
    first, second = order[starts[pair_edges]], order[starts[pair_edges] + 1]
    agree = directed[first, 0] != directed[second, 0]
    return Edges(ends, counts, np.column_stack([first, second]) // 3, pair_edges, agree)


def is_balanced(triangles: np.ndarray) -> bool:
    """Whether every edge is run along as often in one direction as in the other: no way in or out."""
    directed = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).astype(np.int64)
    forward = np.sort((directed[:, 0] << 32) | directed[:, 1])
    backward = np.sort((directed[:, 1] << 32) | directed[:, 0])
    return bool(np.array_equal(forward, backward))


def agreeing_triangles(triangles: np.ndarray, edges: Edges) -> tuple[np.ndarray, np.ndarray, bool]:
    """The faces turned so that neighbours agree, the sheet (t,) of each, and whether that was possible.

    Each face has two states, as given and turned. Neighbours tie state to state; a surface is one-sided
    when some face is tied to itself turned.
    """
    count = len(triangles)
    (first, second), turned = edges.pairs.T, np.where(edges.agree, 0, count)
    ties = np.concatenate([first, first + count]), np.concatenate([second + turned, (second + turned + count)])
    ties = ties[0], ties[1] % (2 * count)
    graph = coo_matrix((np.ones(len(ties[0]), bool), ties), shape=(2 * count, 2 * count))
    _, labels = connected_components(graph, directed=False)
    as_given, as_turned = labels[:count], labels[count:]
    result = np.where((as_given > as_turned)[:, None], triangles[:, ::-1], triangles)
    _, sheets = np.unique(np.minimum(as_given, as_turned), return_inverse=True)
    return np.ascontiguousarray(result), sheets.ravel(), not bool((as_given == as_turned).any())


def turned_triangles(positions: np.ndarray, triangles: np.ndarray, edges: Edges) -> tuple[np.ndarray, bool, bool]:
    """The faces turned outwards where there is an outside; whether they have only one side; whether they enclose."""
    agreeing, sheets, is_possible = agreeing_triangles(triangles, edges)
    # Crowded edges join sheets whose given normals may be the only ones that enclose anything.
    for candidate in (agreeing, triangles):
        if is_balanced(candidate):
            return outward_triangles(positions, candidate, sheets), not is_possible, True
    return agreeing if is_possible else triangles, not is_possible, False


def outward_triangles(positions: np.ndarray, triangles: np.ndarray, sheets: np.ndarray) -> np.ndarray:
    """The faces of closed sheets turned so that the solid is behind them.

    A sheet inside another bounds a hollow, one inside that hollow is solid again, and so on.
    """
    count = int(sheets.max()) + 1
    volumes = np.array([enclosed_volume(positions, triangles[sheets == sheet]) for sheet in range(count)])
    result = np.where((volumes < 0.0)[sheets][:, None], triangles[:, ::-1], triangles)
    if count > 1:
        is_hollow = _depths(positions, result, sheets) % 2 == 1
        result = np.where(is_hollow[sheets][:, None], result[:, ::-1], result)
    return np.ascontiguousarray(result)


def _depths(positions, triangles, sheets):
    """In how many other sheets each sheet lies."""
    depths = np.zeros(int(sheets.max()) + 1, int)
    all_sheets = winding_tree(positions, triangles)
    for sheet in range(len(depths)):
        own = triangles[sheets == sheet]
        probe = positions[own[:1, 0]]
        others = winding_numbers(all_sheets, probe) - winding_numbers(winding_tree(positions, own), probe)
        depths[sheet] = round(float(others[0]))
    return depths
