"""Steps whose contacts are solved by each method's name: closed forms, ADMM's results, refusals."""

from dataclasses import replace

import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial, Collider, RigidBody, RigidMaterial, Scene, Simulation
from stiction.solver.contact import local_form, solve
from stiction.solver.contact.proximal import ProxSettings, run_prox
from stiction.solver.contact.regions import RegionSettings, run_regions
from stiction.solver.errors import SceneRefused, SimulationFailed
from stiction.solver.validation import check_scene

from .colliding import box, sheet
from .problems import random_problem

GRAVITY, THICKNESS, FRICTION = 9.81, 1e-3, 0.5
LIMIT = np.degrees(np.arctan(FRICTION))
METHODS = ["cr", "ica", "prox", "regions"]


def tilted(item, degrees):
    angle = np.radians(degrees)
    scene = Scene(gravity=(GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle)))
    floor = box((40.0, 40.0, 1.0), (0, 0, -0.5))
    scene.add(Collider("floor", *floor, friction=FRICTION, thickness=THICKNESS))
    scene.add(item)
    return scene


def rigid_block(**settings):
    airless = RigidMaterial(air_drag=0.0)
    mesh = box(0.1, (0, 0, 0.05 + THICKNESS))
    return RigidBody("block", *mesh, material=airless, friction=FRICTION, thickness=THICKNESS, **settings)


def cloth(**settings):
    airless = ClothMaterial(air_drag=0.0, normal_drag=0.0)
    mesh = sheet(5, 0.1, THICKNESS)
    return Cloth("block", *mesh, material=airless, friction=FRICTION, thickness=THICKNESS, **settings)


def run(scene, method, seconds):
    """Solved to the end."""
    simulation = Simulation(scene, contact_method=method)
    settings = simulation.integrator.solver.settings
    if method == "admm":
        settings.admm.iterations, settings.admm.tolerance = 400, 1e-9
    else:
        settings.iterations, settings.tolerance, settings.distance = 3000, 1e-7, 1e-9
    for _ in range(round(seconds / scene.time_step)):
        simulation.advance()
    return simulation


def along(simulation, start):
    """How far the middle went along the slope, and how fast it goes."""
    middle = simulation.state.positions.mean(axis=0) - start.positions.mean(axis=0)
    return middle[0], simulation.state.velocities.mean(axis=0)[0]


@pytest.mark.parametrize("method", METHODS)
def test_a_rigid_block_rests_below_the_angle_of_friction_and_slides_above(method):
    """To within 0.2° of atan μ, by implicit Euler's speeds to the tolerance of the method."""
    seconds = 0.25
    item = rigid_block()
    way, _ = along(run(tilted(item, LIMIT - 0.2), method, seconds), item)
    assert abs(way) < 24 * 1e-8
    way, speed = along(run(tilted(item, LIMIT + 0.2), method, seconds), item)
    angle = np.radians(LIMIT + 0.2)
    acceleration = GRAVITY * (np.sin(angle) - FRICTION * np.cos(angle))
    step = Scene().time_step
    assert speed == pytest.approx(acceleration * seconds, rel=0.01, abs=2.0 * acceleration * step)
    assert way == pytest.approx(0.5 * acceleration * seconds**2, abs=2.0 * acceleration * step * seconds)


@pytest.mark.parametrize("method", ["cr", "prox", "regions"])
def test_cloth_stops_where_friction_has_it_and_where_admm_stops_it(method):
    """d = v₀²/(2 μ g), where implicit Euler brakes a step's part too early."""
    item = cloth(start_velocity=(1.0, 0.0, 0.0))
    seconds, exact = 1.0 / (FRICTION * GRAVITY) + 0.05, 1.0 / (2.0 * FRICTION * GRAVITY)
    way, speed = along(run(tilted(item, 0.0), method, seconds), item)
    assert abs(speed) < 1e-5
    assert way == pytest.approx(exact, abs=Scene().time_step)
    other, _ = along(run(tilted(item, 0.0), "admm", seconds), item)
    assert way == pytest.approx(other, abs=1e-2 * Scene().time_step)


