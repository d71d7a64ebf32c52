"""True rigid bodies: what flies freely, what bounces and rolls, and what is no body at all."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from stiction.solver import RigidMaterial, Scene, Simulation
from stiction.solver.contact.from_surface import OPENING_TIME
from stiction.solver.errors import SceneRefused
from stiction.solver.integrator.contact_mixed import RIGID_DISTANCE
from stiction.solver.rigid.rigid_bodies import quaternions_at
from stiction.solver.rigid.turning import nearest_quaternions, turned, turned_by_quaternions

from .contact.colliding import box
from .rigid_scenes import GRAVITY, THICKNESS, crossings, cylinder, motion, on_floor, prop, run, spin

SIZE = np.array([0.1, 0.2, 0.4])
RATES = np.array([0.2, 6.0, 0.2])  # about the middle axis, nearly: it tumbles


def flying(steps_per_frame):
    scene = Scene(gravity=(0.0, 0.0, 0.0), steps_per_frame=steps_per_frame)
    scene.add(prop("box", box(SIZE, (0, 0, 0)), start_velocity=(1.0, 0.0, 0.0)))
    simulation = Simulation(scene, contact_method="prox")
    spin(simulation, RATES)
    return scene, simulation


def euler_top(seconds):
    """How a free box is turned, by Euler's equations."""
    inertia = ((SIZE**2).sum() - SIZE**2) / 12.0

    def slope(_, y):
        turn, rates = Rotation.from_quat(y[:4]), y[4:]
        x, y_, z, w = turn.as_quat()
        matrix = np.array([[w, -z, y_], [z, w, -x], [-y_, x, w], [-x, -y_, -z]])
        return np.concatenate([0.5 * matrix @ rates, np.cross(inertia * rates, rates) / inertia])

    start = np.concatenate([[0.0, 0.0, 0.0, 1.0], RATES])
    end = solve_ivp(slope, (0.0, seconds), start, rtol=1e-10, atol=1e-12).y[:, -1]
    return Rotation.from_quat(end[:4])


def test_what_flies_freely_keeps_momentum_and_turns_as_eulers_top_to_second_order():
    seconds, misses, gains = 0.5, [], []
    for steps in (1, 2, 4):
        scene, simulation = flying(steps)
        _, _, momentum, energy = motion(simulation)
        run(scene, seconds, simulation=simulation)
        center, _, after, energy_after = motion(simulation)
        assert center == pytest.approx([seconds, 0.0, 0.0], abs=1e-12)
        assert after == pytest.approx(momentum, abs=1e-4 / steps**4 * np.linalg.norm(momentum))
        quaternion = quaternions_at(simulation.model.rigid, simulation.state.positions)[0]
        ours = Rotation.from_quat(np.roll(quaternion, -1))
        misses.append((euler_top(seconds).inv() * ours).magnitude())
        gains.append(abs(energy_after / energy - 1.0))
    assert misses[2] < 0.02 and misses[0] / misses[1] > 3.4 and misses[1] / misses[2] > 3.4
    assert gains[2] < 2e-4 and gains[1] / gains[2] > 3.4


def test_a_flight_goes_on_from_a_checkpoint_to_the_same_bits():
    scene = on_floor(prop("box", box(0.1, (0, 0, 0.12)), start_velocity=(1.0, 0.0, 0.0)))
    whole = Simulation(scene, contact_method="prox")
    spin(whole, RATES)
    run(scene, 0.1, simulation=whole)
    resumed = Simulation(scene, contact_method="prox")
    resumed.restore(whole.state)
    for simulation in (whole, resumed):
        simulation.advance_frame()
        simulation.advance_frame()
    for name, array in whole.state.arrays().items():
        assert np.array_equal(array, resumed.state.arrays()[name]), name


