"""Cycles blurs the baked motion: it gets the positions at sub-frames."""

import bpy
import numpy as np
import pytest

from tests.blender.playback_scenes import FIRST, go_to, grid, hair, make_bake, mesh_positions, read

SIZE, WIDTH = 64, 8.0  # pixels and units across the picture
SPEED = 4.0  # units a frame; the shutter is open for half of it


@pytest.fixture
def render(tmp_path):
    """Render what is in the middle of the timeline, and return how many pixels are covered."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 32, False
    scene.render.resolution_x = scene.render.resolution_y = SIZE
    scene.render.film_transparent = True
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale, camera.location = "ORTHO", WIDTH, (0, 0, 10)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.filepath = str(tmp_path / "picture.png")
    go_to(FIRST + 1)

    def covered(motion_blur):
        scene.render.use_motion_blur = motion_blur
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath, check_existing=False)
        pixels = np.empty(SIZE * SIZE * 4, np.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
        return np.count_nonzero(pixels[3::4] > 0.01)

    return covered


def lying_hair():
    obj = hair((4, 4))
    positions = read(obj.data.position_data, "vector")[:, [0, 2, 1]]
    obj.data.position_data.foreach_set("vector", positions.ravel())
    obj.data.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", np.full(8, 0.1, np.float32))
    return obj, positions


def cloth():
    obj = grid()
    return obj, mesh_positions(obj)


@pytest.mark.parametrize("make", [cloth, lying_hair])
def test_motion_blur_smears_what_moves(module, tmp_path, render, make):
    obj, rest = make()
    samples = np.stack([rest + (SPEED * frame, 0, 0) for frame in (-1, 0, 1)])
    store = make_bake(module, tmp_path / "cache", {obj.name: samples})
    module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), FIRST, rest)
    sharp, blurred = render(False), render(True)
    height = np.ptp(rest[:, 1]) * SIZE / WIDTH
    smear = SPEED / 2 * SIZE / WIDTH * height
    assert sharp > height
    assert blurred - sharp > 0.5 * smear
