"""Surfaces that the tests of the volume meshes share."""

import numpy as np
from scipy.spatial import ConvexHull


def cube(edge=1.0, center=(0.0, 0.0, 0.0)):
    return box((edge, edge, edge), (1, 1, 1), center)


def box(size, cells, center=(0.0, 0.0, 0.0)):
    """A box whose faces are grids of squares, each cut in two."""
    cells = np.asarray(cells)
    quads = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        i, j = (index.ravel() for index in np.meshgrid(np.arange(cells[u]), np.arange(cells[v]), indexing="ij"))
        for side in (0, 1):
            ring = []
            for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)) if side else ((0, 0), (0, 1), (1, 1), (1, 0)):
                key = np.zeros((len(i), 3), int)
                key[:, axis], key[:, u], key[:, v] = side * cells[axis], i + di, j + dj
                ring.append(key)
            quads.append(np.stack(ring, axis=1))
    keys, inverse = np.unique(np.concatenate(quads).reshape(-1, 3), axis=0, return_inverse=True)
    quads = inverse.reshape(-1, 4)
    positions = (keys / cells - 0.5) * np.asarray(size, float) + center
    return positions, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)


def icosphere(subdivisions=2, radius=1.0, center=(0.0, 0.0, 0.0)):
    golden = (1.0 + 5.0**0.5) / 2.0
    points = np.array([(0, s, t * golden) for s in (-1, 1) for t in (-1, 1)], float)
    points = np.concatenate([points, points[:, [1, 2, 0]], points[:, [2, 0, 1]]])
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    triangles = ConvexHull(points).simplices
    outward = np.einsum("ij,ij->i", points[triangles[:, 0]], np.cross(*points[triangles[:, 1:]].swapaxes(0, 1))) > 0
    triangles = np.where(outward[:, None], triangles, triangles[:, ::-1])
    for _ in range(subdivisions):
        points, triangles = _split_in_four(points, triangles)
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    return points * radius + center, triangles.astype(np.int32)


def _split_in_four(points, triangles):
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    unique, inverse = np.unique(edges, axis=0, return_inverse=True)
    ab, bc, ca = (len(points) + inverse.reshape(-1, 3)).T
    a, b, c = triangles.T
    rows = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([points, points[unique].mean(axis=1)]), np.concatenate([np.column_stack(r) for r in rows])


def torus(major=1.0, minor=0.4, around=40, across=20):
    u, v = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.arange(across) * 2 * np.pi / across, indexing="ij")
    distance = major + minor * np.cos(v)
    points = np.stack([distance * np.cos(u), distance * np.sin(u), minor * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = (index.ravel() for index in np.meshgrid(np.arange(around), np.arange(across), indexing="ij"))
    ring = [((i + di) % around) * across + (j + dj) % across for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
    a, b, c, d = ring
    return points, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])]).astype(np.int32)


def bumpy(subdivisions=4, height=0.25):
    """A closed surface with ears, dents and uneven triangles."""
    points, triangles = icosphere(subdivisions)
    x, y, z = points.T
    bumps = np.sin(5 * x) * np.cos(4 * y) + 0.6 * np.sin(7 * z + 2 * x) + 2.0 * np.exp(-12 * ((x - 0.6) ** 2 + y**2))
    return points * (1.0 + height * bumps)[:, None] * [1.0, 0.8, 1.2], triangles


def crumpled(subdivisions=3, noise=0.01):
    """A bumpy surface with noise: folds on which hardly any edge is the natural one."""
    points, triangles = bumpy(subdivisions, 0.4)
    return points + noise * np.random.default_rng(3).normal(size=points.shape), triangles