def test_bodies_keep_their_shape():
    scene = on_floor(prop("box", box(SIZE, (0, 0, 0.3))))
    simulation = Simulation(scene, contact_method="prox")
    spin(simulation, RATES)
    run(scene, 0.5, simulation=simulation)
    vertices = simulation.current_frame(1).positions["box"]
    start = scene.objects["box"].positions
    for corner in range(1, 8):
        ours, asked = (np.linalg.norm(points[corner] - points[0]) for points in (vertices, start))
        assert ours == pytest.approx(asked, abs=1e-12)


def test_what_is_held_back_keeps_its_shape_and_crosses_nothing():
    """A method that solves nothing leaves it to constraint refinement to hold bodies back."""
    boxes = [prop(f"{i}", box(0.1, (0.03 * i, 0, 0.1 + 0.15 * i)), start_velocity=(0, 0, -8.0)) for i in range(3)]
    simulation = Simulation(on_floor(*boxes), contact_method="prox")
    simulation.integrator.solver.settings.iterations = 1
    held = 0
    for _ in range(8):
        simulation.advance()
        held += simulation.integrator.report.held_back
        assert crossings(simulation) == 0
    assert held > 0
    for name, vertices in simulation.current_frame(1).positions.items():
        start = simulation.scene.objects[name].positions
        sides = [np.linalg.norm(points[1:] - points[0], axis=1) for points in (vertices, start)]
        assert sides[0] == pytest.approx(sides[1], abs=1e-12)


@pytest.mark.parametrize("restitution", [0.4, 0.8, 1.0])
def test_bounce_heights(restitution):
    """ε² h; a step's part of the way is not fallen, and its speed not gained."""
    height = 0.3
    item = prop("box", box(0.1, (0, 0, 0.05 + THICKNESS + height)), restitution=restitution)
    scene = on_floor(item, steps_per_frame=8)
    fall, speed = np.sqrt(2.0 * height / GRAVITY), np.sqrt(2.0 * height * GRAVITY)
    simulation = run(scene, fall + 2.0 * scene.time_step)
    highest = 0.0
    for _ in range(round(1.1 * fall / scene.time_step)):
        simulation.advance()
        highest = max(highest, motion(simulation)[0][2] - 0.05 - THICKNESS)
    assert highest == pytest.approx(restitution**2 * height, abs=2.0 * speed * scene.time_step)


def test_what_rests_does_not_bounce():
    scene = on_floor(prop("box", box(0.1, (0, 0, 0.05 + THICKNESS)), restitution=1.0))
    simulation = run(scene, 0.5)
    assert abs(motion(simulation)[0][2] - 0.05 - THICKNESS) < 1e-5
    assert np.abs(simulation.state.velocities).max() < 1e-6


RADIUS, SIDES = 0.3, 128


def rolling(degrees, friction, seconds):
    """Velocity along the slope, that of the rim, and the step."""
    mesh = cylinder(RADIUS, 0.3, SIDES, (0, 0, RADIUS + THICKNESS))
    scene = on_floor(prop("roll", mesh, friction=friction), degrees=degrees, friction=friction, steps_per_frame=8)
    _, velocity, momentum, _ = motion(run(scene, seconds))
    return velocity[0], momentum[1] / (0.5 * RADIUS**2) * RADIUS, scene.time_step


def test_a_cylinder_rolls_without_slip_up_to_three_times_the_friction():
    """Translational energy 2 m (g t sin α)²/9 where tan α ≤ 3 μ.

    Each side of the polygon is an impact, which costs 4/3 (1 − cos β) of the energy. And what comes to touch in a step
    acts on the way there: half a step's way ahead of the axis.
    """
    angle, seconds = np.radians(10.0), 0.5
    velocity, rim, step = rolling(10.0, 0.1, seconds)
    energy, way = 2.0 * (GRAVITY * seconds * np.sin(angle)) ** 2 / 9.0, GRAVITY * np.sin(angle) * seconds**2 / 3.0
    sides = way / (RADIUS * 2.0 * np.pi / SIDES) * 4.0 / 3.0 * (1.0 - np.cos(2.0 * np.pi / SIDES))
    ahead = 2.0 / 9.0 * GRAVITY * np.cos(angle) * step * seconds / RADIUS
    assert 0.5 * velocity**2 == pytest.approx(energy, rel=sides + ahead + step / seconds)
    assert rim == pytest.approx(velocity, rel=1e-3)


