"""Tetrahedra against closed forms: a clamped beam, at the order of linear elements."""

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

from stiction.solver.energies.corotated import Corotated
from stiction.solver.energies.fixed_corotated import FixedCorotated
from stiction.solver.energies.neo_hookean import NeoHookean, neo_hookean_elements
from stiction.solver.energies.tetrahedron import tetrahedron_elements
from stiction.solver.volume.mesh import node_volumes
from tests.solver.energies.law_cases import batch
from tests.verification.boxes import box_of_tetrahedra
from tests.verification.pictures import EXACT, OURS, picture

YOUNG, LOAD = 1e6, 1e-3  # [Pa], weight a volume [N/m³], so small that the beam stays straight
LENGTH, HEIGHT, WIDTH = 6.0, 1.0, 0.5  # [m]
LAWS = {
    "corotated": lambda mesh, poisson: Corotated(tetrahedron_elements(mesh.tetrahedra, mesh.nodes, YOUNG, poisson)),
    "fixed_corotated": lambda mesh, poisson: FixedCorotated(
        tetrahedron_elements(mesh.tetrahedra, mesh.nodes, YOUNG, poisson)
    ),
    "neo_hookean": lambda mesh, poisson: NeoHookean(neo_hookean_elements(mesh.tetrahedra, mesh.nodes, YOUNG, poisson)),
}


def stiffness_matrix(law, positions):
    """The sum of element Hessians, sparse (3 n, 3 n)."""
    hessians = batch(law, positions)[2].swapaxes(2, 3)  # (e, i, row, j, column)
    rows = (3 * law.nodes[:, :, None] + np.arange(3)).reshape(len(law.nodes), -1)
    size = rows.shape[1]
    row, column = np.repeat(rows, size, axis=1).ravel(), np.tile(rows, size).ravel()
    return coo_matrix((hessians.ravel(), (row, column)), shape=(positions.size,) * 2).tocsc()


def beam_deflection(cells, law_of):
    """Mean height [m] that the end of a beam, clamped at its other end, loses under its weight."""
    size = HEIGHT / cells
    mesh = box_of_tetrahedra([round(side / size) for side in (LENGTH, WIDTH, HEIGHT)], size)
    forces = np.zeros_like(mesh.nodes)
    forces[:, 2] = -LOAD * node_volumes(mesh)
    free = (3 * np.flatnonzero(mesh.nodes[:, 0] > 0.0)[:, None] + np.arange(3)).ravel()
    stiffness = stiffness_matrix(law_of(mesh, 0.0), mesh.nodes)[free][:, free]
    moved = np.zeros(mesh.nodes.size)
    moved[free] = spsolve(stiffness, forces.ravel()[free])
    return -moved.reshape(-1, 3)[mesh.nodes[:, 0] == LENGTH, 2].mean()


def timoshenko_deflection():
    """w L⁴/(8 E I) + w L²/(2 k G A) with k = 5/6 of a rectangle, G = E/2 for ν = 0 [Timoshenko 1921]."""
    weight = LOAD * WIDTH * HEIGHT
    bending = weight * LENGTH**4 / (8.0 * YOUNG * WIDTH * HEIGHT**3 / 12.0)
    return bending + weight * LENGTH**2 / (2.0 * 5 / 6 * 0.5 * YOUNG * WIDTH * HEIGHT)


@pytest.mark.parametrize("name", LAWS)
def test_beam_deflection_converges_at_second_order(name):
    """Linear tetrahedra: by how much the beam is too stiff falls with the square of their size."""
    cells = np.array([2, 4, 8])
    errors = [timoshenko_deflection() / beam_deflection(count, LAWS[name]) - 1.0 for count in cells]
    rate = -np.polyfit(np.log(cells), np.log(errors), 1)[0]
    assert 1.95 < rate < 2.05
    assert 0.0 < errors[-1] < 0.05
    picture("beam", lambda axes: _draw_convergence(axes, cells, errors))


def _draw_convergence(axes, cells, errors):
    axes.loglog(cells, errors[-1] * (cells / cells[-1]) ** -2.0, **EXACT, label="second order")
    axes.loglog(cells, errors, **OURS, label="linear tetrahedra")
    axes.set(xlabel="cells across the height", ylabel="excess stiffness of the beam")
    axes.set_xticks(cells, [str(count) for count in cells])
    axes.set_yticks(errors, [f"{error:.1%}" for error in errors])
    axes.minorticks_off()
    axes.legend()
