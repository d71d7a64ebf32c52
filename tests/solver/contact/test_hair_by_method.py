"""Hair and ropes by methods other than ADMM: its results, closed forms, other objects beside them, refusals."""

import numpy as np
import pytest

from stiction.solver import (
    Attachment,
    Cloth,
    ClothMaterial,
    Collider,
    Hair,
    HairMaterial,
    RigidBody,
    RigidMaterial,
    Roots,
    Scene,
    Simulation,
)
from stiction.solver.collision.frame_check import intersection_counter
from stiction.solver.errors import SceneRefused, SimulationFailed

from ..volume.shapes import icosphere
from .colliding import box, sheet

METHODS = ["cr", "ica", "prox", "regions"]
GRAVITY, THICKNESS, FRICTION = 9.81, 1e-3, 0.5
LIMIT = np.degrees(np.arctan(FRICTION))
ROPE = HairMaterial(radius=1e-3, bending_modulus=1e7, stretching_modulus=1e7, air_drag=0.0)


def rope_over(points, height, turn, bow=0.0):
    """A rope, level and straight or bowed [1/m], whose middle is above the origin."""
    along = np.linspace(-0.06, 0.06, points)
    across, cosine, sine = bow * along**2, np.cos(turn), np.sin(turn)
    return np.column_stack([cosine * along - sine * across, sine * along + cosine * across, np.full(points, height)])


def crossing_ropes(**settings):
    """Three bowed ropes in different directions that fall onto a ball, one on the other, and twist."""
    scene = Scene(steps_per_frame=8, **settings)
    ropes = [rope_over(9, 0.0315, 0.3, 4.0), rope_over(9, 0.0345, 1.5, 4.0), rope_over(7, 0.0375, 2.4, -4.0)]
    offsets = np.cumsum([0, *map(len, ropes)])
    scene.add(Hair("ropes", np.concatenate(ropes), offsets, material=ROPE, friction=FRICTION))
    scene.add(Collider("ball", *icosphere(2, 0.03)[:2], friction=FRICTION, thickness=THICKNESS))
    return scene


def run(scene, method, steps):
    """Solved to the end."""
    simulation = Simulation(scene, contact_method=method)
    settings = simulation.integrator.solver.settings
    if method == "admm":
        settings.admm.iterations, settings.admm.tolerance = 2000, 1e-10
    else:
        settings.iterations, settings.tolerance, settings.distance = 1000, 1e-7, 1e-8
    for _ in range(steps):
        simulation.advance()
    return simulation


def assert_apart(simulation):
    assert intersection_counter(simulation.scene)(simulation.current_frame(1)) == 0


@pytest.fixture(scope="module")
def by_admm():
    return run(crossing_ropes(), "admm", 16)


@pytest.mark.parametrize("method", ["cr", "prox", "regions"])
def test_ropes_that_fall_over_a_ball_and_each_other_end_where_admm_has_them(method, by_admm):
    """Methods look for new contacts at other times: one that comes a look earlier holds along another normal.

    That is some 0.1 µm in the step of the first touch, which grows as ropes begin to tip off the ball.
    """
    simulation = run(crossing_ropes(), method, 16)
    assert simulation.integrator.report.contact_count > 4
    assert_apart(simulation)
    apart = np.abs(simulation.state.positions - by_admm.state.positions).max()
    fallen = np.abs(by_admm.state.positions - crossing_ropes().objects["ropes"].positions).max()
    assert fallen > 0.02
    assert apart < 0.01 * fallen
    turned = np.abs(by_admm.state.twists).max()
    assert turned > 0.5
    assert simulation.state.twists == pytest.approx(by_admm.state.twists, abs=0.01 * turned)


def test_a_run_that_goes_on_with_a_frame_has_the_same_bits():
    through = Simulation(crossing_ropes(), contact_method="cr")
    ends = [through.state.copy() for _ in through.frames(1, 4)]
    again = Simulation(crossing_ropes(), contact_method="cr")
    again.restore(ends[1].copy())
    for _ in again.frames(3, 4):
        pass
    for name, array in ends[3].arrays().items():
        assert np.array_equal(getattr(again.state, name), array), name
    assert through.integrator.report.contact_count > 4 and len(ends[1].contact_memory)


def tilted(item, degrees):
    angle = np.radians(degrees)
    scene = Scene(gravity=(GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle)))
    scene.add(Collider("floor", *box((40.0, 40.0, 1.0), (0, 0, -0.5)), friction=FRICTION, thickness=THICKNESS))
    scene.add(item)
    return scene


def strands_on_the_floor(**settings):
    strand = np.linspace([0, 0, THICKNESS], [0.1, 0, THICKNESS], 8)
    points = np.concatenate([strand + [0, 0.02 * row, 0] for row in range(4)])
    material = HairMaterial(radius=THICKNESS / 2, air_drag=0.0)
    contact = {"friction": FRICTION, "thickness": THICKNESS}
    return Hair("block", points, np.arange(5) * 8, material=material, **contact, **settings)