def test_a_cylinder_slides_beyond_three_times_the_friction():
    """a = g (sin α − μ cos α), and friction turns it; what acts ahead of the axis, as above, holds it back."""
    angle, friction, seconds = np.radians(30.0), 0.1, 0.5
    velocity, rim, step = rolling(30.0, friction, seconds)
    assert velocity == pytest.approx(GRAVITY * (np.sin(angle) - friction * np.cos(angle)) * seconds, rel=1e-3)
    free = 2.0 * friction * GRAVITY * np.cos(angle) * seconds
    assert rim == pytest.approx(free, rel=free / RADIUS * step / (2.0 * friction))
    assert rim < 0.5 * velocity


@pytest.mark.slow
def test_a_stack_of_boxes_stands_for_half_a_minute():
    boxes = [prop(f"{i}", box(0.1, (0, 0, 0.05 + THICKNESS + i * (0.1 + THICKNESS)))) for i in range(3)]
    simulation = run(on_floor(*boxes, steps_per_frame=1), 30.0)
    for i in range(3):
        center = motion(simulation, i)[0]
        assert center == pytest.approx([0.0, 0.0, 0.05 + THICKNESS + i * (0.1 + THICKNESS)], abs=1e-3)
    assert np.abs(simulation.state.velocities).max() < 1e-5


def test_ten_boxes_stand_by_conjugate_residuals():
    """Some twenty contacts between any two; on what is below, each creeps by the tolerance a step, at most."""
    boxes = [prop(f"{i}", box(0.1, (0, 0, 0.05 + THICKNESS + i * (0.1 + THICKNESS)))) for i in range(10)]
    simulation = run(on_floor(*boxes), 0.5, "cr")
    report = simulation.integrator.report
    assert report.contact_count > 100 and report.residual < RIGID_DISTANCE
    for i in range(10):
        center, most = motion(simulation, i)[0], (i + 1) * 48 * RIGID_DISTANCE
        assert center == pytest.approx([0.0, 0.0, 0.05 + THICKNESS + i * (0.1 + THICKNESS)], abs=most)


@pytest.mark.parametrize("method", ["cr", "prox"])
def test_bodies_that_start_too_near_come_apart_slowly(method):
    """Within each other's thickness, and moving at random no faster than they are let."""
    near = 0.3 * THICKNESS
    boxes = [prop(f"{i}", box(0.1, (0, 0, 0.05 + near + i * (0.1 + near)))) for i in range(3)]
    simulation = Simulation(on_floor(*boxes), contact_method=method)
    fastest = 0.0
    for _ in range(48):
        simulation.advance()
        fastest = max(fastest, np.abs(simulation.state.velocities).max())
    assert fastest < 3.0 * THICKNESS / OPENING_TIME + GRAVITY * simulation.scene.time_step
    for i in range(3):
        center = motion(simulation, i)[0]
        assert center[2] == pytest.approx(0.05 + THICKNESS + i * (0.1 + THICKNESS), abs=5e-5)


