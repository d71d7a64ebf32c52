"""Motion without elasticity or contact: inertia, gravity, pins and wind."""

import numpy as np
import pytest

from stiction.solver import (
    Cloth,
    Hair,
    HairMaterial,
    RigidBody,
    Scene,
    SceneRefused,
    Simulation,
    SimulationDiverged,
    SoftBody,
)
from stiction.solver.materials import ClothMaterial
from stiction.solver.model_builder import build

from .conftest import cube, grid, strands


def falling_sheet(drag=0.0, wind=(0, 0, 0), steps_per_frame=4, velocity=(0, 0, 0)):
    scene = Scene(wind=wind, steps_per_frame=steps_per_frame)
    scene.add(Cloth("sheet", *grid(), material=ClothMaterial(air_drag=drag, normal_drag=0.0), start_velocity=velocity))
    return scene


def last(simulation, frame_number):
    *_, frame = simulation.frames(1, frame_number)
    return frame


def test_a_scene_takes_ten_lines():
    positions, triangles = grid()
    scene = Scene(gravity=(0, 0, -9.81), frames_per_second=24, steps_per_frame=4)
    scene.add(Cloth("shirt", positions=positions, triangles=triangles, pinned=[0, 4]))
    frames = list(Simulation(scene).frames(1, 3))
    assert [frame.number for frame in frames] == [1, 2, 3]
    assert frames[0].positions["shirt"] == pytest.approx(positions, abs=0)
    assert frames[2].report.steps == 4


def test_free_fall_is_exact_for_implicit_euler():
    """x(n Δt) = x₀ − g Δt² n (n + 1) / 2, which tends to g t²/2 at first order."""
    frame = last(Simulation(falling_sheet()), 25)
    steps, time_step = 96, 1 / 96
    fallen = 9.81 * time_step**2 * steps * (steps + 1) / 2
    assert np.allclose(1.0 - frame.positions["sheet"][:, 2], fallen, rtol=1e-13)
    assert fallen == pytest.approx(9.81 / 2, rel=1.01 / steps)


def test_fall_converges_at_first_order():
    errors = [
        abs(1.0 - last(Simulation(falling_sheet(steps_per_frame=n)), 25).positions["sheet"][0, 2] - 9.81 / 2)
        for n in (2, 4, 8)
    ]
    assert np.allclose(np.array(errors[:-1]) / errors[1:], 2.0, rtol=0.01)


def test_drag_leads_to_terminal_velocity():
    """With drag rate γ the velocity tends to w + g/γ."""
    simulation = Simulation(falling_sheet(drag=20.0, wind=(3.0, 0.0, 0.0)))
    last(simulation, 49)
    assert np.allclose(simulation.state.velocities, [3.0, 0.0, -9.81 / 20.0], atol=1e-9)


def test_momentum_is_conserved_without_forces():
    scene = falling_sheet(velocity=(1.0, -2.0, 0.5))
    scene.gravity = (0.0, 0.0, 0.0)
    positions = last(Simulation(scene), 25).positions["sheet"]
    assert np.allclose(positions - grid()[0], [1.0, -2.0, 0.5], atol=1e-12)


def test_pins_follow_their_motion(scene):
    frame = last(Simulation(scene), 13)
    expected = grid()[0][[0, 4]] + [0.5, 0, 0]
    assert np.allclose(frame.positions["shirt"][[0, 4]], expected, atol=1e-12)


def test_pins_without_motion_stay(scene):
    frame = last(Simulation(scene), 13)
    assert np.array_equal(frame.positions["groom"][::5], scene.objects["groom"].positions[::5])


def test_first_frame_may_lie_later(scene):
    late = next(Simulation(scene).frames(5, 6))
    assert late.number == 5
    assert np.array_equal(late.positions["jelly"], last(Simulation(scene), 5).positions["jelly"])


def test_masses_add_up(scene):
    model, _, _ = build(scene)
    mass = {span.name: model.masses[span.first : span.end].sum() for span in model.spans}
    assert mass["shirt"] == pytest.approx(0.15 * 0.4 * 0.3)
    assert mass["groom"] == pytest.approx(3 * 1320 * np.pi * 4e-5**2 * 0.08)
    assert mass["jelly"] == pytest.approx(1000 * 0.2**3)


def test_empty_frame_range_is_refused(scene):
    with pytest.raises(SceneRefused, match=r"the last frame \(4\) is before the first \(5\)"):
        next(Simulation(scene).frames(5, 4))


def test_divergence_names_frame_and_object():
    scene = falling_sheet()
    scene.gravity = (1e308, 0.0, 0.0)
    scene.frames_per_second = 0.01
    with pytest.raises(SimulationDiverged, match='Frame 2: "sheet" flies apart'):
        list(Simulation(scene).frames(1, 3))


def test_strands_too_stiff_for_numbers_are_named():
    scene = Scene()
    scene.add(Hair("groom", *strands(), pinned=[0, 1], material=HairMaterial(bending_modulus=1e308, radius=1.0)))
    with pytest.raises(SimulationDiverged, match='Frame 2: "groom" flies apart'):
        list(Simulation(scene).frames(1, 2))


def test_open_surface_of_a_body_has_the_mass_of_a_shell():
    scene = Scene()
    scene.add(RigidBody("plate", *grid()))
    model, _, _ = build(scene)
    assert model.masses.sum() == pytest.approx(1000 * 1e-3 * 0.4 * 0.3)
    *_, frame = Simulation(scene).frames(1, 3)
    assert np.isfinite(frame.positions["plate"]).all()


@pytest.mark.parametrize("kind", [RigidBody, SoftBody])
def test_masses_do_not_depend_on_place(kind):
    totals = []
    for x in (0.0, 1000.0):
        scene = Scene()
        scene.add(kind("box", *cube(1.0, (x, 0, 0))))
        totals.append(build(scene)[0].masses.sum())
    assert totals == pytest.approx([1000.0, 1000.0], rel=1e-9)


@pytest.mark.parametrize("contact_method", ["none", "admm", "cr"])
def test_cloth_alone_is_linearized_once_and_all_else_twice(contact_method):
    def linearizations(*objects, **settings):
        scene = Scene(contact_method=contact_method, **settings)
        for item in objects:
            scene.add(item)
        integrator = Simulation(scene).integrator
        if contact_method == "none":
            return integrator.settings.iterations
        return integrator.solver.settings.newton_iterations

    sheet, body = Cloth("sheet", *grid(4)), SoftBody("body", *cube())
    assert linearizations(sheet) == 1
    assert linearizations(body) == linearizations(sheet, body) == 2
    assert linearizations(sheet, linearizations=3) == 3
