"""Gravity, wind, stiffness and pins that change with the time."""

import numpy as np
import pytest

from stiction.solver import (
    Cloth,
    ClothMaterial,
    Collider,
    Hair,
    HairMaterial,
    Scene,
    SceneRefused,
    Simulation,
    SoftBody,
    SoftPins,
    SolidMaterial,
)
from stiction.solver.air.wind import Wind
from stiction.solver.fingerprint import changes, describe
from stiction.solver.motion import SampledMotion
from stiction.solver.validation import check_scene

from .conftest import cube, grid, strands

GRAVITY = 9.81
CHANGE = 0.1  # [s], between two steps, before the fourth frame


def step_of(before, after):
    """A value that changes between two steps."""
    return lambda time: before if time < CHANGE else after


def sampled(*values):
    return SampledMotion(np.array([0.0, 1.0]), np.array([0, 1], np.int32), np.array(values, float))


def run(scene, last_frame):
    simulation = Simulation(scene)
    frames = list(simulation.frames(1, last_frame))
    return simulation, frames


def sheet(**settings):
    material = settings.pop("material", ClothMaterial(air_drag=0.0, normal_drag=0.0, damping=0.0))
    return Cloth("sheet", *grid(), material=material, **settings)


def momentum(simulation):
    return simulation.model.masses @ simulation.state.velocities


def test_gravity_that_is_switched_off_leaves_the_speed_that_it_gave():
    scene = Scene(gravity=step_of((0.0, 0.0, -GRAVITY), (0.0, 0.0, 0.0)))
    scene.add(sheet())
    simulation, _ = run(scene, 7)
    steps_with_gravity = 9  # of 1/96 s, the last ends at 0.094 s
    assert np.allclose(simulation.state.velocities, [0.0, 0.0, -GRAVITY * steps_with_gravity / 96], atol=1e-12)


def test_sheets_in_strong_drag_go_with_the_wind_of_the_moment():
    material = ClothMaterial(air_drag=1e9, normal_drag=0.0)
    scene = Scene(gravity=(0.0, 0.0, 0.0), wind=lambda time: np.array([time, 2.0, 0.0]))
    scene.add(sheet(material=material))
    simulation, _ = run(scene, 13)
    assert np.allclose(simulation.state.velocities, [0.5, 2.0, 0.0], atol=1e-6)


def test_the_way_of_a_wind_that_rises_is_its_integral():
    """∫ (t, 2 t, 3) dt, which trapezoids give exactly; in any order of times, so that a bake can resume."""
    wind = Wind(lambda time: np.array([time, 2.0 * time, 3.0]), 1 / 96)
    for time in (0.5, 0.123, 2.0, 0.0):
        assert np.allclose(wind.way(time), [time**2 / 2, time**2, 3.0 * time], atol=1e-12)


def test_gusts_in_an_even_wind_are_the_same_however_it_is_given():
    even, function = (Scene(wind=wind, turbulence=2.0) for wind in ((3.0, 0.0, 0.0), lambda _: np.array([3.0, 0, 0])))
    positions = []
    for scene in (even, function):
        scene.add(sheet(material=ClothMaterial(air_drag=5.0)))
        positions.append(run(scene, 5)[1][-1].positions["sheet"])
    assert np.allclose(*positions, rtol=0, atol=1e-12)
    assert np.ptp(positions[0][:, 0]) > 0.0


def pinned_sheet(material):
    return sheet(material=material, pinned=[0, 4])


def pinned_strand(material):
    positions, offsets = strands()
    return Hair(
        "strand", positions, offsets, material=material, pinned=np.concatenate([offsets[:-1], offsets[:-1] + 1])
    )


def pinned_cube(frame_count=0):
    def make(material):
        return SoftBody("cube", *cube(), material=material, pinned=[0, 1, 2], frame_count=frame_count)

    return make


