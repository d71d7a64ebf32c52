"""What other programs get is what Blender shows, and the scene is afterwards as it was."""

import bpy
import numpy as np
import pytest

from tests.blender.playback_scenes import (
    FIRST,
    LAST,
    curve_positions,
    evaluated,
    go_to,
    grid,
    hair,
    link,
    make_bake,
    mesh_positions,
    random_samples,
    rope,
)

POINTS = {"Cloth": 16, "Hair": 12, "Rope": 8}


@pytest.fixture
def export(module):
    return module("addon.write_export").export


@pytest.fixture
def refusal(module):
    return module("addon.write_export").ExportRefused


@pytest.fixture
def shot(module, tmp_path):
    """A baked cloth under a parent, a groom and a rope, beside an object that is no business of ours."""
    objects = [grid(), hair((4, 5, 3)), rope()]
    objects[0].parent = link(bpy.data.objects.new("Parent", None))
    objects[0].parent.location = (1, 2, 3)
    samples = {name: random_samples(count, seed) for seed, (name, count) in enumerate(POINTS.items())}
    store = make_bake(module, tmp_path / "cache", samples)
    for obj in objects:
        path = store.path_of(obj.name)
        module("addon.write_playback").connect_playback(obj, path, FIRST, samples[obj.name][0])
    grid("Other", size=6)
    return objects, samples


def import_file(path):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    if path.suffix == ".abc":
        bpy.ops.wm.alembic_import(filepath=str(path), as_background_job=False, set_frame_range=True)
    else:
        bpy.ops.wm.usd_import(filepath=str(path), set_frame_range=True)
    return [obj for obj in bpy.context.scene.objects if obj.type in ("MESH", "CURVES")]


def world_positions(obj):
    local = mesh_positions(obj) if obj.type == "MESH" else curve_positions(obj)
    matrix = np.array(evaluated(obj).matrix_world)
    return local @ matrix[:3, :3].T + matrix[:3, 3]


@pytest.mark.parametrize("suffix", ["abc", "usdc"])
def test_exported_objects_move_as_baked(export, shot, tmp_path, suffix):
    objects, samples = shot
    path = tmp_path / f"shot.{suffix}"
    export(objects, path, FIRST, LAST)
    imported = import_file(path)
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (FIRST, LAST)
    samples["Cloth"] = samples["Cloth"] + (1, 2, 3)
    by_count = {POINTS[name]: positions for name, positions in samples.items()}
    assert sorted(len(world_positions(obj)) for obj in imported) == sorted(by_count)
    for frame in range(FIRST, LAST + 1):
        go_to(float(frame))
        for obj in imported:
            shown = world_positions(obj)
            np.testing.assert_allclose(shown, by_count[len(shown)][frame - FIRST], atol=4e-6)


def test_a_thick_rope_is_exported_as_a_mesh(module, export, tmp_path):
    obj = rope(bevel=0.1)
    samples = random_samples(8)
    store = make_bake(module, tmp_path / "cache", {"Rope": samples})
    module("addon.write_playback").connect_playback(obj, store.path_of("Rope"), FIRST, samples[0])
    export([obj], tmp_path / "rope.abc", FIRST, LAST)
    (imported,) = import_file(tmp_path / "rope.abc")
    go_to(float(LAST))
    centres = mesh_positions(imported).reshape(8, -1, 3).mean(1)
    np.testing.assert_allclose(centres, samples[-1], atol=4e-6)


def scene_state():
    scene, layer = bpy.context.scene, bpy.context.view_layer
    return (
        [(obj.name, obj.select_get(), obj.hide_get(), obj.hide_viewport, obj.hide_render) for obj in layer.objects],
        layer.objects.active,
        (scene.frame_current, scene.frame_subframe, scene.frame_start, scene.frame_end),
        [collection.name for collection in scene.collection.children_recursive],
        [len(data) for data in (bpy.data.objects, bpy.data.meshes, bpy.data.hair_curves, bpy.data.node_groups)],
    )


@pytest.mark.parametrize("suffix", ["abc", "usda"])
def test_the_scene_is_afterwards_as_before(export, shot, tmp_path, suffix):
    objects, _ = shot
    objects[0].hide_render = True
    objects[1].hide_viewport = True
    objects[2].hide_set(True)
    go_to(4.25)
    before = scene_state()
    export(objects, tmp_path / f"shot.{suffix}", FIRST, LAST)
    assert scene_state() == before
    assert len(import_file(tmp_path / f"shot.{suffix}")) == 3


def test_an_unknown_suffix_is_refused(export, refusal, shot, tmp_path):
    with pytest.raises(refusal, match='"\\.obj" is no format'):
        export(shot[0], tmp_path / "shot.obj", FIRST, LAST)


def test_a_missing_folder_is_refused(export, refusal, shot, tmp_path):
    with pytest.raises(refusal, match="does not exist"):
        export(shot[0], tmp_path / "nowhere" / "shot.abc", FIRST, LAST)


def test_a_file_is_replaced_only_on_request(export, refusal, shot, tmp_path):
    path = tmp_path / "shot.abc"
    path.write_bytes(b"precious")
    with pytest.raises(refusal, match="exists already"):
        export(shot[0], path, FIRST, LAST)
    assert path.read_bytes() == b"precious"
    export(shot[0], path, FIRST, LAST, overwrite=True)
    assert path.stat().st_size > 100


def test_a_blender_without_the_exporter_is_refused(module, monkeypatch, export, refusal, shot, tmp_path):
    monkeypatch.setitem(module("addon.write_export").EXPORTERS, ".abc", "alembic_export_not_built")
    with pytest.raises(refusal, match="built without"):
        export(shot[0], tmp_path / "shot.abc", FIRST, LAST)


def test_nothing_to_export_is_refused(export, refusal, tmp_path):
    with pytest.raises(refusal, match="no baked object"):
        export([], tmp_path / "shot.abc", FIRST, LAST)


def add_texture(obj, folder):
    """A material with a picture that lies in another folder."""
    image = bpy.data.images.new("Weave", 4, 4)
    image.filepath_raw, image.file_format = str(folder / "weave.png"), "PNG"
    image.save()
    material = bpy.data.materials.new("Weave")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = image
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    obj.data.materials.append(material)


@pytest.mark.parametrize("suffix", ["abc", "usd", "usda", "usdc"])
def test_no_empty_folder_is_left_beside_the_export(export, shot, tmp_path, suffix):
    """Not where a texture is missing; nor does the world go with the objects."""
    folder = tmp_path / "out"
    folder.mkdir()
    add_texture(shot[0][0], tmp_path)
    (tmp_path / "weave.png").unlink()
    bpy.data.images["Weave"].reload()
    bpy.context.scene.world = bpy.data.worlds.new("World")
    export(shot[0], folder / f"shot.{suffix}", FIRST, LAST)
    assert [path.name for path in folder.iterdir()] == [f"shot.{suffix}"]


def test_textures_go_with_the_export_and_an_own_folder_stays(export, shot, tmp_path):
    folder = tmp_path / "out"
    (folder / "textures").mkdir(parents=True)
    export(shot[0], folder / "plain.usda", FIRST, LAST)
    assert (folder / "textures").is_dir()
    add_texture(shot[0][0], tmp_path)
    export(shot[0], folder / "shot.usda", FIRST, LAST)
    assert [path.name for path in (folder / "textures").iterdir()] == ["weave.png"]
