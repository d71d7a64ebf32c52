"""Strands of the scene as rods: stiffness from material and section, natural shape from the groom."""

from collections.abc import Sequence

import numpy as np

from ..masses import strand_sections
from ..motion import positions_at
from ..scene import Hair
from .rods import RodFrames, Rods
from .strains import rest_strains
from .transport import new_frames, transport_frames


def build_rods(hairs: Sequence[Hair], masses: np.ndarray) -> tuple[Rods, RodFrames]:
    """All strands of all hair objects, in their order; the groom is their natural shape.

    `masses` are those of all nodes of the scene, of which strands come first.
    """
    offsets = _joined_offsets(hairs)
    positions = np.concatenate([hair.rest_shape for hair in hairs])
    frames = new_frames(offsets, positions, _root_directors(hairs))
    lengths = _edge_lengths(offsets, positions)
    major, minor = _sections(hairs)
    material = _per_point(hairs)
    curvatures, twists = np.zeros((len(positions), 2)), np.zeros(len(positions))
    rest_strains(offsets, positions, frames, curvatures, twists)
    is_free, is_free_edge = _free(hairs, offsets)
    rods = Rods(
        offsets=offsets,
        masses=masses[: len(positions)],
        inertias=_edge_inertias(material["density"], _edge_mean(major), _edge_mean(minor), lengths),
        rest_lengths=lengths,
        stretching=material["stretching_modulus"] * np.pi * _edge_mean(major) * _edge_mean(minor),
        bending=_bending(offsets, lengths, material["bending_modulus"], major, minor),
        twisting=_twisting(offsets, lengths, material, major, minor),
        rest_curvatures=curvatures,
        rest_twists=twists,
        damping=material["damping"],
        is_free=is_free,
        is_free_edge=is_free_edge,
    )
    transport_frames(offsets, np.concatenate([hair.positions for hair in hairs]), frames, frames)  # rest to start
    return rods, frames


def _root_directors(hairs):
    """Where the sections of the roots point at the start (s, 3); zero where it does not matter."""
    counts = [len(hair.strand_offsets) - 1 for hair in hairs]
    return np.concatenate(
        [
            np.zeros((count, 3)) if hair.root_directors is None else positions_at(hair.root_directors, 0.0)
            for hair, count in zip(hairs, counts, strict=True)
        ]
    )


def _joined_offsets(hairs):
    counts = np.concatenate([np.diff(hair.strand_offsets) for hair in hairs])
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _sections(hairs):
    """Half axes (n,), (n,) [m] of the elliptical section at each point, the first along m₁."""
    major, minor = zip(*(strand_sections(hair) for hair in hairs), strict=True)
    return np.concatenate(major), np.concatenate(minor)


def _edge_mean(values):
    """Of each point and the next; meaningless in the row of a strand's last point."""
    return 0.5 * (values + np.roll(values, -1))


def _per_point(hairs):
    """The numbers of each object's material, repeated for its points."""
    counts = [len(hair.positions) for hair in hairs]
    names = ("density", "stretching_modulus", "bending_modulus", "poisson_ratio", "damping")
    return {name: np.repeat([float(getattr(hair.material, name)) for hair in hairs], counts) for name in names}


def _edge_lengths(offsets, positions):
    """Lengths (n,) of the edges; the row of a strand's last point holds one, and is not used."""
    lengths = np.ones(len(positions))
    lengths[:-1] = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    lengths[offsets[1:] - 1] = 1.0
    return lengths


def _voronoi_lengths(offsets, lengths):
    """Half of the edges on either side of each vertex; infinite at the ends, which do not bend."""
    around = 0.5 * (lengths + np.roll(lengths, 1))
    around[offsets[:-1]] = np.inf
    around[offsets[1:] - 1] = np.inf
    return around


def _edge_inertias(density, major, minor, lengths):
    """ρ π a b l (a² + b²) / 4 [kg m²]."""
    return density * np.pi * major * minor * lengths * (major**2 + minor**2) / 4.0


def _bending(offsets, lengths, modulus, major, minor):
    """E π a³ b / 4 and E π a b³ / 4 over the Voronoi length [N m]: κ₁ bends about m₂, against the extent along m₁."""
    around = _voronoi_lengths(offsets, lengths)
    first, second = modulus * np.pi * major**3 * minor / 4.0, modulus * np.pi * major * minor**3 / 4.0
    return np.ascontiguousarray(np.column_stack([first / around, second / around]))


def _twisting(offsets, lengths, material, major, minor):
    """G π a³ b³ / (a² + b²) over the Voronoi length [N m], with G = E / 2 (1 + ν)."""
    shear_modulus = material["bending_modulus"] / (2.0 * (1.0 + material["poisson_ratio"]))
    rigidity = shear_modulus * np.pi * (major * minor) ** 3 / (major**2 + minor**2)
    return rigidity / _voronoi_lengths(offsets, lengths)


def _free(hairs, offsets):
    """Points, and edges' twists, that are not given: an edge between two pinned points is given."""
    is_free = np.ones(offsets[-1], bool)
    first = 0
    for hair in hairs:
        is_free[first + hair.pinned] = False
        first += len(hair.positions)
    return is_free, _free_edges(is_free)


def _free_edges(is_free):
    return is_free | np.roll(is_free, -1)


def with_held(rods: Rods, points: np.ndarray) -> Rods:
    """The same rods with more points that are given."""
    is_free = rods.is_free.copy()
    is_free[points] = False
    return rods._replace(is_free=is_free, is_free_edge=_free_edges(is_free))