def scanned(vertex_count=3000, seed=4):
    """A bumpy closed surface with random vertices, as a scan or a decimation leaves it."""
    points = np.random.default_rng(seed).normal(size=(vertex_count, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    triangles = ConvexHull(points).simplices
    outward = np.einsum("ij,ij->i", points[triangles[:, 0]], np.cross(*points[triangles[:, 1:]].swapaxes(0, 1))) > 0
    x, y, z = points.T
    bumps = 1.0 + 0.15 * np.sin(4 * x + y) * np.cos(3 * z)
    return points * bumps[:, None], np.where(outward[:, None], triangles, triangles[:, ::-1]).astype(np.int32)


def capsule(segments=24, rings=40, bend=1.5, radius=0.15):
    """A bent tube with round ends, as a finger or a worm; quads cut in two, triangles at the poles."""
    angle = np.linspace(0.0, np.pi, rings)[1:-1]
    around = np.arange(segments) * 2 * np.pi / segments
    along = np.where(angle < np.pi / 2, -np.cos(angle) * radius, -np.cos(angle) * radius)
    along = along + np.linspace(-0.5, 0.5, len(angle))
    width = radius * np.sin(angle) ** 0.4
    a, s = np.meshgrid(around, along)
    w = np.repeat(width[:, None], segments, axis=1)
    points = np.stack([w * np.cos(a), w * np.sin(a), s], axis=-1).reshape(-1, 3)
    points = np.concatenate([points, [[0, 0, -0.5 - 1.2 * radius], [0, 0, 0.5 + 1.2 * radius]]])
    count = len(angle)
    i, j = (index.ravel() for index in np.meshgrid(np.arange(count - 1), np.arange(segments), indexing="ij"))
    p, q = i * segments + j, i * segments + (j + 1) % segments
    tube = [np.column_stack([p, q, q + segments]), np.column_stack([p, q + segments, p + segments])]
    j = np.arange(segments)
    bottom, top = len(points) - 2, len(points) - 1
    last = (count - 1) * segments
    caps = [np.column_stack([0 * j + bottom, (j + 1) % segments, j]),
            np.column_stack([0 * j + top, last + j, last + (j + 1) % segments])]  # fmt: skip
    turn = bend * points[:, 2]
    reach = 1.0 / max(bend, 1e-9) + points[:, 0]
    bent = np.column_stack([reach * np.cos(turn), points[:, 1], reach * np.sin(turn)]) if bend else points
    return bent, np.concatenate(tube + caps).astype(np.int32)


def join(*surfaces):
    positions = np.concatenate([surface[0] for surface in surfaces])
    starts = np.cumsum([0] + [len(surface[0]) for surface in surfaces[:-1]])
    return positions, np.concatenate([s[1] + start for s, start in zip(surfaces, starts)]).astype(np.int32)


def flipped(surface):
    return surface[0], np.ascontiguousarray(surface[1][:, ::-1])


def hollow_sphere(subdivisions=3):
    return join(icosphere(subdivisions), flipped(icosphere(subdivisions, 0.6)))


def two_spheres(gap=0.5, subdivisions=3):
    return join(icosphere(subdivisions, 1.0), icosphere(subdivisions, 1.0, (2.0 + gap, 0, 0)))


def hemisphere(subdivisions=3):
    points, triangles = icosphere(subdivisions)
    upper = (points[triangles][:, :, 2] > -1e-9).all(axis=1)
    return _used_only(points, triangles[upper])


def _used_only(points, triangles):
    used, inverse = np.unique(triangles, return_inverse=True)
    return points[used], inverse.reshape(-1, 3).astype(np.int32)


def moebius(around=60, across=6, width=0.3):
    points, quads = [], []
    for i in range(around):
        angle = 2 * np.pi * i / around
        for j in range(across + 1):
            s = width * (2 * j / across - 1)
            distance = 1 + s * np.cos(angle / 2)
            points.append((distance * np.cos(angle), distance * np.sin(angle), s * np.sin(angle / 2)))
    for i in range(around):
        for j in range(across):
            here = [i * (across + 1) + j, i * (across + 1) + j + 1]
            if i + 1 < around:
                there = [here[0] + across + 1, here[1] + across + 1]
            else:  # the strip comes back turned over
                there = [across - j, across - j - 1]
            quads.append((here[0], there[0], there[1], here[1]))
    quads = np.array(quads)
    return np.array(points), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]).astype(np.int32)


def cubes_sharing_an_edge():
    points, triangles = join(cube(), cube(center=(1.0, 1.0, 0.0)))
    unique, inverse = np.unique(points.round(9), axis=0, return_inverse=True)
    return unique, inverse.ravel()[triangles].astype(np.int32)


def crossing_spheres():
    return two_spheres(gap=-0.5)


def shuffled(surface, seed=0):
    """The same surface with vertices and faces in another order."""
    random = np.random.default_rng(seed)
    positions, triangles = surface
    new_place = random.permutation(len(positions))
    moved = np.empty_like(positions)
    moved[new_place] = positions
    return moved, new_place[triangles][random.permutation(len(triangles))].astype(np.int32)
