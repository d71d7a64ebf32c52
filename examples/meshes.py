"""Meshes from numpy arrays, and their vertex groups; lengths in metres."""

import bmesh
import bpy
import numpy as np


def mesh_object(name: str, points: np.ndarray, faces) -> bpy.types.Object:
    """A smooth mesh of points (n, 3) in the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.asarray(points).tolist(), [], faces.tolist() if isinstance(faces, np.ndarray) else faces)
    mesh.shade_smooth()
    return link(bpy.data.objects.new(name, mesh))


def link(obj: bpy.types.Object) -> bpy.types.Object:
    bpy.context.scene.collection.objects.link(obj)
    return obj


def sheet_faces(across: int, along: int, is_tube: bool = False) -> np.ndarray:
    """Quads (m, 4) of `along` rows with `across` points each; a tube is closed around."""
    row, column = (part.ravel() for part in np.mgrid[: along - 1, : across - (not is_tube)])
    after = (column + 1) % across
    return np.column_stack([row * across + column, row * across + after, (row + 1) * across + after,
                            (row + 1) * across + column])  # fmt: skip


def rings(widths, depths, heights, count: int) -> np.ndarray:
    """Points (k · count, 3) of level ellipses, ring after ring."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    x, y = np.outer(widths, np.sin(angle)), np.outer(depths, -np.cos(angle))
    return np.stack([x, y, np.broadcast_to(np.asarray(heights)[:, None], x.shape)], axis=-1).reshape(-1, 3)


def closed_rings(name: str, points: np.ndarray, count: int) -> bpy.types.Object:
    """A body of rings (k · count, 3), closed by a point in the middle of the first and of the last."""
    ends = [points[:count].mean(axis=0), points[-count:].mean(axis=0)]
    last, j = len(points), np.arange(count)
    after = (j + 1) % count
    first_cap = np.column_stack([np.full(count, last), after, j])
    last_cap = np.column_stack([np.full(count, last + 1), j + last - count, after + last - count])
    quads = sheet_faces(count, len(points) // count, is_tube=True)
    faces = [*quads.tolist(), *first_cap.tolist(), *last_cap.tolist()]
    body = mesh_object(name, np.concatenate([points, ends]), faces)
    _turn_normals_outwards(body.data)
    return body


def _turn_normals_outwards(mesh):
    edited = bmesh.new()
    edited.from_mesh(mesh)
    bmesh.ops.recalc_face_normals(edited, faces=edited.faces)
    edited.to_mesh(mesh)
    edited.free()


def add_group(obj: bpy.types.Object, name: str, weights: np.ndarray) -> None:
    """A vertex group with a weight for each vertex (n,)."""
    group = obj.vertex_groups.new(name=name)
    for weight in np.unique(weights[weights > 0.0]):
        group.add(np.flatnonzero(weights == weight).tolist(), float(weight), "REPLACE")


def mark(kind: str, *objects: bpy.types.Object) -> None:
    """Press the button of a kind with these objects selected."""
    bpy.ops.object.select_all(action="DESELECT")
    for obj in objects:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = objects[0]
    bpy.ops.stiction.add(kind=kind)


def smoothen(obj: bpy.types.Object, levels: int = 2, thickness: float = 0.0) -> None:
    """Subdivision, and cloth's thickness [m], below Stiction's modifier: only the picture is finer."""
    if thickness:
        solid = obj.modifiers.new("Thickness", "SOLIDIFY")
        solid.thickness, solid.offset = thickness, 0.0
    fine = obj.modifiers.new("Subdivision", "SUBSURF")
    fine.levels, fine.render_levels = 1, levels
