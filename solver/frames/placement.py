"""Where the frames of a body are: spread evenly along its inside, so that parts that are only near do not share one."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from ..volume.mesh import EDGES, VolumeMesh, node_volumes

NODES_PER_FRAME = 8  # at least: a frame has the freedom of four nodes, and is to be fewer than what it replaces
LEAST_SHARE = 0.05  # of the mean volume of all regions: a smaller one is lost among the weights of its neighbors
LLOYD_STEPS = 20  # the regions have long become even; usually they stop moving before


class Regions(NamedTuple):
    """Which part of a mesh is nearest to each frame, along the edges."""

    of_node: np.ndarray  # frame of each node                              (n,)
    spacings: np.ndarray  # from each frame to its neighbors, on average   (f,) [m]


def frame_regions(mesh: VolumeMesh, frame_count: int) -> Regions:
    """At most so many regions, fewer on coarse meshes; each separate part of the mesh has one of its own."""
    graph, volumes = edge_graph(mesh), node_volumes(mesh)
    part_count, parts = connected_components(graph, directed=False)
    count = max(part_count, min(frame_count, len(mesh.nodes) // NODES_PER_FRAME))
    seeds = _spread_seeds(graph, _innermost(mesh.nodes, volumes), count)
    for _ in range(LLOYD_STEPS):
        region, _ = _nearest_seeds(graph, seeds)
        centered = _centers_of(mesh.nodes, volumes, region)
        if np.array_equal(centered, seeds):
            break
        seeds = centered
    region, _ = _nearest_seeds(graph, seeds)
    seeds = seeds[_is_substantial(np.bincount(region, volumes), parts[seeds])]
    region, distances = _nearest_seeds(graph, seeds)
    return Regions(region, _spacings(graph, region, distances))


def mesh_edges(mesh: VolumeMesh) -> tuple[np.ndarray, np.ndarray]:
    """The edges of all tetrahedra (e, 2), sorted, and the edge (t, 6) of each."""
    ends = np.sort(mesh.tetrahedra[:, EDGES].reshape(-1, 2), axis=1).astype(np.int64)
    keys, inverse = np.unique(ends[:, 0] * len(mesh.nodes) + ends[:, 1], return_inverse=True)
    return np.column_stack(np.divmod(keys, len(mesh.nodes))), inverse.reshape(-1, 6)


def edge_graph(mesh: VolumeMesh) -> csr_matrix:
    """Lengths [m] of the edges, as a sparse matrix of nodes."""
    (first, second), count = mesh_edges(mesh)[0].T, len(mesh.nodes)
    lengths = np.linalg.norm(mesh.nodes[first] - mesh.nodes[second], axis=1)
    return coo_matrix((lengths, (first, second)), shape=(count, count)).tocsr()


def _innermost(nodes, volumes):
    """The node nearest to the center of volume."""
    return int(np.argmin(((nodes - volumes @ nodes / volumes.sum()) ** 2).sum(axis=1)))


def _spread_seeds(graph, start, count):
    """Nodes each as far from all others as can be; the first is the furthest from the start, unless it is alone."""
    distances = dijkstra(graph, directed=False, indices=start)
    if count > 1:
        start = int(np.argmax(distances))
        distances = dijkstra(graph, directed=False, indices=start)
    seeds = [start]
    while len(seeds) < count:
        seeds.append(int(np.argmax(distances)))
        # What is further away than all nodes are from their seeds cannot come nearer.
        new = dijkstra(graph, directed=False, indices=seeds[-1], limit=distances.max())
        distances = np.minimum(distances, new)
    return np.array(seeds)


def _nearest_seeds(graph, seeds):
    """The seed, by its place in the list, and the distance of each node."""
    distances, _, sources = dijkstra(graph, directed=False, indices=seeds, min_only=True, return_predecessors=True)
    order = np.argsort(seeds, kind="stable")
    return order[np.searchsorted(seeds[order], sources)], distances


def _centers_of(nodes, volumes, region):
    """The node of each region that is nearest to its center of volume."""
    totals = np.bincount(region, volumes)
    centers = np.column_stack([np.bincount(region, volumes * nodes[:, axis]) for axis in range(3)]) / totals[:, None]
    order = np.lexsort((((nodes - centers[region]) ** 2).sum(axis=1), region))
    return order[np.searchsorted(region[order], np.arange(len(totals)))]


def _is_substantial(region_volumes, parts):
    """Regions that are large enough, or the largest of their part of the mesh."""
    largest = np.zeros(parts.max() + 1)
    np.maximum.at(largest, parts, region_volumes)
    return (region_volumes >= LEAST_SHARE * region_volumes.mean()) | (region_volumes == largest[parts])


def _spacings(graph, region, distances):
    """The mean, over the neighbors of each seed, of the shortest way through an edge between the two regions.

    Zero where there are no neighbors.
    """
    edges, count = graph.tocoo(), int(region.max()) + 1
    first, second = region[edges.row], region[edges.col]
    is_between = first != second
    low, high = np.minimum(first, second)[is_between], np.maximum(first, second)[is_between]
    pairs, pair_of_edge = np.unique(low * count + high, return_inverse=True)
    ways = np.full(len(pairs), np.inf)
    np.minimum.at(ways, pair_of_edge, (distances[edges.row] + edges.data + distances[edges.col])[is_between])
    both = np.concatenate(np.divmod(pairs, count))
    neighbors = np.maximum(np.bincount(both, minlength=count), 1)
    return np.bincount(both, np.concatenate([ways, ways]), minlength=count) / neighbors
