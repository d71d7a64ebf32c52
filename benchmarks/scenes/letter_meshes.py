"""Meshes of letters from Blender's text objects, which the scene of stacked letters loads.

Run by a Blender: `.venv/blender-4.5/bin/python benchmarks/scenes/letter_meshes.py`; writes letters.npz beside itself.
The font is the one that Blender comes with.
"""

from pathlib import Path

import numpy as np

FILE = Path(__file__).with_name("letters.npz")
LETTERS = "ABCDEFGHIJKLMNOPRSUVWXYZ"  # Q and T cross themselves in this font
DEPTH = 0.15  # half of how far a letter is extruded, over its size
SAME = 1e-4  # vertices nearer than this are one


def letter(character: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3), about one high, around the origin; triangles (t, 3)."""
    import bmesh
    import bpy

    curve = bpy.data.curves.new(character, "FONT")
    curve.body, curve.extrude, curve.resolution_u = character, DEPTH, 3
    text = bpy.data.objects.new(character, curve)
    bpy.context.scene.collection.objects.link(text)
    mesh = bmesh.new()
    mesh.from_mesh(text.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh())
    bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=SAME)
    bmesh.ops.dissolve_degenerate(mesh, edges=mesh.edges, dist=SAME)
    bmesh.ops.triangulate(mesh, faces=mesh.faces)
    bmesh.ops.recalc_face_normals(mesh, faces=mesh.faces)
    points = np.array([vertex.co[:] for vertex in mesh.verts])
    triangles = np.array([[vertex.index for vertex in face.verts] for face in mesh.faces], np.int32)
    if not all(edge.is_manifold for edge in mesh.edges):
        raise ValueError(f"The letter {character} is not closed.")
    return points - 0.5 * (points.min(axis=0) + points.max(axis=0)), triangles


def main():
    import bpy  # noqa: F401  before bmesh, which comes with it

    arrays = {}
    for character in LETTERS:
        points, triangles = letter(character)
        arrays[f"{character}.points"] = points.astype(np.float32)
        arrays[f"{character}.triangles"] = triangles.astype(np.uint16)
        print(character, len(points), len(triangles))
    np.savez_compressed(FILE, **arrays)


if __name__ == "__main__":
    main()
