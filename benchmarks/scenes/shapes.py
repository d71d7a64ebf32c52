"""Meshes of the scenes: positions (n, 3) [m] and triangles (t, 3) int32."""

import numpy as np

Mesh = tuple[np.ndarray, np.ndarray]


def tube(rings: np.ndarray) -> Mesh:
    """Rings (k, m, 3) of points, joined; open at both ends."""
    ring_count, count, _ = rings.shape
    j = np.arange(count)
    after = (j + 1) % count
    triangles = []
    for ring in range(ring_count - 1):
        upper, lower = ring * count, (ring + 1) * count
        triangles.append(np.column_stack([upper + j, lower + j, upper + after]))
        triangles.append(np.column_stack([upper + after, lower + j, lower + after]))
    return rings.reshape(-1, 3), np.concatenate(triangles).astype(np.int32)


def closed_tube(rings: np.ndarray, top, bottom) -> Mesh:
    """Rings (k, m, 3) of points, joined, and a point (3,) at each end."""
    points, triangles = tube(rings)
    count, last = rings.shape[1], len(points)
    j = np.arange(count)
    after, lowest = (j + 1) % count, last - count
    caps = [np.column_stack([0 * j + last, j, after]), np.column_stack([0 * j + last + 1, lowest + after, lowest + j])]
    return np.concatenate([points, [top, bottom]]), np.concatenate([triangles, *caps]).astype(np.int32)


def ellipses(widths, depths, heights, count: int) -> np.ndarray:
    """Level rings (k, m, 3) with half axes along x and y, at heights along z."""
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    x, y = np.outer(widths, np.cos(angle)), np.outer(depths, np.sin(angle))
    return np.stack([x, y, np.broadcast_to(np.asarray(heights)[:, None], x.shape)], axis=-1)


def ball(radius: float, rings: int = 24) -> Mesh:
    """A sphere."""
    polar = np.linspace(0.0, np.pi, rings + 1)[1:-1]
    width = radius * np.sin(polar)
    return closed_tube(
        ellipses(width, width, radius * np.cos(polar), 2 * rings), (0.0, 0.0, radius), (0.0, 0.0, -radius)
    )


def lying_cylinder(radius: float, length: float, count: int = 48) -> Mesh:
    """A cylinder along y, with rings near its rims so that no triangle is long and thin."""
    places = length * np.linspace(0.5, -0.5, max(2, round(length / (2 * np.pi * radius / count)) + 1))
    upright = closed_tube(
        ellipses(np.full(len(places), radius), np.full(len(places), radius), places, count),
        (0.0, 0.0, 0.5 * length),
        (0.0, 0.0, -0.5 * length),
    )
    return upright[0] @ rotation(0, 0.5 * np.pi).T, upright[1]


def cone(radius: float, height: float, count: int = 48) -> Mesh:
    """A cone that stands on z = 0, its tip a little blunt."""
    share = np.linspace(0.03, 1.0, 12)
    rings = ellipses(radius * share, radius * share, height * (1.0 - share), count)
    return closed_tube(rings, (0.0, 0.0, height), (0.0, 0.0, 0.0))


def box(size, center) -> Mesh:
    """A closed box."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) - 0.5
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [(a, b, c) for a, b, c, _ in faces] + [(a, c, d) for a, _, c, d in faces]
    return corners * size + center, np.array(triangles, np.int32)


def sheet(counts: tuple[int, int], size: tuple[float, float]) -> Mesh:
    """A flat sheet in the plane z = 0 around the origin; `counts` vertices along x and y, row after row along y.

    Diagonals alternate, so that no direction is favoured.
    """
    across, along = counts
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, across) * size[0], np.linspace(-0.5, 0.5, along) * size[1])
    positions = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    row, column = (part.ravel() for part in np.mgrid[: along - 1, : across - 1])
    a = row * across + column
    b, c, d = a + 1, a + across, a + across + 1
    is_even = ((row + column) % 2 == 0)[:, None]
    first = np.where(is_even, np.column_stack([a, b, d]), np.column_stack([a, b, c]))
    second = np.where(is_even, np.column_stack([a, d, c]), np.column_stack([b, d, c]))
    return positions, np.concatenate([first, second]).astype(np.int32)


def square_counts(vertex_count: int) -> tuple[int, int]:
    """How many vertices a square sheet of about so many has along its sides."""
    side = max(3, round(vertex_count**0.5))
    return side, side


def rotation(axis: int, angle: float) -> np.ndarray:
    """The matrix (3, 3) that turns by an angle [rad] about a coordinate axis."""
    turn, second, third = np.eye(3), (axis + 1) % 3, (axis + 2) % 3
    turn[second, second] = turn[third, third] = np.cos(angle)
    turn[third, second], turn[second, third] = np.sin(angle), -np.sin(angle)
    return turn


def eased(time: float, start: float, duration: float) -> float:
    """From 0 to 1, without a jerk at either end."""
    part = float(np.clip((time - start) / duration, 0.0, 1.0))
    return part - np.sin(2.0 * np.pi * part) / (2.0 * np.pi)


def spread_directions(count: int, lowest: float = -1.0) -> np.ndarray:
    """Evenly spread unit vectors (n, 3) with z above a limit: a spiral of golden angles."""
    number = np.arange(count) + 0.5
    z, turn = 1.0 - number / count * (1.0 - lowest), number * np.pi * (3.0 - np.sqrt(5.0))
    level = np.sqrt(1.0 - z**2)
    return np.column_stack([level * np.cos(turn), level * np.sin(turn), z])
