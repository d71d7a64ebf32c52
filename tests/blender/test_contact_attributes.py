"""Contact attributes on baked geometry, and what is drawn of them."""

import bpy
import numpy as np
import pytest

from .shots import LAST_FRAME, evaluated_world, make_shot


@pytest.fixture
def shot(blend_path):
    shot = make_shot()
    shot.stiction.keeps_measures = True
    return shot


def attribute(obj, name, width=1):
    data = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.attributes[name].data
    values = np.empty(len(data) * width, np.float32)
    data.foreach_get("vector" if width == 3 else "value", values)
    return values.reshape(-1, width) if width > 1 else values


def test_geometry_has_the_attributes_of_the_bake(shot, module):
    """Without contacts, all but the stretch is zero; the limp sheet is pulled long."""
    bpy.ops.stiction.bake()
    measures = module("solver.vertex_measures").MEASURES
    store = module("solver.frame_store").FrameStore.open(module("addon.cache_folder").cache_folder(shot))
    for name in ("Sheet", "Groom"):
        for frame in (1, 5):
            shot.frame_set(frame)
            forces, others = np.split(store.positions(name + measures, frame), 2)
            assert np.array_equal(attribute(shot.objects[name], "stiction_force", 3), forces)
            assert np.array_equal(attribute(shot.objects[name], "stiction_contact"), others[:, 0])
            assert np.array_equal(attribute(shot.objects[name], "stiction_stretch"), others[:, 1])
    shot.frame_set(5)
    assert attribute(shot.objects["Sheet"], "stiction_stretch").max() > 0.01


def glows_with(obj, name):
    """A material that shines as strongly as an attribute says."""
    material = bpy.data.materials.new("Glow")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    source, glow = tree.nodes.new("ShaderNodeAttribute"), tree.nodes.new("ShaderNodeEmission")
    source.attribute_name = name
    tree.links.new(source.outputs["Fac"], glow.inputs["Strength"])
    tree.links.new(glow.outputs[0], tree.nodes.new("ShaderNodeOutputMaterial").inputs["Surface"])
    obj.data.materials.append(material)


def brightest_pixel(shot, obj, frame, path):
    """Of a picture of an object at a frame."""
    shot.frame_set(frame)
    world = evaluated_world(obj)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 4.0
    camera.location, camera.rotation_euler = world.mean(axis=0) + [0.0, -3.0, 3.0], (np.pi / 4, 0.0, 0.0)
    shot.collection.objects.link(camera)
    shot.camera, shot.render.engine, shot.render.filepath = camera, "CYCLES", str(path)
    shot.cycles.samples, shot.cycles.use_denoising = 4, False
    shot.render.resolution_x = shot.render.resolution_y = 48
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path), check_existing=False)
    pixels = np.array(image.pixels[:]).reshape(-1, 4)
    bpy.data.images.remove(image)
    return pixels[:, :3].max()


@pytest.mark.parametrize("name", ["Sheet", "Groom"])
def test_a_shader_sees_them(shot, module, tmp_path, name):
    """The file of measures is written over at the last frame: everything slips there."""
    obj = shot.objects[name]
    for other in set(shot.objects) - {obj}:
        other.hide_render = True
    if name == "Groom":
        radii = obj.data.attributes.new("radius", "FLOAT", "POINT").data
        radii.foreach_set("value", np.full(len(radii), 0.05, np.float32))
    glows_with(obj, "stiction_contact")
    bpy.ops.stiction.bake()
    store = module("solver.frame_store").FrameStore.open(module("addon.cache_folder").cache_folder(shot))
    path = store.path_of(name + module("solver.vertex_measures").MEASURES)
    forces, others = np.zeros((2, len(evaluated_world(obj)), 3), np.float32)
    others[:, 0] = 2.0
    row = forces.tobytes() + others.tobytes()
    path.write_bytes(path.read_bytes()[: -len(row)] + row)
    assert brightest_pixel(shot, obj, LAST_FRAME - 1, tmp_path / "free.png") < 0.01
    assert brightest_pixel(shot, obj, LAST_FRAME, tmp_path / "slips.png") > 0.5


def test_free_and_remove_leave_nothing_behind(shot):
    bpy.ops.stiction.bake()
    assert "Stiction Contact" in shot.objects["Sheet"].modifiers
    bpy.ops.stiction.free_bake()
    assert [modifier.name for modifier in shot.objects["Sheet"].modifiers] == ["Stiction"]
    assert not [obj.name for obj in bpy.data.objects if "Stiction Contact" in obj.name]
    assert "Stiction Contact" not in bpy.data.node_groups


def test_a_bake_without_them_takes_them_away(shot):
    bpy.ops.stiction.bake()
    shot.stiction.keeps_measures = False
    bpy.ops.stiction.bake(overwrite=True)
    assert "Stiction Contact" not in shot.objects["Sheet"].modifiers


def test_marks_are_drawn_where_vertices_are_touched(shot, module):
    """The file of measures is written over: the sheet of this shot touches nothing."""
    bpy.ops.stiction.bake()
    overlay, keys = module("addon.contact_overlay"), module("solver.vertex_measures")
    assert len(overlay.contact_marks(shot, 3).points) == 0
    store = module("solver.frame_store").FrameStore.open(module("addon.cache_folder").cache_folder(shot))
    path, count = store.path_of("Sheet" + keys.MEASURES), len(shot.objects["Sheet"].data.vertices)
    rows = np.zeros((2 * count, 3), np.float32)
    rows[4], rows[count + 4, 0], rows[count + 7, 0], rows[count + 9, 0] = (0, 0, 2.0), 1.0, 2.0, 0.5
    data = bytearray(path.read_bytes())
    data[32 + 2 * rows.nbytes : 32 + 3 * rows.nbytes] = rows.tobytes()
    path.write_bytes(data)
    marks = overlay.contact_marks(shot, 3)
    world = store.positions("Sheet", 3)[[4, 7, 9]] + np.array(shot.objects["Sheet"].location)
    assert np.allclose(marks.points, world, atol=1e-6)
    assert np.allclose(marks.ends - marks.points, [[0, 0, 2], [0, 0, 0], [0, 0, 0]], atol=1e-6)
    assert np.allclose(marks.colours, [overlay.COLOURS[state] for state in (1.0, 2.0, 0.5)])
    assert len(overlay.contact_marks(shot, 99).points) == 0
