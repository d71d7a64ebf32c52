"""Rigid bodies of scenes with ellipsoids of friction: what spins, and what slides more easily in one direction."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

from stiction.solver import Cloth, ClothMaterial, Collider, Hair, HairMaterial, Scene, Simulation
from stiction.solver.errors import SceneRefused
from stiction.solver.rigid.rigid_bodies import around_centers

from .contact.colliding import box, sheet
from .rigid_scenes import GRAVITY, THICKNESS, motion, on_floor, prop, run, spin

FRICTION, PATCH = 0.3, 0.2
RADIUS = 0.1  # of the ball
HEIGHT = 2e-3  # of the puck's center: so flat that friction hardly tips it


def revolved(profile, center, count=16):
    """Positions and triangles of a surface around z, with rings (r, z) between its poles, the first and the last."""
    (_, bottom), *rings, (_, top) = profile
    angles = 2.0 * np.pi * np.arange(count) / count
    around = np.column_stack([np.cos(angles), np.sin(angles)])
    rows = [np.column_stack([r * around, np.full(count, z)]) for r, z in rings]
    positions = np.concatenate([[[0.0, 0.0, bottom]], *rows, [[0.0, 0.0, top]]])
    j, after, last = np.arange(count), (np.arange(count) + 1) % count, len(positions) - 1
    triangles = [np.column_stack([0 * j, 1 + after, 1 + j])]
    for ring in range(len(rings) - 1):
        low, high = 1 + ring * count, 1 + (ring + 1) * count
        triangles += [np.column_stack([low + j, low + after, high + j])]
        triangles += [np.column_stack([low + after, high + after, high + j])]
    high = 1 + (len(rings) - 1) * count
    triangles += [np.column_stack([high + j, high + after, 0 * j + last])]
    return positions + center, np.concatenate(triangles).astype(np.int32)


def ball(height):
    """On its pole."""
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    return revolved(RADIUS * np.column_stack([np.cos(angles), np.sin(angles)]), (0.3, 0.1, height))


def turning(simulation, body=0):
    """Rate about z [rad/s], and the square of the radius of gyration about it [m²]."""
    _, arms = around_centers(simulation.state.positions[simulation.model.rigid.nodes[body]][None])
    square = float((arms[0, :, :2] ** 2).sum(axis=1).mean())
    return motion(simulation, body)[2][2] / square, square


def slid_and_spun(steps_per_frame, seconds):
    """Speed and rate of a puck on one contact that starts with 1 m/s and 5 rad/s; and its k²."""
    mesh = revolved([(0.0, -HEIGHT), (0.5, 0.0), (0.0, HEIGHT)], (3.0, 1.0, HEIGHT + THICKNESS))
    puck = prop("puck", mesh, friction=FRICTION, spin_friction=PATCH, start_velocity=(1.0, 0.0, 0.0))
    scene = on_floor(puck, friction=FRICTION, steps_per_frame=steps_per_frame)
    simulation = Simulation(scene, contact_method="prox")
    spin(simulation, (0.0, 0.0, 5.0))
    run(scene, seconds, simulation=simulation)
    rate, square = turning(simulation)
    return np.array([motion(simulation)[1][0], rate]), square


def test_a_puck_slides_and_spins_by_its_own_equation_to_first_order():
    """v̇ = −μ g v/s, ω̇ = −μ g ρ²/k² ω/s with s² = v² + ρ² ω²: d ln v : d ln ω = μ²/m : μ² ρ²/I.

    A step of implicit Euler is off by half of its share in a logarithm.
    """
    seconds, misses = 0.125, []
    for steps in (4, 8, 16):
        ours, square = slid_and_spun(steps, seconds)
        shares = np.array([1.0, PATCH**2 / square])

        def slope(_, y, shares=shares):
            return -FRICTION * GRAVITY * shares * y / np.hypot(y[0], PATCH * y[1])

        asked = solve_ivp(slope, (0.0, seconds), [1.0, 5.0], rtol=1e-10, atol=1e-12).y[:, -1]
        logarithms = np.log(ours / [1.0, 5.0])
        half_a_step = 0.5 / (24.0 * steps) * FRICTION * GRAVITY / np.hypot(ours[0], PATCH * ours[1])
        assert logarithms[1] / logarithms[0] == pytest.approx(shares[1], rel=half_a_step)
        misses.append(np.abs(ours / asked - 1.0).max())
    assert misses[2] < 5e-4 and 1.7 < misses[0] / misses[1] < 2.3 and 1.7 < misses[1] / misses[2] < 2.3


def test_a_spinning_ball_stops_when_its_patch_has_taken_its_momentum():
    """ω = ω₀ − μ ρ m g t/I up to I ω₀/(μ_τ m g); what is given to no object is the other's."""
    patch, rate = 0.01, 4.0
    scene = on_floor(prop("ball", ball(RADIUS + THICKNESS), friction=0.5), friction=0.5, spin_friction=patch)
    simulation = Simulation(scene, contact_method="prox")
    spin(simulation, (0.0, 0.0, rate))
    square = turning(simulation)[1]
    end = square * rate / (0.5 * patch * GRAVITY)
    run(scene, 0.5 * end, simulation=simulation)
    taken = 0.5 * patch * GRAVITY * simulation.state.step * scene.time_step / square
    assert turning(simulation)[0] == pytest.approx(rate - taken, abs=1e-5 * rate)
    run(scene, 0.5 * end + 2.0 * scene.time_step, simulation=simulation)
    assert abs(turning(simulation)[0]) < 1e-5 * rate
    assert motion(simulation)[0][:2] == pytest.approx([0.3, 0.1], abs=1e-6)