def test_a_box_falls_on_cloth_as_it_does_by_admm():
    ends = {}
    for method in ("admm", "prox"):
        scene = Scene()
        corners = [0, 6, 42, 48]
        scene.add(Cloth("sheet", *sheet(7, 0.3, 0.0), pinned=corners, thickness=THICKNESS))
        scene.add(
            RigidBody("box", *box(0.06, (0, 0, 0.035)), material=RigidMaterial(density=50.0), thickness=THICKNESS)
        )
        simulation = run(scene, method, 0.25)
        ends[method] = simulation.current_frame(1).positions["box"]
    assert np.abs(ends["prox"] - ends["admm"]).max() < 1e-3
    assert ends["prox"][:, 2].min() < -5e-3  # the cloth has given way


@pytest.mark.parametrize("method", METHODS)
def test_what_a_method_does_not_solve_is_refused(method):
    scene = Scene()
    scene.add(Cloth("ball", *box(0.1, (0, 0, 0)), is_sealed=True))
    with pytest.raises(SceneRefused, match=f"{method.upper()}.*Choose ADMM"):
        Simulation(scene, contact_method=method)


def test_rigid_bodies_of_six_unknowns_are_not_relaxed_first():
    scene = Scene(relaxes_first=True)
    scene.add(rigid_block())
    with pytest.raises(SceneRefused, match="Relax First does not know rigid bodies"):
        Simulation(scene, contact_method="prox")


def test_stiff_cloth_by_ica_is_warned_of():
    scene = Scene(contact_method="ica")
    scene.add(cloth())
    (problem,) = check_scene(scene)
    assert problem.is_warning and "may slide too easily" in problem.sentence


def test_a_matrix_that_does_not_fit_ends_the_bake_with_a_sentence(monkeypatch):
    monkeypatch.setattr(local_form, "MOST_GIGABYTES", 1e-9)
    with pytest.raises(SimulationFailed, match=r"Contact by PROX gave up\. What each of .* contacts does"):
        run(tilted(cloth(), 0.0), "prox", Scene().time_step)


@pytest.mark.parametrize("method", ["nl-ica", "prox", "regions"])
def test_a_start_from_the_solution_ends_there(method):
    problem = random_problem(3, friction=0.4)
    first = solve(problem, method)
    again = solve(replace(problem, start=first.r), method)
    assert again.iterations <= first.iterations
    assert again.v == pytest.approx(first.v, abs=1e-7)


def test_a_start_from_the_solution_leaves_nothing_to_sweep():
    problem = random_problem(3, friction=0.4)
    form, start = local_form.local_form(problem), solve(problem, "prox", tolerance=1e-10).r
    assert len(run_prox(form, ProxSettings(tolerance=1e-8), start).history) == 1
    assert len(run_regions(form, RegionSettings(tolerance=1e-8, gradient_steps=0), start=start).history) == 1


@pytest.mark.parametrize("method", ["admm", "cr", "prox", "regions", "ica"])
def test_a_scene_asks_how_far_contacts_may_be_off(method):
    """As a way in a step: what is asked is reached, more exactly in more iterations; without, the method's own."""

    def reports(tolerance):
        scene = tilted(rigid_block(start_velocity=(0.5, 0.2, 0.0)), 10.0)
        scene.contact_tolerance, scene.contact_iterations = tolerance, 3000
        return [frame.report for frame in Simulation(scene, contact_method=method).frames(1, 3)][1:]

    rough, fine = reports(1e-4), reports(1e-8)
    more, fewer = (sum(report.contact_iterations for report in some) for some in (fine, rough))
    assert more >= fewer if method in ("regions", "ica") else more > fewer  # a block ends in their first iterations
    if method != "ica":  # whose pyramid is off the cone by more
        assert max(report.contact_residual for report in rough) <= 1e-4
        assert max(report.contact_residual for report in fine) <= 1e-8
