"""Soft pins, seams, springs between bodies, and pressure."""

import numpy as np
import pytest

from stiction.solver import (
    Attachment,
    Cloth,
    ClothMaterial,
    Hair,
    Roots,
    Scene,
    SceneRefused,
    Simulation,
    SoftBody,
    SoftPins,
)
from stiction.solver.integrator.low_rank_update import LowRankUpdate

from .conftest import cube, grid, strands
from .volume.shapes import icosphere

STILL_AIR = {"air_drag": 0.0, "normal_drag": 0.0}


def settle(scene, frames=60, drag=8.0):
    """The last frame of a bake in thick air, at rest."""
    for item in scene.simulated:
        changed = {**vars(item.material), "air_drag": drag}
        item.material = type(item.material)(**changed)
    simulation = Simulation(scene)
    *_, frame = simulation.frames(1, frames)
    assert np.abs(simulation.state.velocities).max() < 0.02
    return frame, simulation


def test_soft_pins_stretch_by_the_weight_they_bear():
    """A sheet on springs at every vertex sinks by m g / k at each."""
    scene = Scene()
    positions, triangles = grid()
    sheet = scene.add(Cloth("sheet", positions, triangles, material=ClothMaterial(normal_drag=0.0)))
    sheet.soft_pins = SoftPins(np.arange(len(positions)), 5.0)
    frame, simulation = settle(scene)
    forces = 5.0 * (positions - frame.positions["sheet"])
    assert forces.sum(axis=0) == pytest.approx([0, 0, 9.81 * simulation.model.masses.sum()], abs=1e-3)


def test_soft_pins_follow_a_motion_more_closely_the_stiffer_they_are():
    def distance(stiffness):
        scene = Scene(gravity=(0, 0, 0))
        positions, triangles = grid()
        goal = positions + [0.3, 0, 0]
        pins = SoftPins(np.arange(len(positions)), stiffness, lambda time: goal if time > 0 else positions)
        scene.add(Cloth("sheet", positions, triangles, soft_pins=pins))
        *_, frame = Simulation(scene).frames(1, 4)
        return np.abs(goal - frame.positions["sheet"]).max()

    assert distance(1000.0) < 0.1 * distance(1.0)


def test_hair_takes_soft_pins_too():
    scene = Scene(gravity=(0, 0, 0))
    positions, offsets = strands()
    tips = offsets[1:] - 1
    pins = SoftPins(tips, 10.0, positions[tips] + [0.02, 0, 0])
    scene.add(Hair("groom", positions, offsets, pinned=[0, 1, 5, 6, 10, 11], soft_pins=pins))
    *_, frame = Simulation(scene).frames(1, 30)
    assert np.abs(frame.positions["groom"][tips] - pins.motion).max() < 0.005


def test_pins_hold_a_body_in_a_cage():
    """Vertices of a caged body are no nodes: stiff springs hold them, and carry them along."""
    scene = Scene()
    positions, triangles = cube(0.2)
    top = np.flatnonzero(positions[:, 2] > 0)
    body = scene.add(SoftBody("jelly", positions, triangles[:-1], pinned=top, resolution=2))
    body.pin_motion = lambda time: positions[top] + [0.2 * time, 0, 0]
    simulation = Simulation(scene)
    *_, frame = simulation.frames(1, 25)
    assert simulation.warnings and "cage" in simulation.warnings[0].sentence
    assert frame.positions["jelly"][top] == pytest.approx(body.pin_motion(1.0), abs=2e-4)


@pytest.mark.parametrize("keeps_distance", [False, True])
def test_a_seam_bears_the_weight_below_it(keeps_distance):
    """A hanging sheet on seams: each of n springs is stretched by m g / (n k)."""
    scene = Scene()
    upper, triangles = grid()
    lower = upper - [0, 0, 0.1 if keeps_distance else 0.0]
    scene.add(Cloth("upper", upper, triangles, pinned=np.arange(20)))
    scene.add(Cloth("lower", lower, triangles))
    every = np.arange(20)
    weights = np.ones((20, 1))
    scene.attachments.append(Attachment("lower", every, "upper", every[:, None], weights, 50.0, keeps_distance))
    frame, simulation = settle(scene)
    span = simulation.model.spans[1]
    weight = 9.81 * simulation.model.masses[span.first : span.end].sum()
    below = (frame.positions["upper"] - frame.positions["lower"])[:, 2] - (upper - lower)[:, 2]
    assert 50.0 * below.sum() == pytest.approx(weight, rel=1e-2)


def test_seams_join_cloth_to_a_solid():
    """Points of a caged body are weighted sums of nodes; the seam draws both sides, and momentum stays."""
    scene = Scene(gravity=(0, 0, 0))
    positions, triangles = cube(0.2)
    scene.add(SoftBody("body", positions, triangles[:-1], resolution=2))
    sheet, sheet_triangles = grid(3, 3, 0.1)
    sheet = sheet - sheet.mean(axis=0) + [0, 0, 0.15]
    scene.add(Cloth("flag", sheet, sheet_triangles, material=ClothMaterial(**STILL_AIR)))
    face = triangles[0]
    scene.attachments.append(Attachment("flag", [4], "body", [face], [[0.2, 0.3, 0.5]], 200.0))
    simulation = Simulation(scene)
    simulation.integrator.settings.tolerance = 1e-10
    before = np.linalg.norm(sheet[4] - [0.2, 0.3, 0.5] @ positions[face])
    *_, frame = simulation.frames(1, 7)
    after = np.linalg.norm(frame.positions["flag"][4] - [0.2, 0.3, 0.5] @ frame.positions["body"][face])
    momentum = simulation.model.masses @ simulation.state.velocities
    assert after < 0.9 * before
    assert np.abs(momentum).max() < 1e-9