@pytest.mark.parametrize("method", ["cr", "prox", "regions", pytest.param("ica", marks=pytest.mark.slow)])
def test_hair_rests_below_the_angle_of_friction_and_slides_above(method):
    """To within 0.2° of atan μ."""
    steps, item = 12, strands_on_the_floor()
    seconds = steps * Scene().time_step
    resting = run(tilted(item, LIMIT - 0.2), method, steps)
    assert abs(resting.state.positions.mean(axis=0)[0] - item.positions.mean(axis=0)[0]) < steps * 1e-8
    sliding = run(tilted(item, LIMIT + 0.2), method, steps)
    angle = np.radians(LIMIT + 0.2)
    acceleration = GRAVITY * (np.sin(angle) - FRICTION * np.cos(angle))
    missed = 2.0 * acceleration * Scene().time_step
    assert sliding.state.velocities.mean(axis=0)[0] == pytest.approx(acceleration * seconds, abs=missed)


def test_a_rope_falls_on_cloth_by_cr_as_it_does_by_admm():
    ends = {}
    for method in ("admm", "cr"):
        scene = Scene()
        airless = ClothMaterial(air_drag=0.0, normal_drag=0.0)
        scene.add(Cloth("sheet", *sheet(7, 0.2, 0.0), pinned=[0, 6, 42, 48], material=airless, thickness=THICKNESS))
        scene.add(Hair("rope", rope_over(9, 3e-3, 0.4), [0, 9], material=ROPE))
        simulation = run(scene, method, 16)
        assert_apart(simulation)
        ends[method] = simulation.current_frame(1).positions
    assert ends["cr"]["rope"][:, 2].min() < -5e-3  # the cloth has given way
    for name in ("sheet", "rope"):
        assert np.abs(ends["cr"][name] - ends["admm"][name]).max() < 1e-6  # 16 steps to within 0.01 µm


@pytest.mark.parametrize("method", ["cr", "prox"])
def test_a_rope_over_a_rigid_box_pushes_it_no_more_than_it_weighs(method):
    """A heavy box on the floor, a light rope on the box: both come to rest, and the floor bears their weight."""
    scene = Scene()
    scene.add(Collider("floor", *box((4.0, 4.0, 1.0), (0, 0, -0.5)), friction=FRICTION, thickness=THICKNESS))
    scene.add(RigidBody("box", *box(0.1, (0, 0, 0.05 + THICKNESS)), material=RigidMaterial(air_drag=0.0),
                        friction=FRICTION, thickness=THICKNESS))  # fmt: skip
    height = 0.1 + 2.5 * THICKNESS + 1e-5
    scene.add(Hair("rope", 0.5 * rope_over(6, 2.0 * height, 0.4), [0, 6], material=ROPE, friction=FRICTION))
    simulation = run(scene, method, 20)
    assert_apart(simulation)
    model, impulses = simulation.integrator.model, simulation.state.impulses
    weight = model.masses * GRAVITY * scene.time_step
    assert impulses[:6, 2].sum() == pytest.approx(weight[:6].sum(), rel=1e-3)
    assert impulses[:, 2].sum() == pytest.approx(weight.sum(), rel=1e-3)
    assert np.abs(simulation.state.velocities).max() < 1e-3


CARRIED = {
    "grows": lambda scene: scene.add(
        Hair("fur", np.linspace([0, 0, 1e-3], [0, 0, 0.05], 5), [0, 5], roots=Roots("sheet", [[0, 1, 3]], [[1, 0, 0]]))
    ),
    "is tied": lambda scene: (
        scene.add(Hair("fur", np.linspace([0, 0, 1e-3], [0, 0, 0.05], 5), [0, 5])),
        scene.attachments.append(Attachment("fur", [0], "sheet", [[4]], [[1.0]])),
    ),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("how", CARRIED)
def test_hair_that_something_simulated_carries_is_refused(how, method):
    scene = Scene()
    scene.add(Cloth("sheet", *sheet(3, 0.1, 0.0)))
    CARRIED[how](scene)
    with pytest.raises(SceneRefused, match=f'"fur" is held by the simulated "sheet".*{method.upper()}.*Choose ADMM'):
        Simulation(scene, contact_method=method)


@pytest.mark.parametrize("method", METHODS)
def test_hair_that_falls_beyond_all_bounds_is_told(method):
    scene = Scene(gravity=(0.0, 0.0, -1e300))
    scene.add(strands_on_the_floor())
    with np.errstate(all="ignore"), pytest.raises(SimulationFailed, match='"block"'):
        for _ in Simulation(scene, contact_method=method).frames(1, 3):
            pass