STIFF = {
    "membrane": (
        pinned_sheet,
        ClothMaterial,
        {"warp_stiffness": 50.0, "weft_stiffness": 70.0, "shear_stiffness": 5.0, "warp_bending": 1e-4,
         "weft_bending": 3e-4},
        {},
    ),
    "springs": (
        pinned_sheet,
        ClothMaterial,
        {"warp_stiffness": 50.0, "weft_stiffness": 70.0, "shear_stiffness": 5.0},
        {"cloth_law": "springs"},
    ),
    "hair": (pinned_strand, HairMaterial, {"bending_modulus": 1e9, "stretching_modulus": 1e7}, {"radius": 1e-3}),
    "soft": (pinned_cube(), SolidMaterial, {"youngs_modulus": 2e4}, {}),
    "frames": (pinned_cube(4), SolidMaterial, {"youngs_modulus": 2e4}, {"solid_law": "corotated"}),
}  # fmt: skip


@pytest.mark.parametrize("kind", STIFF)
def test_stiffness_that_doubles_is_that_of_a_scene_that_had_it_from_the_start(kind):
    """The same state goes on in a scene of the double stiffness, to the same bits: 2 is exact."""
    make, material, stiffness, others = STIFF[kind]
    doubled = {name: 2.0 * value for name, value in stiffness.items()}
    at_frame = 2 / 24 + 1e-6
    keyed = {name: (lambda time, v=value: v if time < at_frame else 2.0 * v) for name, value in stiffness.items()}
    soft, stiff, changing = (Scene() for _ in range(3))
    for scene, numbers in ((soft, stiffness), (stiff, doubled), (changing, keyed)):
        scene.add(make(material(**numbers, **others)))
    before, _ = run(soft, 3)
    goes_on = Simulation(stiff)
    goes_on.restore(before.state)
    list(goes_on.frames(4, 5))
    changed, _ = run(changing, 5)
    assert np.array_equal(changed.state.positions, goes_on.state.positions)
    softer, _ = run(soft, 5)
    assert not np.allclose(changed.state.positions, softer.state.positions, atol=1e-9)


def test_one_stiffness_of_several_may_change():
    """Springs that bend the warp only: what bends the weft stays."""
    material = ClothMaterial(warp_bending=lambda time: 1e-3 * (1.0 + time), weft_bending=2e-3)
    scene = Scene()
    scene.add(pinned_sheet(material))
    simulation = Simulation(scene)
    plain = Scene()
    plain.add(pinned_sheet(ClothMaterial(warp_bending=1.5e-3, weft_bending=2e-3)))
    (rows, start, ratio) = simulation.model.keyed_stiffness[1]
    expected = Simulation(plain).model.laws[1].law.elements.stiffness
    assert np.allclose(start * ratio(0.5), expected, rtol=1e-12)
    assert not np.allclose(rows, expected)


def held_sheet(strength):
    pins = SoftPins([0, 4], np.inf, strength=strength)
    return sheet(soft_pins=pins)


def held_strand(strength):
    positions, offsets = strands()
    roots = np.concatenate([offsets[:-1], offsets[:-1] + 1])
    material = HairMaterial(radius=1e-3, air_drag=0.0, damping=0.0)
    return Hair("strand", positions, offsets, material=material, soft_pins=SoftPins(roots, np.inf, strength=strength))


def held_cube(strength):
    pins = SoftPins([0, 1, 2], np.inf, strength=strength)
    return SoftBody("cube", *cube(), material=SolidMaterial(damping=0.0), soft_pins=pins, frame_count=4)


@pytest.mark.parametrize("make", [held_sheet, held_strand, held_cube])
def test_pins_that_let_go_hold_until_then_and_everything_falls_freely_after(make):
    scene = Scene()
    item = scene.add(make(step_of(1.0, 0.0)))
    simulation, frames = run(scene, 4)
    held = item.soft_pins.vertices
    assert np.allclose(frames[2].positions[item.name][held], item.positions[held], atol=2e-5)
    before = momentum(simulation)
    list(simulation.frames(5, 7))
    weight = simulation.model.masses.sum() * np.array([0.0, 0.0, -GRAVITY])
    assert np.allclose(momentum(simulation) - before, weight * 3 / 24, atol=1e-3 * np.linalg.norm(weight) * 3 / 24)


