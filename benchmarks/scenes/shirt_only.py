"""A shirt on a running body, which holds it by contact alone [Daviet 2020, section 7.3 and table 2].

`python -m benchmarks.scenes.shirt_only VERTICES FRAMES`
"""

import numpy as np

from stiction.solver import Cloth, Collider, Scene

from .character import body, outer_half_axes, running
from .materials import CLOTH_FRICTION, CLOTHED, SHIRT
from .running import Shot, TableRow, View, main
from .shapes import ellipses, tube

NECK, HEM = -0.195, -0.66  # heights where the shirt begins and ends [m]
ROOM = 0.005  # between body and shirt at the start [m]
WAIST, FLARE = -0.46, 0.04  # below this height the shirt widens, by so much at the hem [m]
THICKNESS, SKIN_THICKNESS = 2e-3, 5e-4  # of the surfaces of shirt and body [m]
BODY_COLOUR, SHIRT_COLOUR = (0.6, 0.4, 0.32), (0.45, 0.5, 0.55)


def shirt_only(vertex_count: int) -> Scene:
    scene = Scene(**CLOTHED)
    add_clothed_body(scene, vertex_count)
    return scene


def add_clothed_body(scene: Scene, vertex_count: int) -> None:
    """Put the running body and its shirt into a scene."""
    points, triangles = _shirt(vertex_count)
    scene.add(Cloth("shirt", points, triangles, material=SHIRT, friction=CLOTH_FRICTION, thickness=THICKNESS))
    skin, faces = body()
    scene.add(
        Collider("body", lambda time: running(skin, time), faces, friction=CLOTH_FRICTION, thickness=SKIN_THICKNESS)
    )


def _shirt(vertex_count):
    """Rings down from the neck, evenly spaced along the cloth."""
    fine = np.linspace(NECK, HEM, 2000)
    axes = outer_half_axes(fine, ROOM) + FLARE * np.clip((WAIST - fine) / (WAIST - HEM), 0.0, 1.0)[:, None]
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(axes.mean(axis=1)), np.diff(fine)))])
    around = 2.0 * np.pi * axes.mean()
    spacing = (around * way[-1] / vertex_count) ** 0.5
    places = np.linspace(0.0, way[-1], max(4, round(way[-1] / spacing) + 1))
    widths, depths, heights = (np.interp(places, way, column) for column in (*axes.T, fine))
    return tube(ellipses(widths, depths, heights, max(12, round(around / spacing))))


SHOT = Shot(
    shirt_only,
    size="vertices",
    paper=TableRow("Shirt only", "0", "27k", "2026 (3228)", "62 s (74)", "38 s (45)", cores="8", memory="2.7 GB"),
    view=View((0.7, -1.3, 0.2), (0.0, 0.0, -0.3), {"shirt": SHIRT_COLOUR, "body": BODY_COLOUR}),
)

if __name__ == "__main__":
    main(SHOT)