def test_a_rope_elsewhere_does_not_change_how_a_ball_spins():
    """Strands have unknowns of their own in the same system."""
    rates = []
    for has_rope in (False, True):
        scene = on_floor(prop("ball", ball(RADIUS + THICKNESS), friction=0.5), friction=0.5, spin_friction=0.01)
        if has_rope:
            rope = np.column_stack([np.linspace(2.0, 2.4, 5), np.zeros(5), np.ones(5)])
            scene.add(Hair("rope", rope, [0, 5], material=HairMaterial(radius=1e-2)))
        simulation = Simulation(scene, contact_method="prox")
        spin(simulation, (0.0, 0.0, 4.0))
        run(scene, 0.1, simulation=simulation)
        rates.append(turning(simulation)[0])
    assert rates[0] < 3.5
    assert rates[1] == pytest.approx(rates[0], rel=1e-6)


def test_a_ball_on_a_point_never_stops_spinning():
    scene = on_floor(prop("ball", ball(RADIUS + THICKNESS), friction=0.5), friction=0.5)
    simulation = Simulation(scene, contact_method="prox")
    spin(simulation, (0.0, 0.0, 4.0))
    run(scene, 1.0, simulation=simulation)
    assert turning(simulation)[0] == pytest.approx(4.0, abs=1e-6)


def test_a_turntable_takes_a_ball_along_and_no_further():
    """It gains μ ρ m g/I until it turns with the table."""
    patch, rate = 0.02, 2.0
    table, triangles = box((2.0, 2.0, 0.2), (0, 0, -0.1))

    def turned(time):
        return Rotation.from_rotvec([0.0, 0.0, rate * time]).apply(table - [0.3, 0.1, 0.0]) + [0.3, 0.1, 0.0]

    scene = Scene()
    scene.add(Collider("table", turned, triangles, friction=0.5, thickness=THICKNESS))
    scene.add(prop("ball", ball(RADIUS + THICKNESS), spin_friction=patch))
    simulation = Simulation(scene, contact_method="prox")
    gain = 0.5 * patch * GRAVITY / turning(simulation)[1]
    run(scene, 0.5 * rate / gain, simulation=simulation)
    assert turning(simulation)[0] == pytest.approx(gain * simulation.state.step * scene.time_step, rel=1e-4)
    run(scene, rate / gain, simulation=simulation)
    assert turning(simulation)[0] == pytest.approx(rate, rel=1e-4)


