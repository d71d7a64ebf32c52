"""Playing cards that lean on each other: stiff boxes, seen along y."""

import numpy as np

from stiction.solver import Collider, RigidBody, RigidMaterial, Scene

from ..solver.contact.colliding import box

LENGTH, WIDTH, THICK = 0.1, 0.06, 0.002  # of a card [m]
GAP = 4e-4  # at which surfaces touch [m]
DENSITY = 700.0  # of cardboard [kg/m³]


def scene_with_floor(friction) -> Scene:
    scene = Scene()
    scene.add(Collider("floor", *box((4.0, 4.0, 1.0), (0, 0, -0.5)), friction=friction, thickness=GAP))
    return scene


def card(name, center, turn, friction, length=LENGTH, width=WIDTH) -> RigidBody:
    """About a centre (x, z) [m]; along x, then turned upwards by an angle [rad]."""
    points, triangles = box((length, width, THICK), (0.0, 0.0, 0.0))
    x, z = (points[:, 0] * np.cos(turn) - points[:, 2] * np.sin(turn),
            points[:, 0] * np.sin(turn) + points[:, 2] * np.cos(turn))  # fmt: skip
    placed = np.column_stack([x + center[0], points[:, 1], z + center[1]])
    material = RigidMaterial(density=DENSITY, air_drag=0.0)
    return RigidBody(name, placed, triangles, material=material, friction=friction, thickness=GAP)


def frame(scene, name, x, floor, angle, friction):
    """Two cards on a floor [m] that lean on each other at x [m], at an angle from the floor [rad].

    A card stands on the lower corner of its underside, and leans with the upper corner of the same side. One is
    narrower, so that corners do not meet corners.
    """
    up = 0.5 * THICK
    lean = np.cos(angle) * 0.5 * LENGTH + np.sin(angle) * up + 0.5 * GAP  # from the apex to the middle
    high = floor + GAP + np.sin(angle) * 0.5 * LENGTH + np.cos(angle) * up
    scene.add(card(f"{name} left", (x - lean, high), angle, friction))
    scene.add(card(f"{name} right", (x + lean, high), np.pi - angle, friction, width=0.9 * WIDTH))


def top_of_frame(floor, angle):
    """Height [m] of the two ridges of a frame."""
    return floor + GAP + np.sin(angle) * LENGTH + np.cos(angle) * THICK


def half_base(angle):
    """From the apex to the corner that a card stands on [m]."""
    return np.cos(angle) * LENGTH + 0.5 * GAP


def house(friction, degrees=63.0) -> Scene:
    """Fifteen cards: three frames, two cards across, two frames, one across, one frame."""
    scene, angle, floor = scene_with_floor(friction), np.radians(degrees), 0.0
    spacing = 2.0 * half_base(angle) + 4e-3
    for frames in (3, 2, 1):
        middles = spacing * (np.arange(frames) - 0.5 * (frames - 1))
        for number, x in enumerate(middles):
            frame(scene, f"frame {frames}{number}", x, floor, angle, friction)
        floor = top_of_frame(floor, angle) + GAP
        for number, x in enumerate(0.5 * (middles[1:] + middles[:-1])):
            length, shift = _across(frames, number, spacing)
            scene.add(card(f"across {frames}{number}", (x + shift, floor + 0.5 * THICK), 0.0, friction, length))
        floor += THICK
    return scene


def _across(frames, number, spacing):
    """Length of a card across and how far it lies outwards: two that end on the same frame must not meet."""
    over, apart = 0.5 * THICK, 0.5 * GAP  # beyond an apex that it has alone, and before one that it shares
    if frames == 2:
        return spacing + 4.0 * over, 0.0
    inwards = 1.0 if number == 0 else -1.0
    ends = spacing + 2.0 * over - apart - 0.5 * GAP
    return ends, -inwards * 0.5 * (2.0 * over + apart + 0.5 * GAP)
