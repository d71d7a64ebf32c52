"""Friction, thickness and groups of a scene: what is refused, and that files keep them."""

import numpy as np
import pytest

from stiction.solver import Cloth, Collider, Hair, PairFriction, RigidBody, Scene
from stiction.solver.array_file import read_array_file, write_array_file
from stiction.solver.errors import CacheError
from stiction.solver.fingerprint import changes, describe
from stiction.solver.validation import check_scene

from .conftest import cube, grid, strands


def sentences_of(**settings):
    """What a check says about a cloth of 20 vertices with such settings."""
    scene = Scene()
    scene.add(Cloth("Skirt", *grid(), **settings))
    return [problem.sentence for problem in check_scene(scene)]


def scene_with_pairs(*pairs):
    scene = Scene()
    scene.add(Cloth("Skirt", *grid()))
    scene.add(Hair("Groom", *strands()))
    scene.add(Collider("Body", *cube()))
    scene.pair_friction += [PairFriction(*pair) for pair in pairs]
    return scene


def test_good_settings_are_accepted():
    assert sentences_of(friction=0.0, thickness=0.01, collision_groups=0, self_collision=False) == []
    assert sentences_of(friction=np.linspace(0, 5, 20), collision_groups=(1 << 20) - 1) == []


@pytest.mark.parametrize("value", [-0.1, np.nan, np.inf])
def test_friction_that_is_negative_or_no_number(value):
    (sentence,) = sentences_of(friction=value)
    assert sentence == (f'Cloth "Skirt": its friction must not be negative (it is {value:g}). Set it to zero or more.')


def test_painted_friction_names_the_vertices():
    friction = np.ones(20)
    friction[[4, 9]] = -1.0, np.nan
    scene = Scene()
    scene.add(Cloth("Skirt", *grid(), friction=friction))
    (problem,) = check_scene(scene)
    assert "negative or no number at 2 vertices (first: 4)" in problem.sentence
    assert problem.elements == (4, 9)


@pytest.mark.parametrize("shape", [(19,), (20, 1), (0,)])
def test_painted_friction_of_another_size(shape):
    (sentence,) = sentences_of(friction=np.ones(shape))
    assert "but it has 20." in sentence


@pytest.mark.parametrize("value", [0.0, -0.01, np.nan, np.inf])
def test_thickness_that_is_not_positive(value):
    (sentence,) = sentences_of(thickness=value)
    assert "its thickness must be above zero" in sentence


def test_thickness_beyond_the_object():
    size = np.hypot(0.4, 0.3)
    (sentence,) = sentences_of(thickness=1.01 * size)
    assert "is more than the size of the whole object, 0.5 m" in sentence
    assert sentences_of(thickness=0.99 * size) == []


@pytest.mark.parametrize("value", [-1, 0.5])
def test_groups_that_are_no_bits(value):
    (sentence,) = sentences_of(collision_groups=value)
    assert "its collision groups must be bits of a whole number" in sentence


def test_colliders_are_checked_too():
    scene = scene_with_pairs()
    scene.objects["Body"].friction = -1.0
    (problem,) = check_scene(scene)
    assert problem.sentence.startswith('Collider "Body": its friction must not be negative')


def test_friction_of_pairs():
    assert check_scene(scene_with_pairs(("Skirt", "Body", 0.0), ("Skirt", "Skirt", 2.0))) == []
    (problem,) = check_scene(scene_with_pairs(("Skirt", "Shoe", 0.5)))
    assert problem.sentence == (
        'The friction between "Skirt" and "Shoe": there is no object "Shoe" in the scene. '
        "Correct the name, or remove the entry."
    )
    (problem,) = check_scene(scene_with_pairs(("Skirt", "Body", np.nan)))
    assert "must not be negative (it is nan)" in problem.sentence
    (problem,) = check_scene(scene_with_pairs(("Skirt", "Body", 0.1), ("Body", "Skirt", 0.2)))
    assert "is given twice" in problem.sentence


def test_a_file_keeps_all_settings(tmp_path):
    scene = scene_with_pairs(("Skirt", "Body", 0.7))
    skirt, groom, body = scene.objects.values()
    skirt.friction, skirt.thickness, skirt.collision_groups = np.linspace(0, 1, 20), 0.004, 6
    groom.self_collision, groom.friction = False, 0.125
    body.collision_groups, body.thickness = 2, 0.25
    scene.contact_iterations, scene.contact_sweeps, scene.contact_tolerance = 50, 25, 1e-4
    scene.linearizations = 3
    scene.save(tmp_path / "s", last_frame=1)
    loaded = Scene.load(tmp_path / "s")
    for name, item in scene.objects.items():
        for field in ("thickness", "collision_groups", "self_collision"):
            assert getattr(loaded.objects[name], field) == getattr(item, field)
        assert np.array_equal(loaded.objects[name].friction, item.friction)
    assert loaded.pair_friction == scene.pair_friction
    assert (loaded.contact_iterations, loaded.contact_sweeps, loaded.contact_tolerance) == (50, 25, 1e-4)
    assert loaded.linearizations == 3
    assert check_scene(loaded) == []


def test_a_file_keeps_the_ellipsoids_of_solids(tmp_path):
    scene = Scene(contact_method="prox")
    settings = {"spin_friction": 0.01, "friction_ratio": 4.0, "friction_direction": (0.0, 2.0, 1.0)}
    scene.add(Collider("Body", *cube(), **settings, own_axes=np.arange(9.0).reshape(3, 3)))
    scene.add(RigidBody("Prop", *cube(), **settings))
    scene.save(tmp_path / "s")
    loaded = Scene.load(tmp_path / "s")
    for item in loaded.objects.values():
        assert {name: getattr(item, name) for name in settings} == settings
    assert np.array_equal(loaded.objects["Body"].start_direction, np.arange(9.0).reshape(3, 3) @ (0.0, 2.0, 1.0))
    assert loaded.objects["Prop"].own_axes is None
    assert describe(loaded) == describe(scene)


def test_changed_ellipsoids_are_named():
    before, after = scene_with_pairs(), scene_with_pairs()
    body = after.objects["Body"]
    body.spin_friction, body.friction_ratio, body.friction_direction = 0.01, 4.0, (0.0, 1.0, 0.0)
    assert changes(describe(before), describe(after)) == [
        '"Body": spin friction was 0.0, is 0.01',
        '"Body": friction ratio was 1.0, is 4.0',
        '"Body": friction direction was [1.0, 0.0, 0.0], is [0.0, 1.0, 0.0]',
    ]


def test_a_file_of_an_earlier_version_is_refused_by_name(tmp_path):
    scene_with_pairs().save(tmp_path / "s", last_frame=1)
    header, arrays = read_array_file(tmp_path / "s")
    write_array_file(tmp_path / "old", {**header, "format": "stiction scene 3"}, arrays)
    with pytest.raises(CacheError, match="is not a scene file of this version"):
        Scene.load(tmp_path / "old")


def test_a_changed_friction_is_named():
    before, after = scene_with_pairs(), scene_with_pairs(("Skirt", "Body", 0.7))
    after.objects["Skirt"].friction = 0.9
    assert changes(describe(before), describe(after)) == ["pair friction changed", '"Skirt": friction was 0.3, is 0.9']
