"""A regular cage around a surface of any kind, and the surface's place in it."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from .embedding import Embedding
from .inside import enclosed_voxels
from .lattice import CORNERS, cube_tetrahedra, cube_weights
from .mesh import VolumeMesh, enclosed_volume
from .surface_health import SurfaceHealth, surface_health
from .voxels import touched_voxels
from .winding import winding_numbers, winding_tree

FEWEST_CELLS, MOST_CELLS = 12, 20  # along the longest side, unless asked otherwise
FINEST_GRID = 256  # voxels along the longest side: 17 million in a full cube
VOXELS_PER_CELL = 4  # along a side; gaps wider than two voxels keep parts apart
HALF = 0.5  # of a voxel that the surface touches is filled
LEAST_SHARE = 0.02  # of a cell, over the fullest one's: nodes without mass make the equations stiff


class Grid(NamedTuple):
    """Cells around a surface, each divided into voxels."""

    low: np.ndarray  # corner of the first cell                  (3,) [m]
    cell_size: float  # [m]
    cells: np.ndarray  # along each axis                         (3,)
    division: int  # voxels along a cell

    @property
    def voxel_size(self) -> float:
        return self.cell_size / self.division

    @property
    def voxels(self) -> tuple[int, int, int]:
        x, y, z = (int(count) for count in self.cells * self.division)
        return x, y, z


class Fragments(NamedTuple):
    """Connected pieces of the solid, cut by the cells; two pieces in one cell get a cell each."""

    cells: np.ndarray  # of each fragment                                       (f, 3)
    of_voxel: np.ndarray  # fragment of each voxel, −1 if empty                 (x, y, z) int32
    joints: tuple  # fragments that go on in the next cell along each axis      3 × (j, 2)


def cage(
    positions: np.ndarray,
    triangles: np.ndarray,
    resolution: int | None = None,
    health: SurfaceHealth | None = None,
) -> tuple[VolumeMesh, Embedding]:
    """Cubes of tetrahedra over all that the surface touches or encloses, and the vertices' places in them.

    `resolution` is the number of cells along the longest side. Parts of the object that are near but not
    joined get cells of their own where more than about half a cell lies between them.
    """
    health = health or surface_health(positions, triangles)
    grid = _grid_around(positions, resolution or default_resolution(positions, health.triangles))
    touched = _touched(grid, positions, health.triangles)
    inside = _enclosed(grid, touched, positions, health)
    fragments = _fragments(grid, touched | inside)
    corner_nodes, nodes = _nodes(grid, fragments)
    cubes = cube_tetrahedra(fragments.cells)
    tetrahedra = np.take_along_axis(corner_nodes[:, None, :], cubes, axis=2).reshape(-1, 4).astype(np.int32)
    shares = _filled_shares(grid, fragments, touched, inside, positions, health)
    mesh = VolumeMesh(nodes, tetrahedra, np.repeat(shares, 6))
    return mesh, _embedding(grid, fragments, corner_nodes, positions)


def default_resolution(positions: np.ndarray, triangles: np.ndarray) -> int:
    """Cells about twice as long as the surface's edges, within bounds that stay quick to simulate."""
    if not len(triangles):
        return FEWEST_CELLS
    edges = np.linalg.norm(positions[triangles] - positions[np.roll(triangles, -1, axis=1)], axis=2)
    longest = np.ptp(positions, axis=0).max()
    return int(np.clip(0.5 * longest / max(float(edges.mean()), 1e-300), FEWEST_CELLS, MOST_CELLS))