@pytest.mark.parametrize(("tilt", "share"), [(0.0, 1e-4), (1.5e-3, 5e-3)])
def test_an_overlap_is_worked_off_without_velocity(tilt, share):
    """A box in the ground's thickness, level or with one side deeper, rises by its displacements alone.

    Of those that turn it, velocities are left out to first order in the step.
    """
    mesh = box(0.1, (0, 0, 0.05 + 0.4 * THICKNESS))
    lean = np.column_stack([np.zeros((8, 2)), tilt * mesh[0][:, 0]])
    simulation = Simulation(on_floor(prop("box", (mesh[0] + lean, mesh[1]))), contact_method="prox")
    heights, fastest = [], 0.0
    for _ in range(24):
        simulation.advance()
        heights.append(motion(simulation)[0][2])
        fastest = max(fastest, float(np.abs(simulation.state.velocities).max()))
    opening = 0.6 * THICKNESS / OPENING_TIME
    assert heights[-1] == pytest.approx(0.05 + THICKNESS, abs=1e-5) and max(heights) < heights[-1] + 1e-6
    assert fastest < share * opening
    assert crossings(simulation) == 0


def test_two_boxes_that_overlap_part_without_velocity():
    """In the air and without gravity: their common center stays, and so they do once they are apart."""
    near = 0.4 * THICKNESS
    scene = Scene(gravity=(0.0, 0.0, 0.0))
    for name, side in (("left", -1.0), ("right", 1.0)):
        scene.add(prop(name, box(0.1, (side * (0.05 + 0.5 * near), 0, 0))))
    simulation = Simulation(scene, contact_method="prox")
    for _ in range(24):
        simulation.advance()
        assert np.abs(simulation.state.velocities).max() < 1e-7
    left, right = (motion(simulation, body)[0] for body in (0, 1))
    assert right[0] - left[0] == pytest.approx(0.1 + THICKNESS, abs=1e-6)
    assert left + right == pytest.approx(np.zeros(3), abs=1e-9)


def test_pins_take_a_body_along():
    mesh = box(0.1, (0, 0, 0.2))
    pinned = [0, 2, 4]
    scene = Scene()
    targets = mesh[0][pinned]
    scene.add(prop("box", mesh, pinned=pinned, pin_motion=lambda time: targets + [time, 0.0, 0.0]))
    simulation = run(scene, 0.25)
    assert motion(simulation)[0] == pytest.approx([0.25, 0.0, 0.2], abs=2e-3)


def test_quaternions_turn_as_rotation_vectors_do():
    random = np.random.default_rng(0)
    arms, turns = random.normal(size=(20, 4, 3)), random.normal(size=(20, 3))
    moved = turned(arms, turns)
    assert moved == pytest.approx(np.einsum("bij,bkj->bki", Rotation.from_rotvec(turns).as_matrix(), arms))
    quaternions = nearest_quaternions(arms, moved)
    assert turned_by_quaternions(arms, quaternions) == pytest.approx(moved)
    assert np.linalg.norm(quaternions, axis=1) == pytest.approx(np.ones(20))


def line(size):
    return np.linspace([0, 0, 0], [size, 0, 0], 4), np.array([[0, 1, 2], [1, 2, 3]], np.int32)


@pytest.mark.parametrize(
    ("mesh", "density", "words"),
    [
        (line(0.1), 1000.0, "how hard it is to turn"),
        (box(0.1, (0, 0, 0)), 0.0, "density must be above zero"),
        (box(0.1, (0, 0, 0)), np.inf, "density must be above zero"),
        (box(0.1, (0, 0, 0)), 1e30, "its mass of 1e\\+27 kg is beyond"),
        (box(1e-6, (0, 0, 0)), 1e-9, "its mass of 1e-18 kg is beyond"),
    ],
)
def test_bodies_without_mass_or_inertia_are_refused(mesh, density, words):
    scene = Scene()
    scene.add(prop("odd", mesh, material=RigidMaterial(density=density), thickness=None))
    with pytest.raises(SceneRefused, match=words):
        Simulation(scene, contact_method="prox")


@pytest.mark.parametrize("restitution", [-0.1, 1.5, np.nan])
def test_restitution_that_would_make_speed_is_refused(restitution):
    scene = on_floor(prop("box", box(0.1, (0, 0, 1.0)), restitution=restitution))
    with pytest.raises(SceneRefused, match="restitution must lie between 0 and 1"):
        Simulation(scene, contact_method="prox")
