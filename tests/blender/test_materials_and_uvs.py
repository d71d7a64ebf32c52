"""Materials and UV maps are where they were on whatever plays, keeps or exports a bake, for every kind of object."""

import bpy
import numpy as np
import pytest

from .playback_scenes import grid, hair, make_bake, rope, straight_strands

KINDS = ("CLOTH", "SOFT", "RIGID", "HAIR", "ROPE")


def make(kind):
    """An object with two materials (a rope has its own), the second on a part of it, and UVs on meshes."""
    obj = {"HAIR": hair, "ROPE": lambda: rope(bevel=0.1)}.get(kind, grid)()
    if kind != "ROPE":
        for name in "AB":
            obj.data.materials.append(bpy.data.materials.new(name))
    if obj.type == "MESH":
        for number, polygon in enumerate(obj.data.polygons):
            polygon.material_index = number % 2
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.stiction.add(kind="HAIR" if kind == "ROPE" else kind)
    return obj


def rest_of(module, obj, kind):
    if kind == "HAIR":
        return straight_strands((4, 5, 3))
    if kind == "ROPE":
        return np.array([(i, number, i % 2) for number in range(2) for i in range(4)], np.float32)
    positions = np.empty((len(obj.data.vertices), 3), np.float32)
    obj.data.vertices.foreach_get("co", positions.ravel())
    return positions


@pytest.fixture
def baked(module, tmp_path, request):
    """The kind, the object that plays a bake of three frames, and its store."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 3
    obj = make(request.param)
    rest = rest_of(module, obj, request.param)
    samples = np.stack([rest + np.float32([0, 0, 0.1 * frame]) for frame in range(3)])
    store = make_bake(module, tmp_path / "cache", {obj.name: samples}, first_frame=1)
    module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), 1, rest)
    bpy.context.scene.frame_set(2)
    return request.param, obj, store


def shown(obj):
    """What is shown of an object: material names of its slots, indices of faces, and UVs of corners."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    slots = [slot.material.name.split(".")[0] for slot in evaluated.material_slots if slot.material]
    geometry = evaluated.evaluated_geometry()  # owns the mesh
    mesh = geometry.mesh
    if mesh is None or not len(mesh.polygons):
        return slots, None, None
    indices = np.array([polygon.material_index for polygon in mesh.polygons])
    layer = mesh.uv_layers.active
    return slots, indices, None if layer is None else np.array([corner.uv[:] for corner in layer.data])


def assert_same(kind, before, after):
    assert after[0][:2] == before[0][:2] == ["A", "B"]
    if before[1] is not None:
        assert np.array_equal(np.sort(after[1]), np.sort(before[1]))
    if kind in ("CLOTH", "SOFT", "RIGID"):
        assert np.array_equal(after[1], before[1]) and np.allclose(after[2], before[2], atol=1e-6)


def at_rest(obj):
    """The same object as it is without the bake."""
    obj.modifiers["Stiction"].show_viewport = False
    try:
        return shown(obj)
    finally:
        obj.modifiers["Stiction"].show_viewport = True


@pytest.mark.parametrize("baked", KINDS, indirect=True)
def test_playback(baked):
    kind, obj, _ = baked
    assert_same(kind, at_rest(obj), shown(obj))


@pytest.mark.parametrize("baked", KINDS, indirect=True)
def test_shape_keys(baked, module):
    kind, obj, store = baked
    before = shown(obj)
    module("addon.write_shape_keys").to_shape_keys(obj, store, obj.name)
    visible = next(item for item in bpy.context.scene.objects if not item.hide_render and item.type == obj.type)
    bpy.context.scene.frame_set(2)
    assert_same(kind, before, shown(visible))


@pytest.mark.parametrize("suffix", [".abc", ".usdc"])
@pytest.mark.parametrize("baked", KINDS, indirect=True)
def test_export(baked, module, tmp_path, suffix):
    """Alembic has face sets in place of materials, and none for hair; see below for hair in USD."""
    kind, obj, _ = baked
    before, known = shown(obj), set(bpy.data.objects)
    module("addon.write_export").export([obj], tmp_path / f"out{suffix}", 1, 3)
    path = str(tmp_path / f"out{suffix}")
    if suffix == ".abc":
        bpy.ops.wm.alembic_import(filepath=path, as_background_job=False)
    else:
        bpy.ops.wm.usd_import(filepath=path)
    kinds = {"HAIR": "CURVES"}.get(kind, "MESH")
    (imported,) = [item for item in bpy.data.objects if item not in known and item.type == kinds]
    bpy.context.scene.frame_set(2)
    slots, indices, uvs = shown(imported)
    if kind == "HAIR":
        return
    assert slots == ["A", "B"]
    assert np.array_equal(np.sort(indices), np.sort(before[1]))
    if kind != "ROPE":
        assert np.allclose(np.sort(uvs, axis=0), np.sort(before[2], axis=0), atol=1e-5)


@pytest.mark.parametrize("baked", ["HAIR"], indirect=True)
def test_hair_in_usd_is_bound_to_its_material(baked, module, tmp_path):
    """Blender writes it, but does not read it back."""
    _, obj, _ = baked
    module("addon.write_export").export([obj], tmp_path / "out.usda", 1, 3)
    assert "material:binding = </root/_materials/A>" in (tmp_path / "out.usda").read_text()
