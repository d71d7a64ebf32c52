"""The tetrahedra of a soft body: its surface filled, or caged with a word of why."""

from typing import NamedTuple

import numpy as np

from .cage import cage
from .embedding import Embedding, identity_embedding
from .fill import fill
from .mesh import VolumeMesh
from .surface_health import SurfaceHealth, surface_health

NO_VERTICES = np.zeros(0, np.int32)


def volume_mesh_of(
    positions: np.ndarray, triangles: np.ndarray, resolution: int | None = None
) -> tuple[VolumeMesh, Embedding, list[str]]:
    """A volume mesh for a surface of positions (n, 3) [m] and triangles (t, 3), the vertices' places in it, and
    warnings. Any finite geometry gets an answer, and always the same."""
    positions = np.ascontiguousarray(positions, dtype=np.float64)
    triangles = np.ascontiguousarray(triangles, dtype=np.int32)
    health = surface_health(positions, triangles)
    mesh = fill(positions, health.triangles, resolution) if health.is_fillable else None
    remarks = [remark.sentence for remark in _remarks(health, is_filled=mesh is not None)]
    if mesh is not None:
        return mesh, identity_embedding(len(positions)), remarks
    mesh, embedding = cage(positions, triangles, resolution, health)
    return mesh, embedding, remarks


class Remark(NamedTuple):
    """A sentence about an object, and where it shows."""

    sentence: str
    vertices: np.ndarray  # (k,) int32


def surface_remarks(positions: np.ndarray, triangles: np.ndarray) -> list[Remark]:
    """The warnings of `volume_mesh_of` that a look at the surface tells; only filling tells of badly shaped ones."""
    health = surface_health(positions, triangles)
    return _remarks(health, health.is_fillable)


def _remarks(health: SurfaceHealth, is_filled) -> list[Remark]:
    remarks = []
    if health.is_watertight and len(health.disagreeing_edges):
        turned = "some of its normals point inwards; the simulation turns them. Recalculate Normals to see the same."
        remarks.append(Remark(turned, np.unique(health.disagreeing_edges)))
    if not is_filled:
        reason, remedy, offenders = _obstacle(health)
        caged = f"{reason}, so it is simulated in a cage of cubes, coarser than its surface. {remedy}"
        remarks.append(Remark(caged, np.unique(offenders)))
    return remarks


def _obstacle(health):
    """Why a surface is not filled, what would help, and the vertices or edges that it is about."""
    if len(health.crowded_edges):
        edges, where = _count(health.crowded_edges, "edge", "edges"), _pair(health.crowded_edges)
        reason = f"its surface branches ({edges} with more than two faces, first: {where})"
        return reason, "Delete the faces inside.", health.crowded_edges
    if len(health.open_edges):
        edges, where = _count(health.open_edges, "edge", "edges"), _pair(health.open_edges)
        reason = f"its surface is open ({edges} with one face, first: {where})"
        return reason, "Close the holes to have it filled.", health.open_edges
    if health.is_one_sided:
        remedy = "Rebuild it with an inside and an outside to have it filled."
        return "its surface has only one side", remedy, NO_VERTICES
    if len(health.loose_vertices):
        vertices = _count(health.loose_vertices, "vertex belongs", "vertices belong")
        reason = f"{vertices} to no face (first: {health.loose_vertices[0]})"
        return reason, "Delete loose vertices to have it filled.", health.loose_vertices
    if len(health.crossing_edges):
        edges = _count(health.crossing_edges, "edge meets another face", "edges meet other faces")
        reason = f"its surface cuts or touches itself ({edges}, first: {_pair(health.crossing_edges)})"
        return reason, "Remesh it or pull the parts asunder.", health.crossing_edges
    remedy = "Remesh it with more even triangles."
    return "its surface could not be filled with well-shaped tetrahedra", remedy, NO_VERTICES


def _count(elements, singular, plural):
    return f"1 {singular}" if len(elements) == 1 else f"{len(elements)} {plural}"


def _pair(edges):
    return f"between vertices {edges[0, 0]} and {edges[0, 1]}"
