"""Cusick's drape test: a round cloth of 30 cm, held flat over its inner 18 cm, and the shadow of what hangs."""

import numpy as np
from scipy.spatial import Delaunay

from stiction.solver import Cloth, Scene, Simulation
from tests.verification.settling import calmed

SHEET, DISC = 0.15, 0.09  # radii [m]
SPACING = 0.005  # [m] between vertices: folds are ten times as wide
PIXEL = 0.001  # [m] of the shadow


def round_sheet():
    """Positions (n, 3) [m] and triangles (t, 3) of a flat round sheet: even triangles, and rings at disc and rim."""
    ticks = np.arange(-2 * int(SHEET / SPACING), 2 * int(SHEET / SPACING) + 1)
    i, j = (part.ravel() for part in np.meshgrid(ticks, ticks, indexing="ij"))
    lattice = SPACING * np.column_stack([i + 0.5 * j, np.sqrt(0.75) * j])
    radius = np.hypot(*lattice.T)
    is_inside = (radius < SHEET - 0.5 * SPACING) & (np.abs(radius - DISC) > 0.5 * SPACING)
    plane = np.concatenate([lattice[is_inside], _ring(DISC), _ring(SHEET)])
    return np.column_stack([plane, np.zeros(len(plane))]), Delaunay(plane).simplices


def _ring(radius):
    angle = np.linspace(0.0, 2 * np.pi, int(2 * np.pi * radius / SPACING), endpoint=False)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def cusick_test(material):
    """Positions and triangles of a sheet that hangs at rest."""
    flat, triangles = round_sheet()
    radius, angle = np.hypot(*flat[:, :2].T), np.arctan2(flat[:, 1], flat[:, 0])
    scene = Scene(frames_per_second=6, steps_per_frame=1)
    pinned = np.flatnonzero(radius <= DISC + 1e-9)
    scene.add(Cloth("sheet", flat, triangles, material=calmed(material), pinned=pinned))
    simulation = Simulation(scene)
    simulation.integrator.settings.tolerance = 1e-4
    # Folds need something to start from; the cloth chooses among many.
    overhang, random = np.maximum(radius - DISC, 0.0) / (SHEET - DISC), np.random.default_rng(1)
    waves = sum(np.cos(count * angle + random.uniform(0, 2 * np.pi)) for count in range(2, 12))
    simulation.state.positions[:, 2] += 0.0017 * overhang**2 * waves
    *_, last = simulation.frames(1, 20)
    return last.positions["sheet"], triangles


def drape_coefficient(positions, triangles):
    """Share of the overhanging ring that its shadow from above still covers [Cusick 1968]."""
    ring = np.pi * (SHEET**2 - DISC**2)
    return (shadow_area(positions[:, :2], triangles) - np.pi * DISC**2) / ring


def shadow_area(points, triangles):
    """Area [m²] of the union of triangles in a plane, by counting pixels."""
    low = points.min(axis=0)
    is_dark = np.zeros(np.ceil(np.ptp(points, axis=0) / PIXEL).astype(int) + 1, bool)
    for corners in (points[triangles] - low) / PIXEL:
        first, end = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
        pixels = np.stack(np.meshgrid(*map(np.arange, first, end), indexing="ij"), axis=-1)
        is_dark[first[0] : end[0], first[1] : end[1]] |= _covers(corners, pixels + 0.5)
    return is_dark.sum() * PIXEL**2


def _covers(corners, places):
    """Whether a triangle (3, 2) covers places (…, 2)."""
    edges, offsets = np.roll(corners, -1, axis=0) - corners, places[..., None, :] - corners
    sides = edges[:, 0] * offsets[..., 1] - edges[:, 1] * offsets[..., 0]
    return (sides >= 0.0).all(axis=-1) | (sides <= 0.0).all(axis=-1)
