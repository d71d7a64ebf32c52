"""Hinges bend like a plate of the flexural rigidity that they were made from."""

import numpy as np
import pytest
from scipy.integrate import solve_bvp

from stiction.solver.energies.hinge_bending import HingeBending, hinge_angle, hinge_bending_elements
from stiction.solver.energies.hinges import directional_rigidity, find_hinges, flexural_rigidity, hinge_directions
from stiction.solver.energies.membrane import Membrane, flat_coordinates, membrane_elements
from tests.solver.energies.law_cases import batch, tuples
from tests.solver.energies.meshes import free_motions, relax, strip

RIGIDITY = 2e-4  # [N m]


def equilateral(columns, rows, spacing):
    """A sheet of equilateral triangles."""
    positions, triangles = strip(columns, rows, (spacing, spacing * np.sqrt(0.75)))
    positions[:, 0] += 0.5 * spacing * np.round(positions[:, 1] / (spacing * np.sqrt(0.75)))
    return positions, triangles


def rolled(positions, curvature, angle):
    """Flat positions on a cylinder whose axis is at an angle to y."""
    along = positions[:, 0] * np.cos(angle) + positions[:, 1] * np.sin(angle)
    across = -positions[:, 0] * np.sin(angle) + positions[:, 1] * np.cos(angle)
    return np.column_stack([np.sin(curvature * along) / curvature, across, (np.cos(curvature * along) - 1) / curvature])


def hinge_law(positions, triangles):
    return HingeBending(hinge_bending_elements(find_hinges(triangles).nodes, positions, RIGIDITY))


def area_of_hinges(law, positions):
    """The area that the hinges stand for: of each edge, a third of its two triangles."""
    corners = positions[law.nodes]
    edges, wings = corners[:, 1] - corners[:, 0], corners[:, 2:] - corners[:, :1]
    return np.linalg.norm(np.cross(edges[:, None], wings), axis=2).sum() / 6.0


@pytest.mark.parametrize("angle", [0.0, 0.3, 0.5236, 1.2])
def test_equilateral_sheet_rolled_up_at_any_angle_holds_half_d_kappa_squared(angle):
    positions, triangles = equilateral(60, 60, 0.01)
    law = hinge_law(positions, triangles)
    curvature = 2.0
    energy = batch(law, rolled(positions, curvature, angle))[0].sum()
    wanted = 0.5 * RIGIDITY * curvature**2 * area_of_hinges(law, positions)
    assert energy == pytest.approx(wanted, rel=2.0 / 60)  # at the rim the three families are not complete


@pytest.mark.parametrize("spacing", [(0.01, 0.01), (0.005, 0.02)])
def test_strip_of_right_triangles_rolled_up_lengthwise_holds_half_d_kappa_squared(spacing):
    columns, rows, curvature = 40, 3, 2.0
    positions, triangles = strip(columns, rows, spacing)
    energy = batch(hinge_law(positions, triangles), rolled(positions, curvature, 0.0))[0].sum()
    area = (columns - 1) * rows * spacing[0] * spacing[1]  # one hinge less than there are columns
    # A polygon's corner is κ Δx to the second order of the step.
    assert energy == pytest.approx(0.5 * RIGIDITY * curvature**2 * area, rel=(curvature * spacing[0]) ** 2)


def test_energy_of_a_rolled_strip_grows_with_the_square_of_curvature():
    positions, triangles = strip(40, 2, (0.01, 0.01))
    law = hinge_law(positions, triangles)
    energies = [batch(law, rolled(positions, curvature, 0.0))[0].sum() for curvature in (0.5, 1.0)]
    assert energies[1] / energies[0] == pytest.approx(4.0, rel=1e-3)


def heavy_elastica_tip(load):
    """Tip (x, drop) of a unit strip clamped level: θ'' = −q (1 − s) cos θ with q = w L³/D and θ downwards."""

    def slope(s, y):
        return np.stack([y[1], -load * (1.0 - s) * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])])

    def ends(start, end):
        return np.array([start[0], end[1], start[2], start[3]])

    s = np.linspace(0.0, 1.0, 200)
    guess = np.stack([1.4 * np.sin(0.5 * np.pi * s), 0 * s, s, 0 * s])
    solution = solve_bvp(slope, ends, s, guess, tol=1e-10, max_nodes=100_000)
    assert solution.success
    return solution.y[2, -1], solution.y[3, -1]


