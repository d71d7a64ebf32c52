"""Export baked objects to Alembic or USD, for programs other than Blender."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import bpy

from ..solver.errors import StictionError

EXPORTERS = {".abc": "alembic_export", ".usd": "usd_export", ".usdc": "usd_export", ".usda": "usd_export"}

TEXTURES = "textures"  # the USD exporter's name for their folder, beside the file


class ExportRefused(StictionError):
    """Nothing was written; the message says why and what to do."""


def export(
    objects: Iterable[bpy.types.Object],
    path: Path,
    first_frame: int,
    last_frame: int,
    overwrite: bool = False,
) -> None:
    """Write the objects, as rendered, with their animation; the suffix chooses .abc or .usd, .usdc, .usda.

    Nothing in the scene is changed when it returns. A rope is written as "<name> Baked": exporters
    ignore the modifiers of a legacy curve.
    """
    objects, path = list(objects), Path(path).absolute()
    operator = _exporter(path.suffix.lower())
    _refuse_path(path, overwrite)
    _refuse_objects(objects)
    with ExitStack() as stack:
        stack.enter_context(_same_time_range(bpy.context.scene, first_frame, last_frame))
        stack.enter_context(_shown(objects))
        stand_ins = [stack.enter_context(_stand_in(obj)) if obj.type == "CURVE" else obj for obj in objects]
        collection = stack.enter_context(_collection_of(stand_ins))
        stack.enter_context(_without_empty_folder(path.parent / TEXTURES))
        _run(operator, path, collection.name, first_frame, last_frame)


def _exporter(suffix):
    if suffix not in EXPORTERS:
        raise ExportRefused(f'"{suffix}" is no format for the export. Use {", ".join(EXPORTERS)}.')
    name = EXPORTERS[suffix]
    if name not in dir(bpy.ops.wm):
        raise ExportRefused(f"This Blender was built without the exporter for {suffix} files. "
                            "Use another format, or Blender from blender.org.")  # fmt: skip
    return getattr(bpy.ops.wm, name)


def _refuse_path(path, overwrite):
    if not path.parent.is_dir():
        raise ExportRefused(f'The folder "{path.parent}" does not exist. Create it, or choose another.')
    if path.exists() and not overwrite:
        raise ExportRefused(f'"{path}" exists already. Choose another name, or allow to overwrite it.')


def _refuse_objects(objects):
    if not objects:
        raise ExportRefused("There is no baked object to export. Bake first.")
    for obj in objects:
        if obj.name not in bpy.context.view_layer.objects:
            raise ExportRefused(f'"{obj.name}" is not in the view layer. Include its collection, or leave it out.')


def _run(operator, path, collection, first_frame, last_frame):
    options = {"filepath": str(path), "check_existing": False, "collection": collection, "export_hair": True}
    if path.suffix.lower() == ".abc":
        options |= {"start": first_frame, "end": last_frame, "as_background_job": False, "face_sets": True}
    else:
        options |= {"export_animation": True, "convert_world_material": False}  # the world is not among the objects
    try:
        finished = operator(**options) == {"FINISHED"}
    except RuntimeError as error:
        raise ExportRefused(f'Blender could not write "{path}": {str(error).strip()}') from error
    if not finished:
        raise ExportRefused(f'Blender could not write "{path}". Is there room on the disk, and may you write there?')


@contextmanager
def _without_empty_folder(folder) -> Iterator[None]:
    """The USD exporter makes a folder for textures also where it then finds none to put there."""
    was_there = folder.exists()
    try:
        yield
    finally:
        if not was_there:
            with suppress(OSError):  # it is not there, or not empty
                folder.rmdir()


@contextmanager
def _same_time_range(scene, first_frame, last_frame) -> Iterator[None]:
    """The USD exporter takes the scene's frames, and both leave the playhead where they ended."""
    before = scene.frame_start, scene.frame_end, scene.frame_current, scene.frame_subframe
    scene.frame_start, scene.frame_end = first_frame, last_frame
    try:
        yield
    finally:
        scene.frame_start, scene.frame_end = before[:2]
        scene.frame_set(before[2], subframe=before[3])


@contextmanager
def _shown(objects) -> Iterator[None]:
    """Exporters skip what is disabled."""
    before = [(obj, obj.hide_viewport, obj.hide_render) for obj in objects]
    try:
        for obj in objects:
            obj.hide_viewport = obj.hide_render = False
        yield
    finally:
        for obj, hide_viewport, hide_render in before:
            obj.hide_viewport, obj.hide_render = hide_viewport, hide_render


@contextmanager
def _collection_of(objects) -> Iterator[bpy.types.Collection]:
    """A collection of just these: the user's selection and collections stay as they are."""
    collection = bpy.data.collections.new("Stiction Export")
    bpy.context.scene.collection.children.link(collection)
    try:
        for obj in objects:
            collection.objects.link(obj)
        yield collection
    finally:
        bpy.data.collections.remove(collection)


@contextmanager
def _stand_in(rope) -> Iterator[bpy.types.Object]:
    """A mesh, or hair curves if the rope has no thickness, that shows what the rope shows, in world space."""
    evaluated = rope.evaluated_get(bpy.context.evaluated_depsgraph_get())
    kinds = bpy.data.meshes if evaluated.evaluated_geometry().mesh else bpy.data.hair_curves
    data = kinds.new(f"{rope.name} Baked")
    for slot in rope.material_slots:  # the USD exporter looks at those of the object, whatever its geometry has
        data.materials.append(slot.material)
    stand_in = bpy.data.objects.new(data.name, data)
    tree = _geometry_of(rope)
    stand_in.modifiers.new("Rope", "NODES").node_group = tree
    try:
        yield stand_in
    finally:
        bpy.data.batch_remove([stand_in, data, tree])


def _geometry_of(rope):
    tree = bpy.data.node_groups.new("Stiction Export", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    info = tree.nodes.new("GeometryNodeObjectInfo")
    info.transform_space = "RELATIVE"
    info.inputs["Object"].default_value = rope
    tree.links.new(info.outputs["Geometry"], tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree
