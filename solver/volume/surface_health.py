"""What keeps a surface from being filled, counted and named."""

from typing import NamedTuple

import numpy as np

from .crossings import edge_crossings
from .mesh import enclosed_volume
from .orientation import surface_edges, turned_triangles
from .triangle_tree import triangle_tree


class SurfaceHealth(NamedTuple):
    """Findings about a surface; the first row of each array is the first offender."""

    open_edges: np.ndarray  # vertices of edges with one face                         (k, 2) int32
    crowded_edges: np.ndarray  # of edges with more than two faces (non-manifold)     (k, 2) int32
    disagreeing_edges: np.ndarray  # of edges whose two faces are turned differently  (k, 2) int32
    crossing_edges: np.ndarray  # of edges that cut or touch a triangle               (k, 2) int32
    crossed_triangles: np.ndarray  # the triangle that each of these meets            (k,) int32
    degenerate_triangles: np.ndarray  # that name a vertex twice                      (k,) int32
    loose_vertices: np.ndarray  # in no triangle                                      (k,) int32
    is_one_sided: bool  # as a Möbius strip: no way to turn the faces so that they agree
    is_inverted: bool  # closed, but the normals point inwards
    is_watertight: bool  # the triangles below enclose a volume, perhaps touching themselves
    triangles: np.ndarray  # without degenerate ones; turned outwards where there is an outside (t, 3) int32

    @property
    def is_closed(self) -> bool:
        """Every edge has just two faces, which agree on the outside."""
        return self.is_manifold and not len(self.disagreeing_edges)

    @property
    def is_manifold(self) -> bool:
        """Every edge has just two faces."""
        return not (len(self.open_edges) or len(self.crowded_edges))

    @property
    def is_fillable(self) -> bool:
        """A solid whose boundary is this surface exists; wrongly turned faces are turned."""
        return self.is_watertight and self.is_manifold and not (len(self.crossing_edges) or len(self.loose_vertices))


def surface_health(positions: np.ndarray, triangles: np.ndarray) -> SurfaceHealth:
    """Check a surface of positions (n, 3) [m] and triangles (t, 3); any finite geometry is allowed."""
    degenerate = np.flatnonzero((triangles == np.roll(triangles, 1, axis=1)).any(axis=1)).astype(np.int32)
    kept = np.ascontiguousarray(np.delete(triangles, degenerate, axis=0), dtype=np.int32)
    loose = np.flatnonzero(np.bincount(kept.ravel(), minlength=len(positions)) == 0).astype(np.int32)
    if not len(kept):
        none = np.zeros((0, 2), np.int32)
        return SurfaceHealth(none, none, none, none, none[:, 0], degenerate, loose, False, False, False, kept)
    edges = surface_edges(kept)
    hits = edge_crossings(triangle_tree(positions, kept), positions, kept, edges.ends)
    turned, is_one_sided, is_watertight = turned_triangles(positions, kept, edges)
    return SurfaceHealth(
        open_edges=edges.ends[edges.face_counts == 1],
        crowded_edges=edges.ends[edges.face_counts > 2],
        disagreeing_edges=edges.ends[edges.pair_edges[~edges.agree]],
        crossing_edges=edges.ends[hits >= 0],
        crossed_triangles=_numbers_before_deletion(hits[hits >= 0], degenerate, len(triangles)),
        degenerate_triangles=degenerate,
        loose_vertices=loose,
        is_one_sided=is_one_sided,
        is_inverted=bool(is_watertight and edges.agree.all() and enclosed_volume(positions, kept) < 0.0),
        is_watertight=is_watertight,
        triangles=turned,
    )


def _numbers_before_deletion(numbers, deleted, count):
    return np.delete(np.arange(count, dtype=np.int32), deleted)[numbers]
