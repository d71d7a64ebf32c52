"""Wind and force fields in scenes: what is refused, what is only warned of, and what files keep."""

import json

import numpy as np
import pytest

from stiction.solver import Cloth, Falloff, ForceField, Hair, Scene, Simulation, check_scene
from stiction.solver.fingerprint import changes, describe
from stiction.solver.kernel_imports import import_kernels
from stiction.solver.motion import sample_motion

from ..conftest import grid, strands


def scene_with(*fields, **settings):
    scene = Scene(force_fields=list(fields), **settings)
    scene.add(Cloth("sheet", *grid()))
    return scene


def sentences(*fields, **settings):
    problems = check_scene(scene_with(*fields, **settings))
    return [problem.sentence for problem in problems if not problem.is_warning]


def warnings(*fields):
    problems = check_scene(scene_with(*fields))
    assert all(problem.is_warning for problem in problems)
    return [problem.sentence for problem in problems]


def test_good_fields_pass():
    assert check_scene(scene_with(ForceField("fan", "wind", strength=5.0), turbulence=1.0)) == []


@pytest.mark.parametrize(("settings", "words"), [
    ({"turbulence": -1.0}, "turbulence must not be negative"),
    ({"turbulence": np.nan}, "turbulence must not be negative"),
    ({"turbulence": 1.0, "turbulence_size": 0.0}, "size of the turbulence must be above zero"),
    ({"turbulence_seed": -1}, "seed of the turbulence must not be negative"),
])  # fmt: skip
def test_bad_turbulence_is_refused(settings, words):
    (sentence,) = sentences(**settings)
    assert words in sentence


@pytest.mark.parametrize(("settings", "words"), [
    ({"kind": "wnd"}, 'Force field "fan": its kind must be one of force, wind'),
    ({"shape": "cube"}, "its shape must be one of point, line, plane (it is cube)"),
    ({"falloff_kind": "box"}, "its falloff kind must be one of sphere, tube, cone"),
    ({"location": (np.nan, 0, 0)}, "its place or its settings are not finite"),
    ({"motion": np.zeros((2, 3))}, "its motion must have the shape (3, 3), not (2, 3)"),
    ({"flow": -1.0}, "its flow or damping must not be negative (it is -1)"),
    ({"kind": "drag", "strength": -1.0}, "its drag must not be negative"),
    ({"kind": "turbulence", "size": 0.0}, "the size of its turbulence must be above zero"),
    ({"falloff": Falloff(power=-1.0)}, "its falloff and its distances must not be negative"),
    ({"radial_falloff": Falloff(greatest=-1.0)}, "its falloff and its distances must not be negative"),
    ({"falloff_unit": 0.0}, "the unit of its falloff must be above zero"),
])  # fmt: skip
def test_bad_fields_are_refused(settings, words):
    (sentence,) = sentences(ForceField("fan", **{"kind": "wind", **settings}))
    assert words in sentence


def test_fields_without_effect_are_warned_of():
    (sentence,) = warnings(ForceField("Fridge", "magnet"))
    assert sentence.startswith('Force field "Fridge": fields of the type Magnet have no effect here.')
    (sentence,) = warnings(ForceField("Hedge", "force", shape="surface"))
    assert "it has no effect: its shape must be Point, Line or Plane" in sentence


def test_wind_faster_than_any_storm_is_warned_of():
    (sentence,) = warnings(ForceField("Fan", "wind", strength=-2000.0))
    assert (
        "it blows with 2000 m/s. Here the strength of wind and turbulence is the speed of the air: try 5." in sentence
    )


def blown(time):
    return np.array([[time, 0.0, -1.0], [0.0, np.sin(time), np.cos(time)], [5.0 + time, 0.1, 0.5]])


def test_saved_fields_blow_to_the_same_bits(tmp_path):
    fields = [ForceField("Fan", "wind", motion=blown, falloff=Falloff(1.0, 0.5, 9.0)), ForceField("Hole", "force")]
    scene = scene_with(*fields, turbulence=0.7, turbulence_size=0.3, turbulence_seed=5)
    scene.add(Hair("groom", *strands(), pinned=[0, 1]))
    scene.save(tmp_path / "scene", last_frame=4)
    loaded = Scene.load(tmp_path / "scene")
    assert loaded.force_fields[1] == fields[1]
    assert loaded.force_fields[0].falloff == fields[0].falloff
    *_, expected = Simulation(scene).frames(1, 4)
    *_, found = Simulation(loaded).frames(1, 4)
    for name in ("sheet", "groom"):
        assert np.array_equal(found.positions[name], expected.positions[name])


def described(last_frame, **settings):
    motion = sample_motion(blown, np.arange(last_frame) / 24)
    return json.loads(json.dumps(describe(scene_with(ForceField("Fan", "wind", motion=motion, **settings)))))


def test_a_longer_shot_with_the_same_field_is_no_change():
    assert changes(described(5), described(9)) == []


def test_a_changed_field_is_named():
    assert changes(described(5), described(5, seed=3)) == ['force fields, "Fan": seed was 0, is 3']
    other = scene_with(ForceField("Fan", "wind"), ForceField("Fan.001", "wind"))
    assert changes(described(5), describe(other)) == ["force fields changed"]


def test_wind_bends_hair_and_turbulence_stirs_it():
    def tips(**settings):
        scene = Scene(gravity=(0, 0, 0), **settings)
        scene.add(Hair("groom", *strands(), pinned=[0, 1, 5, 6, 10, 11]))
        *_, frame = Simulation(scene).frames(1, 7)
        return frame.positions["groom"][4::5] - strands()[0][4::5]

    assert np.abs(tips()).max() < 1e-9
    assert (tips(wind=(2.0, 0.0, 0.0))[:, 0] > 1e-4).all()
    stirred = tips(turbulence=2.0, turbulence_size=0.2)
    assert np.linalg.norm(stirred - stirred.mean(axis=0), axis=1).min() > 1e-5


def test_kernels_of_fields_are_prepared_before_the_bake():
    import sys

    import_kernels(scene_with(ForceField("Fan", "wind")))
    assert any(name.endswith("solver.air.field_sampling") for name in sys.modules)
