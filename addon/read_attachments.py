"""Springs from an object to others, and the seams of a garment."""

from collections.abc import Mapping

import bpy
import numpy as np

from ..solver.attachment import Attachment
from ..solver.scene import Hair, SimulatedObject, SurfaceObject
from .marked_object import MarkedObject
from .nearest_triangles import nearest_triangles
from .read_roots import can_be_tied, end_segments
from .read_weights import read_weights

ATTACHING_WEIGHT = 0.5
Surfaces = Mapping[bpy.types.Object, SurfaceObject]


def read_attachments(marked: MarkedObject, item: SimulatedObject, surfaces: Surfaces, depsgraph) -> list[Attachment]:
    """All springs of an object in the present frame; `surfaces` are the simulated meshes of the scene."""
    settings = marked.settings
    tied = [_attach(marked, item, asked, surfaces, depsgraph) for asked in settings.attachments]
    if settings.kind == "CLOTH" and settings.use_seams:
        tied.append(_read_seams(marked, depsgraph))
    return [attachment for attachment in tied if attachment is not None]


def _attach(marked, item, asked, surfaces, depsgraph):
    target = _target_of(marked, asked, surfaces)
    if not can_be_tied(item, target):
        return None
    vertices = _attached_ends(marked, item, asked) if isinstance(item, Hair) else _group(marked, asked, depsgraph)
    place = nearest_triangles(item.positions[vertices], target.positions, target.triangles)
    return Attachment(
        marked.name,
        vertices,
        target.name,
        target.triangles[place.triangles],
        place.weights,
        stiffness=asked.stiffness,
        keeps_distance=asked.keeps_distance or isinstance(item, Hair),  # strands are tied as they start
    )


def _target_of(marked, asked, surfaces):
    target = asked.target
    if target is None:
        raise marked.refusal("an attachment of it has no target. Choose one, or remove the attachment.")
    if target == marked.obj:
        raise marked.refusal("it cannot be attached to itself. Choose another target, or sew it with seams.")
    if target.stiction.kind == "HAIR":
        raise marked.refusal(f'it cannot be attached to the hair "{target.name}": attach that to it instead.')
    if target in surfaces:
        return surfaces[target]
    raise marked.refusal(
        f'it is attached to "{target.name}", which is not simulated here. Pin it instead: pins follow the animation.'
    )


def _group(marked, asked, depsgraph):
    """The vertices (m,) of a mesh that are attached."""
    target = asked.target.name
    if not asked.vertex_group:
        raise marked.refusal(f'its attachment to "{target}" has no vertex group. Choose one.')
    weights = read_weights(marked, asked.vertex_group, "attach", depsgraph)
    vertices = np.flatnonzero(weights >= ATTACHING_WEIGHT)
    if not len(vertices):
        raise marked.refusal(
            f'no vertex has a weight of one half or more in "{asked.vertex_group}", so nothing is attached to '
            f'"{target}". Paint some, or remove the attachment.'
        )
    return vertices


def _attached_ends(marked, hair, asked):
    """The end points (m,) of strands that are attached."""
    points = end_segments(hair.strand_offsets, asked.ends)[:, 0]
    held = hair.pinned if hair.roots is None else np.union1d(hair.pinned, end_segments(hair.strand_offsets, "START"))
    if np.isin(points, held).any():
        raise marked.refusal(
            f'its ends are pinned, or grow on a surface, and are attached to "{asked.target.name}" at once. '
            "Choose other Pinned Ends, or other ends of the attachment."
        )
    return points


def _read_seams(marked, depsgraph):
    """Edges without faces, each a spring between its two vertices."""
    geometry = marked.evaluated(depsgraph).evaluated_geometry()  # owns the mesh
    mesh = geometry.mesh
    edges = np.empty((len(mesh.edges) if mesh else 0, 2), np.int32)
    is_loose = np.zeros(len(edges), bool)
    if len(edges):
        mesh.edges.foreach_get("vertices", edges.ravel())
        mesh.edges.foreach_get("is_loose", is_loose)
    first, second = edges[is_loose].T
    if not len(first):
        raise marked.refusal(
            "it has no seams: all its edges belong to faces. Add edges between the sides to sew, or switch Seams off."
        )
    ones = np.ones((len(first), 1))
    return Attachment(marked.name, first, marked.name, second[:, None], ones, stiffness=marked.settings.seam_stiffness)