def balloon(**settings):
    scene = Scene(gravity=(0, 0, 0))
    positions, triangles = icosphere(2, 0.1)
    material = ClothMaterial(warp_stiffness=100.0, weft_stiffness=100.0, shear_stiffness=40.0, **STILL_AIR)
    scene.add(Cloth("balloon", positions, triangles, material=material, **settings))
    return scene


def volume_of(frame, triangles):
    corners = frame.positions["balloon"][triangles]
    return np.linalg.det(corners).sum() / 6.0


def test_pressure_stretches_a_balloon_as_laplace_says():
    """2 T = p r with the tension T of the membrane, strained alike in all directions (small strain: C ε)."""
    scene = balloon(pressure=20.0)
    frame, _ = settle(scene)
    radius = np.linalg.norm(frame.positions["balloon"], axis=1).mean()
    strain = 0.5 * ((radius / 0.1) ** 2 - 1)
    tension = 100.0 / (1 - 0.2) * strain  # per length: the stretch of the one and of the other cancel
    assert 2 * tension == pytest.approx(20.0 * radius, rel=0.05)  # the polyhedron's coarseness
    assert radius > 0.1


def test_sealed_air_keeps_its_volume():
    """Squeezed between moving pins, a sealed balloon bulges; an empty one collapses."""

    def squeezed(is_sealed):
        scene = balloon(is_sealed=is_sealed)
        item = scene.objects["balloon"]
        poles = np.flatnonzero(np.abs(item.positions[:, 2]) > 0.085)
        item.pinned = poles.astype(np.int32)
        start = item.positions[poles]
        squeeze = np.array([1.0, 1.0, 0.5])
        item.pin_motion = lambda time: start * (1 + min(time / 0.25, 1.0) * (squeeze - 1))
        frame, _ = settle(scene, 40)
        return volume_of(frame, item.triangles)

    rest = volume_of(next(iter(Simulation(balloon()).frames(1, 1))), balloon().objects["balloon"].triangles)
    assert squeezed(True) == pytest.approx(rest, rel=0.02)
    assert squeezed(False) < 0.95 * rest


def test_low_rank_update_gives_the_solution_of_the_whole_matrix():
    random = np.random.default_rng(0)
    matrix = np.diag(random.uniform(1, 2, 12))
    columns, factors = random.normal(size=(2, 4, 3)), np.array([3.0, 1e6])
    right = random.normal(size=(4, 3))

    def solve(b, out):
        out[:] = np.linalg.solve(matrix, b.ravel()).reshape(4, 3)

    update, found = LowRankUpdate(factors, columns), np.zeros((4, 3))
    update.prepare(solve)
    solve(right, found)
    update.correct(found)
    whole = matrix + sum(s * np.outer(g.ravel(), g.ravel()) for s, g in zip(factors, columns, strict=True))
    np.testing.assert_allclose(found.ravel(), np.linalg.solve(whole, right.ravel()), rtol=1e-8)


def refusal(scene):
    with pytest.raises(SceneRefused) as caught:
        Simulation(scene)
    return str(caught.value)


def two_sheets():
    scene = Scene()
    scene.add(Cloth("a", *grid()))
    scene.add(Cloth("b", *grid()))
    return scene


@pytest.mark.parametrize(
    ("attachment", "words"),
    [
        (Attachment("a", [0], "c", [[0]], [[1.0]]), '"c", which is not simulated'),
        (Attachment("a", [99], "b", [[0]], [[1.0]]), "names a vertex that does not exist"),
        (Attachment("a", [0, 1], "b", [[0]], [[1.0]]), "2 points on one side and 1 on the other"),
        (Attachment("a", [0], "b", [[0, 1]], [[1.0, 1.0]]), "must sum to one"),
        (Attachment("a", [0], "b", [[0]], [[1.0]], stiffness=-1.0), "must be above zero"),
    ],
)
def test_bad_attachments_are_refused(attachment, words):
    scene = two_sheets()
    scene.attachments.append(attachment)
    assert words in refusal(scene)


def test_roots_on_what_is_not_there_are_refused():
    scene = Scene()
    roots = Roots("skin", np.zeros((3, 3), int), np.full((3, 3), 1 / 3))
    scene.add(Hair("fur", *strands(), roots=roots))
    assert '"skin", which is not a simulated mesh' in refusal(scene)


def test_pressure_in_open_cloth_is_refused():
    scene = Scene()
    scene.add(Cloth("sheet", *grid(), pressure=10.0))
    assert "its surface is open" in refusal(scene)
