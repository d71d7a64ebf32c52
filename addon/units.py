"""Blender's units to SI: lengths, velocities and accelerations by the scene's unit scale."""

import numpy as np


def metres_per_unit(scene) -> float:
    """The length [m] of one Blender unit.

    With the unit system "None", Blender's interface ignores the unit scale; so do we.
    """
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else float(settings.scale_length)


def gravity_of(scene) -> tuple[float, float, float]:
    """Gravity [m/s²] as Blender's interface shows it: stored in units/s², so the unit scale applies."""
    if not scene.use_gravity:
        return (0.0, 0.0, 0.0)
    return in_metres(scene.gravity, scene)


def in_metres(vector, scene) -> tuple[float, float, float]:
    """A length, velocity or acceleration given in Blender units, in metres."""
    scale = metres_per_unit(scene)
    x, y, z = (float(component) * scale for component in vector)
    return (x, y, z)


def frames_per_second(scene) -> float:
    return scene.render.fps / scene.render.fps_base


def world_matrix(evaluated_object, scene) -> np.ndarray:
    """Local coordinates in Blender units to world coordinates in metres (4, 4)."""
    matrix = np.array(evaluated_object.matrix_world, dtype=np.float64)
    matrix[:3] *= metres_per_unit(scene)
    return matrix


def transformed(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Points (n, 3) after a matrix (4, 4), in double precision."""
    with np.errstate(invalid="ignore"):  # points that are not finite are refused later, with a sentence
        turned = points.astype(np.float64) @ matrix[:3, :3].T
    for axis in range(3):
        turned[:, axis] += matrix[axis, 3]  # three columns are four times as fast as one sum with a row
    return turned