def test_what_is_let_go_lands_on_what_is_below():
    """Contacts see springs as what is free; nothing crosses, before and after."""
    scene = Scene(contact_method="admm")
    table, faces = cube(4.0, (0.0, 0.0, -2.0))
    scene.add(Collider("table", table, faces, thickness=0.01))
    positions, triangles = grid()
    positions[:, 2] = 0.05
    corners = SoftPins([0, 4, 15, 19], np.inf, strength=step_of(1.0, 0.0))
    scene.add(Cloth("sheet", positions, triangles, thickness=0.01, soft_pins=corners))
    simulation = Simulation(scene)
    frames = list(simulation.frames(1, 12))
    heights = np.array([frame.positions["sheet"][[0, 4, 15, 19], 2] for frame in frames])
    assert np.allclose(heights[:3], 0.05, atol=1e-4)
    assert np.allclose(heights[-1], 0.01, atol=2e-3)
    assert all(frame.positions["sheet"][:, 2].min() > 0.009 for frame in frames)


def test_firm_springs_of_full_strength_hold_as_pins_do():
    pinned, held = Scene(), Scene()
    pinned.add(sheet(pinned=[0, 4]))
    held.add(held_sheet(1.0))
    one, other = (run(scene, 13)[1][-1].positions["sheet"] for scene in (pinned, held))
    assert np.allclose(one, other, atol=1e-4)


def test_strength_weakens_pins_as_less_paint_would():
    """A weight of one half at half strength is a weight of a quarter; a firm one is one half."""
    pins = SoftPins([0, 1], [30.0, np.inf], strength=0.5, half_stiffness=30.0)
    assert np.allclose(pins.stiffness_at(0.0, np.full(2, 1e9)), [30.0 * 0.25 / 0.75, 30.0])
    pins.strength = 0.0
    assert np.array_equal(pins.stiffness_at(0.0, np.full(2, 1e9)), [0.0, 0.0])
    pins.strength = 1.0
    assert np.array_equal(pins.stiffness_at(0.0, np.full(2, 1e9)), [30.0, 1e9])


def changing_scene(gravity=-GRAVITY, stiffness=4.0, strength=0.0):
    scene = Scene(
        gravity=sampled((0.0, 0.0, -GRAVITY), (0.0, 0.0, gravity)), wind=sampled((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    )
    item = scene.add(held_sheet(sampled(1.0, strength)))
    item.material = ClothMaterial(warp_stiffness=sampled(2.0, stiffness))
    return scene


def test_a_file_keeps_what_changes(tmp_path):
    scene = changing_scene()
    scene.wind = lambda time: np.array([2.0 * time, 0.0, 0.0])
    scene.save(tmp_path / "scene", last_frame=25)
    loaded = Scene.load(tmp_path / "scene")
    assert np.allclose(loaded.wind(0.5), [1.0, 0.0, 0.0])
    assert loaded.objects["sheet"].material.warp_stiffness(0.5) == 3.0
    assert loaded.objects["sheet"].soft_pins.strength(0.5) == 0.5
    one, other = (run(item, 4)[1][-1].positions["sheet"] for item in (scene, loaded))
    assert np.allclose(one, other, rtol=0, atol=1e-12)


def test_a_changed_key_is_named():
    before = describe(changing_scene())
    assert changes(before, describe(changing_scene())) == []
    assert changes(before, describe(changing_scene(gravity=0.0))) == ["gravity changed at 1.000 s"]
    assert changes(before, describe(changing_scene(stiffness=9.0))) == [
        '"sheet": material warp stiffness changed at 1.000 s'
    ]
    assert changes(before, describe(changing_scene(strength=1.0))) == ['"sheet": soft pins strength changed at 1.000 s']


def sentences_of(scene):
    return [problem.sentence for problem in check_scene(scene)]


def test_bad_keys_are_refused_with_their_time():
    assert sentences_of(changing_scene(gravity=np.nan)) == [
        "Gravity must be three finite numbers, but is not at 1.000 s."
    ]
    assert sentences_of(changing_scene(stiffness=-1.0)) == [
        'Cloth "sheet": its warp stiffness must be above zero (it is -1 at 1.000 s). Raise it.'
    ]
    assert sentences_of(changing_scene(strength=2.0)) == [
        'Cloth "sheet": the strength of its pins must lie between 0 and 1, but does not at 1.000 s.'
    ]
    scene = changing_scene()
    scene.objects["sheet"].material = ClothMaterial(area_density=lambda _: 1.0)
    with pytest.raises(SceneRefused, match=r"its area density cannot change with the time\. Give it one number"):
        Simulation(scene)