def test_two_bodies_exchange_what_one_loses_of_its_spin():
    """A ball hits a box in the air: μ ρ times the impulse of the impact goes from one to the other."""
    scene = Scene(gravity=(0.0, 0.0, 0.0))
    start = RADIUS + THICKNESS + 0.004
    scene.add(prop("ball", ball(start), spin_friction=0.03, start_velocity=(0.0, 0.0, -1.0)))
    scene.add(prop("box", box((0.4, 0.4, 0.2), (0.3, 0.1, -0.1))))
    simulation = Simulation(scene, contact_method="prox")
    spin(simulation, (0.0, 0.0, 10.0))
    masses = [4.0 * simulation.model.masses[nodes[0]] for nodes in simulation.model.rigid.nodes]
    before = motion(simulation, 0)[2][2]
    run(scene, 0.1, simulation=simulation)
    push = masses[0] * masses[1] / sum(masses)
    lost = masses[0] * (before - motion(simulation, 0)[2][2])
    most = 1e-5  # two iterations leave so much of the momentum that a turn by a tenth of a radian in a step has
    assert lost == pytest.approx(0.5 * 0.03 * push, rel=most)
    assert masses[1] * motion(simulation, 1)[2][2] == pytest.approx(lost, rel=most)


def block(degrees, direction, ratio=4.0, friction=0.2, **settings):
    """A flat box on a slope along x, whose own friction decides."""
    mesh = box((0.2, 0.2, 0.05), (0.5, 0.1, 0.025 + THICKNESS))
    body = prop("block", mesh, friction=friction, friction_ratio=ratio, friction_direction=direction, **settings)
    return on_floor(body, degrees=degrees, friction=friction)


@pytest.mark.parametrize(("direction", "limit"), [((2.0, 0.0, 0.0), 0.2), ((0.0, 1.0, 0.5), 0.8)])
def test_a_block_slides_above_the_friction_angle_of_its_direction(direction, limit):
    angle = np.degrees(np.arctan(limit))
    held = run(block(angle - 1.0, direction), 0.25)
    assert np.abs(held.state.velocities).max() < 1e-5
    sliding = run(block(angle + 1.0, direction), 0.25)
    alpha = np.radians(angle + 1.0)
    asked = 0.25 * GRAVITY * (np.sin(alpha) - limit * np.cos(alpha))
    assert motion(sliding)[1] == pytest.approx([asked, 0.0, 0.0], abs=2e-3 * asked)


def slope_acceleration(degrees, turn, friction=0.2, ratio=4.0):
    """a = g_T − g_N K a/√(aᵀ K a) (2,) [m/s²], K = diag(μ², (q μ)²) in axes that are turned by an angle."""
    alpha, (c, s) = np.radians(degrees), (np.cos(turn), np.sin(turn))
    axes = np.array([[c, -s], [s, c]])
    K = axes @ np.diag([friction**2, (ratio * friction) ** 2]) @ axes.T
    pull = np.array([GRAVITY * np.sin(alpha), 0.0])
    return fsolve(lambda a: a + GRAVITY * np.cos(alpha) * K @ a / np.sqrt(a @ K @ a) - pull, 0.5 * pull)


@pytest.mark.parametrize("has_own_axes", [False, True])
def test_a_block_slides_down_where_the_ellipse_leads_it(has_own_axes):
    turn, seconds = np.radians(35.0), 0.25
    axes = Rotation.from_rotvec([0.0, 0.0, turn]).as_matrix()
    if has_own_axes:  # stretched, as an object of another scale
        scene = block(30.0, (1.0, 0.0, 0.0), own_axes=3.0 * axes)
    else:
        scene = block(30.0, axes[:, 0])
    asked = seconds * slope_acceleration(30.0, turn)
    velocity = motion(run(scene, seconds))[1]
    assert asked[1] > 0.2 * asked[0]  # it does not go straight down
    assert velocity[:2] == pytest.approx(asked, abs=2e-3 * np.linalg.norm(asked))


@pytest.mark.parametrize(("turn", "holds"), [(0.0, False), (90.0, True)])
def test_the_direction_turns_with_the_body(turn, holds):
    scene = block(20.0, (1.0, 0.0, 0.0))
    simulation = Simulation(scene, contact_method="prox")
    nodes = simulation.model.rigid.nodes[0]
    centers, arms = around_centers(simulation.state.positions[nodes][None])
    simulation.state.positions[nodes] = centers + Rotation.from_euler("z", turn, degrees=True).apply(arms[0])
    run(scene, 0.25, simulation=simulation)
    assert (np.abs(simulation.state.velocities).max() < 1e-5) == holds