def cantilever_tip(cells, load):
    """Tip of a discrete strip of the same load, clamped in the middle of its first cell.

    Each column of nodes moves as one, as in the middle of a wide plate: its edges would turn up or twist.
    """
    spacing = 1.0 / (cells - 0.5)
    positions, triangles = strip(cells, 1, (spacing, 0.1))
    bending = HingeBending(hinge_bending_elements(find_hinges(triangles).nodes, positions, 1.0))
    stretching = Membrane(membrane_elements(triangles, flat_coordinates(triangles, positions), *(1e5 * load,) * 3, 0.0))
    weights = np.full(len(positions), load * spacing * 0.1 / 2.0)
    weights[-2:] *= 0.5
    gravity = -weights[:, None] * [0.0, 0.0, 1.0]
    columns = free_motions(positions, np.arange(4, len(positions))).reshape(positions.size, -1, 2, 3).sum(axis=2)
    x = relax([bending, stretching], positions, columns[:, :, ::2].reshape(positions.size, -1), gravity)
    return x[-1, 0] - 0.5 * spacing, -x[-1, 2]


@pytest.mark.parametrize("load", [1.0, pytest.param(20.0, marks=pytest.mark.slow)])
def test_plate_cantilever_converges_to_the_heavy_elastica_at_second_order(load):
    truth = heavy_elastica_tip(load)
    errors = [np.hypot(*np.subtract(cantilever_tip(cells, load), truth)) for cells in (8, 16)]
    assert errors[1] < 0.01 * truth[1]
    assert 3.0 < errors[0] / errors[1] < 5.5


def test_small_load_deflects_the_tip_by_w_l4_over_8_d():
    load = 1e-3
    assert heavy_elastica_tip(load)[1] == pytest.approx(load / 8.0, rel=1e-5)
    assert cantilever_tip(16, load)[1] == pytest.approx(load / 8.0, rel=0.01)


def test_angle_is_signed_and_accurate_up_to_folded_flat():
    for angle in (1e-9, 1e-3, 1.0, 3.1, np.pi - 1e-9):
        for sign in (1.0, -1.0):
            wing = (0.4, -np.cos(angle), -sign * np.sin(angle))
            corners = tuples([(0, 0, 0), (1, 0, 0), (0.3, 1, 0), wing])
            assert hinge_angle(corners) == pytest.approx(sign * angle, rel=1e-12, abs=1e-15)


def test_rest_angle_is_where_the_hinge_is_at_ease():
    positions, triangles = strip(1, 1, (1.0, 1.0))
    positions[0, 2] = 0.4
    law = hinge_law(positions, triangles)
    assert batch(law, positions)[0][0] == pytest.approx(0.0, abs=1e-20)
    flat = HingeBending(hinge_bending_elements(find_hinges(triangles).nodes, positions, RIGIDITY, rest_angles=0.0))
    assert batch(flat, positions * [1, 1, 0])[0][0] == 0.0
    assert batch(flat, positions)[0][0] > 0.0


def test_weave_direction_chooses_the_rigidity():
    positions, triangles = strip(4, 4, (0.1, 0.1))
    hinges = find_hinges(triangles)
    directions = hinge_directions(hinges, flat_coordinates(triangles, positions))
    edges = positions[hinges.nodes[:, 1]] - positions[hinges.nodes[:, 0]]
    rigidity = directional_rigidity(directions, warp=3.0, weft=1.0)
    np.testing.assert_allclose(rigidity[edges[:, 0] == 0.0], 3.0)  # an edge along the weft bends the warp
    np.testing.assert_allclose(rigidity[edges[:, 1] == 0.0], 1.0)
    np.testing.assert_allclose(rigidity[(edges[:, 0] != 0.0) & (edges[:, 1] != 0.0)], 2.0)


def test_every_inner_edge_is_one_hinge_whatever_the_orientation():
    positions, triangles = strip(3, 2, (1.0, 1.0))
    nodes = find_hinges(triangles).nodes
    rim_count = 2 * (3 + 2)
    assert len(nodes) == (3 * len(triangles) - rim_count) // 2
    flipped = triangles.copy()
    flipped[::2] = flipped[::2, ::-1]
    assert {frozenset(row) for row in find_hinges(flipped).nodes} == {frozenset(row) for row in nodes}
    corners = positions[nodes]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert batch(hinge_law(positions, flipped), positions)[0].sum() == 0.0
    assert (np.abs(normals[:, 2]) > 0.0).all()


def test_three_triangles_on_one_edge_are_joined_by_two_hinges():
    nodes = find_hinges([[0, 1, 2], [0, 1, 3], [1, 0, 4]]).nodes
    assert [sorted(row[:2]) for row in nodes.tolist()] == [[0, 1], [0, 1]]
    assert find_hinges(np.empty((0, 3), np.int32)).nodes.shape == (0, 4)


def test_flexural_rigidity_is_that_of_a_plate():
    assert flexural_rigidity(1e6, 1e-3, 0.4) == pytest.approx(1e6 * 1e-9 / (12 * 0.84))
