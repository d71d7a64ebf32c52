"""Meshes that the laws are tried on, and the sum of element results over nodes."""

import numpy as np

from tests.solver.energies.law_cases import batch, matrices


def strip(columns, rows, spacing):
    """A flat grid of right triangles, columns along x; positions (n, 3), triangles (t, 3)."""
    x, y = np.meshgrid(np.arange(columns + 1) * spacing[0], np.arange(rows + 1) * spacing[1], indexing="ij")
    positions = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    corner = (np.arange(columns)[:, None] * (rows + 1) + np.arange(rows)).ravel()
    across, along = corner + 1, corner + rows + 1
    lower, upper = np.column_stack([corner, along, across]), np.column_stack([along, along + 1, across])
    return positions, np.concatenate([lower, upper]).astype(np.int32)


def cube_of_tetrahedra(random, cells=2):
    """A unit cube cut into six tetrahedra a cell, inner nodes displaced; positions, tetrahedra, inner nodes."""
    ticks = np.arange(cells + 1)
    grid = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    number = {tuple(point): index for index, point in enumerate(grid)}
    tetrahedra = []
    for cell in np.ndindex(cells, cells, cells):
        for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
            path = [np.array(cell)]
            for axis in order:
                path.append(path[-1] + np.eye(3, dtype=int)[axis])
            tetrahedra.append([number[tuple(point)] for point in path])
    is_inner = ((grid > 0) & (grid < cells)).all(axis=1)
    positions = grid / cells
    positions[is_inner] += 0.1 / cells * random.normal(size=(is_inner.sum(), 3))
    return positions, np.array(tetrahedra, np.int32), np.flatnonzero(is_inner)


def nodal_gradient(law, positions):
    """Element gradients added up over the nodes (n, 3)."""
    total = np.zeros_like(positions)
    np.add.at(total, law.nodes, batch(law, positions)[1])
    return total


def nodal_hessian(law, positions):
    """Projected element Hessians added up, dense (3 n, 3 n)."""
    total = np.zeros((positions.size, positions.size))
    rows = (3 * law.nodes[:, :, None] + np.arange(3)).reshape(len(law.nodes), -1)
    np.add.at(total, (rows[:, :, None], rows[:, None, :]), matrices(batch(law, positions)[2]))
    return total


def free_motions(positions, nodes):
    """Basis (3 n, m) of the motions of free nodes."""
    return np.eye(positions.size)[:, (3 * np.asarray(nodes)[:, None] + np.arange(3)).ravel()]


def relax(laws, positions, motions, load=0.0, inertia=1e-12, iterations=500):
    """Equilibrium within a basis of motions (3 n, m) and under constant forces (n, 3), by Projected Newton.

    Inertia, relative to the mean stiffness, holds motions that have no stiffness.
    """
    x = positions.copy()
    load = np.broadcast_to(load, x.shape)

    def energy(y):
        return sum(batch(law, y)[0].sum() for law in laws) - (load * y).sum()

    for _ in range(iterations):
        residual = sum(nodal_gradient(law, x) for law in laws) - load
        hessian = motions.T @ sum(nodal_hessian(law, x) for law in laws) @ motions
        stiffness, force = np.trace(hessian) / len(hessian), motions.T @ residual.ravel()
        step = -np.linalg.solve(hessian + inertia * stiffness * np.eye(len(hessian)), force)
        step = (motions @ step).reshape(x.shape)
        # Free bodies may turn: the second condition sees that nothing drives them.
        if np.abs(step).max() < 1e-9 or np.abs(force).max() < 1e-12 * stiffness:
            return x
        before, fraction = energy(x), 1.0
        while energy(x + fraction * step) > before and fraction > 1e-6:
            fraction *= 0.5
        x += fraction * step
    raise AssertionError("not in equilibrium")