def test_a_direction_along_the_normal_changes_nothing():
    plain, odd = (run(block(20.0, (0.0, 0.0, 1.0), ratio), 0.125) for ratio in (1.0, 4.0))
    assert motion(odd)[1] == pytest.approx(motion(plain)[1], abs=1e-5)


@pytest.mark.parametrize(("direction", "holds"), [((1.0, 0.0, 0.0), False), ((0.0, 1.0, 0.0), True)])
def test_cloth_feels_the_direction_of_what_it_lies_on(direction, holds):
    airless = ClothMaterial(air_drag=0.0, normal_drag=0.0)
    cloth = Cloth("cloth", *sheet(4, 0.1, THICKNESS), material=airless, friction=0.2, thickness=THICKNESS)
    ground = {"friction_ratio": 4.0, "friction_direction": direction, "spin_friction": 0.1}
    simulation = run(on_floor(cloth, degrees=20.0, friction=0.2, **ground), 0.125)
    speed = simulation.state.velocities.mean(axis=0)[0]
    alpha = np.radians(20.0)
    free = 0.125 * GRAVITY * (np.sin(alpha) - 0.2 * np.cos(alpha))
    assert speed == pytest.approx(0.0 if holds else free, abs=2e-2 * free)


def test_reports_tell_what_sticks_and_slips():
    for degrees, holds in ((10.0, True), (13.0, False)):
        report = run(block(degrees, (1.0, 0.0, 0.0)), 0.1).integrator.report
        assert (report.sticking > 0, report.slipping > 0) == (holds, not holds)
        assert report.residual < 1e-6


def test_a_spinning_ball_goes_on_from_a_checkpoint_to_the_same_bits():
    scene = on_floor(prop("ball", ball(RADIUS + THICKNESS), spin_friction=0.01, friction_ratio=2.0))
    whole = Simulation(scene, contact_method="prox")
    spin(whole, (0.0, 0.0, 4.0))
    run(scene, 2.0 / 24.0, simulation=whole)
    resumed = Simulation(scene, contact_method="prox")
    resumed.restore(whole.state)
    for simulation in (whole, resumed):
        simulation.advance_frame()
    assert np.array_equal(whole.state.positions, resumed.state.positions)
    assert np.array_equal(whole.state.velocities, resumed.state.velocities)


@pytest.mark.parametrize("method", ["admm", "cr", "ica", "regions"])
@pytest.mark.parametrize(
    ("setting", "words"), [("spin_friction", "has spin friction"), ("friction_ratio", "differs between directions")]
)
def test_other_methods_refuse_it_with_a_reason(method, setting, words):
    scene = on_floor(prop("box", box(0.1, (0, 0, 1.0)), **{setting: 0.5}))
    with pytest.raises(SceneRefused, match=f'"box" .*{words}, which is known to PROX only, not to {method.upper()}'):
        Simulation(scene, contact_method=method)
    Simulation(scene, contact_method="none")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"spin_friction": -0.1}, "its spin friction must not be negative"),
        ({"spin_friction": np.inf}, "its spin friction must not be negative"),
        ({"friction_ratio": -2.0}, "its friction ratio must not be negative"),
        ({"friction_ratio": np.nan}, "its friction ratio must not be negative"),
        ({"friction_ratio": 2.0, "friction_direction": (0.0, 0.0, 0.0)}, "its friction direction points nowhere"),
        ({"friction_ratio": 2.0, "friction_direction": (0.0, np.nan, 0.0)}, "its friction direction points nowhere"),
    ],
)
def test_numbers_without_sense_are_refused(settings, words):
    for scene in (on_floor(prop("box", box(0.1, (0, 0, 1.0)), **settings)),
                  on_floor(prop("box", box(0.1, (0, 0, 1.0))), **settings)):  # fmt: skip
        with pytest.raises(SceneRefused, match=words):
            Simulation(scene, contact_method="prox")
