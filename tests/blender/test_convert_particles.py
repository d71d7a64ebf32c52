"""Particle hair becomes hair curves in the same place and shape."""

import bpy
import numpy as np
import pytest

from tests.blender.playback_scenes import curve_positions, evaluated, grid, link

STRANDS, SEGMENTS = 7, 6


@pytest.fixture
def convert(module):
    return lambda obj: module("addon.convert_particles").convert_particle_hair(obj, bpy.context)


@pytest.fixture
def refusal(module):
    return module("solver.errors").StictionError


@pytest.fixture
def furry():
    """A mesh with curled particle hair."""
    obj = grid("Scalp")
    obj.location, obj.scale = (1, 2, 3), (2, 1, 1)
    obj.modifiers.new("Fur", "PARTICLE_SYSTEM")
    settings = obj.particle_systems[0].settings
    settings.type, settings.count, settings.hair_length, settings.hair_step = "HAIR", STRANDS, 0.5, SEGMENTS
    settings.brownian_factor = 0.3  # bends the strands
    bpy.context.view_layer.update()
    return obj


def hair_keys(obj):
    particles = evaluated(obj).particle_systems[0].particles
    keys = np.empty((STRANDS, SEGMENTS + 1, 3), np.float32)
    for strand, particle in zip(keys, particles):
        particle.hair_keys.foreach_get("co", strand.ravel())
    return keys


def test_the_curves_have_the_keys_of_the_hair(convert, furry):
    keys = hair_keys(furry)
    assert np.ptp(keys[0, :, 0]) > 1e-3
    hair = convert(furry)
    points = curve_positions(hair).reshape(keys.shape)
    np.testing.assert_allclose(points[:, [0, -1]], keys[:, [0, -1]], atol=1e-5)
    np.testing.assert_allclose(points, keys, atol=2e-4)
    np.testing.assert_allclose(evaluated(hair).matrix_world, furry.matrix_world, atol=1e-6)


def test_the_curves_are_attached_to_the_mesh(convert, furry):
    hair = convert(furry)
    assert (hair.type, hair.parent, hair.data.surface) == ("CURVES", furry, furry)
    assert hair.data.surface_uv_map == furry.data.uv_layers.active.name


def test_the_hair_is_not_there_twice_and_can_come_back(convert, furry):
    step = furry.particle_systems[0].settings.display_step
    convert(furry)
    modifier = furry.modifiers["Fur"]
    assert (modifier.show_viewport, modifier.show_render) == (False, False)
    assert furry.particle_systems[0].settings.display_step == step


def test_children_of_many_lengths_are_converted_as_shown(convert, furry):
    settings = furry.particle_systems[0].settings
    settings.child_type, settings.child_percent = "INTERPOLATED", 10
    settings.child_length, settings.child_length_threshold = 0.3, 0.5
    hair = convert(furry)
    strands = curve_positions(hair).reshape(-1, SEGMENTS + 1, 3)
    lengths = np.linalg.norm(np.diff(strands, axis=1), axis=2).sum(1)
    assert len(strands) == 10 * STRANDS
    assert lengths.min() < 0.25 < 0.45 < lengths.max()


def test_particles_that_are_no_hair_are_refused(convert, refusal, furry):
    furry.particle_systems[0].settings.type = "EMITTER"
    with pytest.raises(refusal, match="only hair"):
        convert(furry)


def test_hair_without_strands_is_refused(convert, refusal, furry):
    furry.particle_systems[0].settings.count = 0
    with pytest.raises(refusal, match="no strands"):
        convert(furry)
    assert [obj.name for obj in bpy.data.objects] == ["Scalp"]


def test_a_mesh_without_particles_is_refused(convert, refusal):
    with pytest.raises(refusal, match="no particle system"):
        convert(grid())


def test_other_objects_without_particles_are_refused(convert, refusal):
    with pytest.raises(refusal, match="no particle system"):
        convert(link(bpy.data.objects.new("Empty", None)))
