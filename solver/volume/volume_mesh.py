"""The tetrahedra of a soft body: its surface filled, or caged with a word of why."""

import numpy as np

from .cage import cage
from .embedding import Embedding, identity_embedding
from .fill import fill
from .mesh import VolumeMesh
from .surface_health import SurfaceHealth, surface_health


def volume_mesh_of(
    positions: np.ndarray, triangles: np.ndarray, resolution: int | None = None
) -> tuple[VolumeMesh, Embedding, list[str]]:
    """A volume mesh for a surface of positions (n, 3) [m] and triangles (t, 3), the vertices' places in it, and
    warnings. Any finite geometry gets an answer, and always the same."""
    positions = np.ascontiguousarray(positions, dtype=np.float64)
    triangles = np.ascontiguousarray(triangles, dtype=np.int32)
    health = surface_health(positions, triangles)
    mesh = fill(positions, health.triangles, resolution) if health.is_fillable else None
    if mesh is not None:
        return mesh, identity_embedding(len(positions)), _remarks(health)
    mesh, embedding = cage(positions, triangles, resolution, health)
    return mesh, embedding, _remarks(health) + [_reason_for_cage(health)]


def _remarks(health):
    if health.is_watertight and len(health.disagreeing_edges):
        return ["some of its normals point inwards; the simulation turns them. Recalculate Normals to see the same."]
    return []


def _reason_for_cage(health: SurfaceHealth) -> str:
    """Why a surface is not filled, and what that means, as a sentence about the object."""
    reason, remedy = _obstacle(health)
    return f"{reason}, so it is simulated in a cage of cubes, coarser than its surface. {remedy}"


def _obstacle(health):
    if len(health.crowded_edges):
        edges = _count(health.crowded_edges, "edge", "edges")
        where = _pair(health.crowded_edges)
        return f"its surface branches ({edges} with more than two faces, first: {where})", "Delete the faces inside."
    if len(health.open_edges):
        edges = _count(health.open_edges, "edge", "edges")
        where = _pair(health.open_edges)
        return f"its surface is open ({edges} with one face, first: {where})", "Close the holes to have it filled."
    if health.is_one_sided:
        return "its surface has only one side", "Rebuild it with an inside and an outside to have it filled."
    if len(health.loose_vertices):
        vertices = _count(health.loose_vertices, "vertex belongs", "vertices belong")
        first = health.loose_vertices[0]
        return f"{vertices} to no face (first: {first})", "Delete loose vertices to have it filled."
    if len(health.crossing_edges):
        edges = _count(health.crossing_edges, "edge meets another face", "edges meet other faces")
        where = _pair(health.crossing_edges)
        return f"its surface cuts or touches itself ({edges}, first: {where})", "Remesh it or pull the parts asunder."
    return "its surface could not be filled with well-shaped tetrahedra", "Remesh it with more even triangles."


def _count(elements, singular, plural):
    return f"1 {singular}" if len(elements) == 1 else f"{len(elements)} {plural}"


def _pair(edges):
    return f"between vertices {edges[0, 0]} and {edges[0, 1]}"
