"""The plain twin of the rods' energy: one strand, straight from the definitions."""

import numpy as np


def strand_energy(rods, frames, positions, twists, strand):
    """Elastic energy [J] of one strand whose frames belong to `positions`."""
    first, end = rods.offsets[strand], rods.offsets[strand + 1]
    edges = np.diff(positions[first:end], axis=0)
    lengths = np.linalg.norm(edges, axis=1)
    strains = lengths / rods.rest_lengths[first : end - 1] - 1.0
    total = (0.5 * rods.stretching * rods.rest_lengths)[first : end - 1] @ strains**2
    for vertex in range(first + 1, end - 1):
        kappa, twist = vertex_strain(frames, edges / lengths[:, None], twists, vertex, vertex - first)
        total += 0.5 * rods.bending[vertex] @ (kappa - rods.rest_curvatures[vertex]) ** 2
        total += 0.5 * rods.twisting[vertex] * (twist - rods.rest_twists[vertex]) ** 2
    return total


def vertex_strain(frames, tangents, twists, vertex, row):
    """Both curvatures (2,) and the twist at a vertex; `row` is its edge in `tangents`."""
    before, after = tangents[row - 1], tangents[row]
    binormal = 2.0 * np.cross(before, after) / (1.0 + before @ after)
    axes = [material_axes(frames.directors[edge], tangents[row + edge - vertex], twists[edge])
            for edge in (vertex - 1, vertex)]  # fmt: skip
    mean = 0.5 * (np.array(axes[0]) + np.array(axes[1]))
    curvatures = np.array([binormal @ mean[1], -binormal @ mean[0]])
    return curvatures, twists[vertex] - twists[vertex - 1] + frames.turns[vertex]


def material_axes(director, tangent, angle):
    first = np.cos(angle) * director + np.sin(angle) * np.cross(tangent, director)
    return first, np.cross(tangent, first)
