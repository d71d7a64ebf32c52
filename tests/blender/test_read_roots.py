"""Hair on simulated surfaces is bound to them; on animated ones it spins with them."""

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import (
    TOLERANCE,
    animate,
    hair_object,
    inputs_of,
    link,
    refusal_of,
    rotation,
    set_range,
    sheet,
    start_of,
)
from tests.blender.test_read_hair import STRANDS, groom_on


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=5 * TOLERANCE)


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT", "RIGID"])
def test_roots_on_a_simulated_surface_are_bound_to_its_vertices(module, kind):
    scalp = sheet("Scalp", kind)
    scalp.modifiers.new("Mirror", "MIRROR").use_axis = (False, False, True)
    module("addon.playback_modifier").add_playback_modifier(scalp)
    scalp.modifiers.new("Subdivision", "SUBSURF")
    scalp.scale = (-1, 1, 1)
    groom_on(scalp, [strand * (-1, 1, 1) for strand in STRANDS])
    scene = start_of(module)
    hair, surface = scene.objects["Hair"], scene.objects["Scalp"]
    assert (hair.roots.surface, len(hair.pinned), hair.root_directors) == ("Scalp", 0, None)
    places = np.einsum("sc,scx->sx", hair.roots.weights, surface.positions[hair.roots.triangles])
    close(places, hair.positions[[0, 3]])
    assert {tuple(row) for row in hair.roots.triangles} <= {tuple(row) for row in surface.triangles}
    assert [problem for problem in module("solver.validation").check_scene(scene) if not problem.is_warning] == []


@pytest.mark.parametrize(
    ("ends", "pinned", "is_bound"), [("START", [], True), ("BOTH", [2, 5, 6], True), ("END", [1, 2, 5, 6], False)]
)
def test_tips_of_hair_on_a_simulated_surface_follow_the_curves_own_animation(module, tmp_path, ends, pinned, is_bound):
    hair = groom_on(sheet("Scalp", "CLOTH"))
    hair.stiction.pinned_ends = ends
    animate(hair, "location", {1: (0.0, 0.0, 0.0), 3: (0.0, 4.0, 0.0)})
    set_range(1, 3)
    scene = inputs_of(module, tmp_path).scene
    item = scene.objects["Hair"]
    assert (item.pinned.tolist(), item.roots is not None) == (pinned, is_bound)
    if pinned:
        close(item.pin_motion(1 / 24), np.concatenate(STRANDS)[pinned] + (0, 2, 0))
    assert module("solver.validation").check_scene(scene) == []


def test_free_hair_is_not_bound(module):
    groom_on(sheet("Scalp", "CLOTH")).stiction.pinned_ends = "NONE"
    item = start_of(module).objects["Hair"]
    assert (item.roots, len(item.pinned)) == (None, 0)


def test_strands_that_change_on_a_simulated_surface_are_refused(module, tmp_path):
    from tests.blender.reading_scenes import add_nodes

    node = add_nodes(groom_on(sheet("Scalp", "CLOTH")), "Resample", "GeometryNodeResampleCurve")
    animate(node.inputs["Count"], "default_value", {1: 3, 3: 8})
    set_range(1, 3)
    (sentence,) = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert "it has 2 strands with 6 points at frame 1 but" in sentence


def test_a_simulated_surface_outside_the_scene_is_refused(module):
    scalp = sheet("Scalp", "CLOTH")
    bpy.context.scene.collection.objects.unlink(scalp)
    groom_on(scalp)
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith('Hair "Hair": its surface "Scalp" is simulated, but no mesh of this scene.')


def test_a_refused_surface_is_told_once(module):
    scalp = sheet("Scalp", "CLOTH")
    scalp.scale = (1, 0, 1)
    groom_on(scalp)
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith('Cloth "Scalp"')


@pytest.mark.parametrize("ends", ["START", "BOTH"])
def test_sections_of_roots_spin_with_an_animated_scalp(module, tmp_path, ends):
    """A scalp that turns about the strands: their points stay where they are, and only the directors tell."""
    scalp = sheet("Scalp", "COLLIDER")
    pivot = link(bpy.data.objects.new("Pivot", None))
    scalp.parent, pivot.location, scalp.location = pivot, (0.3, 0.4, 0), (-0.3, -0.4, 0)
    animate(pivot, "rotation_euler", {1: 0.0, 3: 1.4}, index=2)
    groom_on(scalp, [STRANDS[1]]).stiction.pinned_ends = ends
    set_range(1, 3)
    item = inputs_of(module, tmp_path).scene.objects["Hair"]
    directors = item.root_directors(0.0)
    assert directors.shape == (1, 3)
    for frame in (1, 2, 3):
        time = (frame - 1) / 24
        close(item.pin_motion(time)[:2], STRANDS[1][:2])
        close(item.root_directors(time), directors @ rotation(0.7 * (frame - 1), 2).T)


def test_only_roots_that_are_pinned_on_a_surface_have_directors(module):
    groom_on(sheet("Scalp", "NONE")).stiction.pinned_ends = "END"
    hair_object("Loose", STRANDS)
    objects = start_of(module).objects
    assert objects["Hair"].root_directors is None
    assert objects["Loose"].root_directors is None