def _grid_around(positions, resolution):
    low, high = positions.min(axis=0), positions.max(axis=0)
    # A point has no size: any cell will do that its coordinates can resolve.
    longest = max(float((high - low).max()), 1e-6 * float(np.abs(positions).max()), 1e-9)
    cell_size = longest / resolution * (1.0 + 1e-6)  # the last vertex lies inside its cell, not on its far side
    cells = np.maximum(1, np.ceil((high - low) / cell_size)).astype(int)
    division = int(np.clip(FINEST_GRID // resolution, 1, VOXELS_PER_CELL))
    return Grid(0.5 * (low + high) - 0.5 * cells * cell_size, cell_size, cells, division)


def _voxel_of(grid, positions):
    places = np.floor((positions - grid.low) / grid.voxel_size).astype(int)
    return np.clip(places, 0, np.array(grid.voxels) - 1)


def _touched(grid, positions, triangles):
    touched = touched_voxels((positions[triangles] - grid.low) / grid.voxel_size, grid.voxels)
    touched[tuple(_voxel_of(grid, positions).T)] = True  # loose vertices too
    return touched


def _enclosed(grid, touched, positions, health):
    """Voxels that the surface encloses without touching; none if it has openings."""
    if not health.is_watertight:
        return np.zeros(grid.voxels, bool)
    # Far from the origin, coordinates are rounded too much to tell sides.
    surface = winding_tree((positions - grid.low) / grid.voxel_size, health.triangles)
    return enclosed_voxels(touched, lambda voxels: winding_numbers(surface, voxels + 0.5))


def _fragments(grid, occupied):
    numbers = np.full(grid.voxels, -1, np.int32)
    numbers[occupied] = np.arange(occupied.sum())
    pairs, crosses = [], []
    for axis in range(3):
        before, after = (np.moveaxis(numbers, axis, 0)[part] for part in (slice(None, -1), slice(1, None)))
        is_joined = (before >= 0) & (after >= 0)
        place = np.broadcast_to(np.arange(1, len(before) + 1)[:, None, None], before.shape)[is_joined]
        pairs.append(np.column_stack([before[is_joined], after[is_joined]]))
        crosses.append(place % grid.division == 0)
    within = np.concatenate([pair[~cross] for pair, cross in zip(pairs, crosses)])
    count = int(numbers.max()) + 1
    graph = coo_matrix((np.ones(len(within), bool), (within[:, 0], within[:, 1])), shape=(count, count))
    fragment_count, labels = connected_components(graph, directed=False)
    cells = np.zeros((fragment_count, 3), int)
    cells[labels] = np.argwhere(occupied) // grid.division
    joints = tuple(np.unique(labels[pair[cross]].reshape(-1, 2), axis=0) for pair, cross in zip(pairs, crosses))
    of_voxel = np.full(grid.voxels, -1, np.int32)
    of_voxel[occupied] = labels
    return Fragments(cells, of_voxel, joints)


def _nodes(grid, fragments):
    """The node at each corner of each fragment's cell (f, 8), and the nodes' positions (n, 3)."""
    ties = [np.zeros((0, 2), int)]
    for axis, pairs in enumerate(fragments.joints):
        far, near = np.flatnonzero(CORNERS[:, axis] == 1), np.flatnonzero(CORNERS[:, axis] == 0)
        for first, second in zip(far, near):
            ties.append(np.column_stack([8 * pairs[:, 0] + first, 8 * pairs[:, 1] + second]))
    tied = np.concatenate(ties)
    count = 8 * len(fragments.cells)
    graph = coo_matrix((np.ones(len(tied), bool), (tied[:, 0], tied[:, 1])), shape=(count, count))
    node_count, labels = connected_components(graph, directed=False)
    keys = np.zeros((node_count, 3), int)
    keys[labels] = (fragments.cells[:, None] + CORNERS).reshape(-1, 3)
    return labels.reshape(-1, 8), grid.low + keys * grid.cell_size


def _filled_shares(grid, fragments, touched, inside, positions, health):
    """How much of each fragment's cell is material (f,).

    On average the surface halves the voxels that it touches; that share is scaled so that the whole has the
    volume that the surface encloses. Without an inside, the touched voxels are the material.
    """
    share = 1.0
    if health.is_watertight:
        share = HALF
        if not len(health.crossing_edges):
            volume = enclosed_volume(positions, health.triangles) / grid.voxel_size**3
            share = np.clip((volume - inside.sum()) / touched.sum(), LEAST_SHARE * HALF, 1.0)
    voxel_shares = np.where(inside, 1.0, np.where(touched, share, 0.0))
    occupied = fragments.of_voxel >= 0
    sums = np.bincount(fragments.of_voxel[occupied], voxel_shares[occupied], minlength=len(fragments.cells))
    shares = np.maximum(sums, LEAST_SHARE * sums.max()) / grid.division**3
    return shares * (sums.sum() / grid.division**3 / shares.sum())


def _embedding(grid, fragments, corner_nodes, positions):
    voxels = _voxel_of(grid, positions)
    fragment = fragments.of_voxel[tuple(voxels.T)]
    cells = voxels // grid.division
    offsets = np.clip((positions - grid.low) / grid.cell_size - cells, 0.0, 1.0)
    corners, weights = cube_weights(cells, offsets)
    nodes = np.take_along_axis(corner_nodes[fragment], corners, axis=1)
    return Embedding(np.ascontiguousarray(nodes, dtype=np.int32), weights)
