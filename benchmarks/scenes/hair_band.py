"""A stretched band holds curly hair on a running head, by friction alone [Daviet 2020, section 7.3 and figure 13].

`python -m benchmarks.scenes.hair_band STRANDS FRAMES`
"""

import numpy as np

from stiction.solver import Cloth, Collider, Hair, Scene

from .character import body, combed_strands, half_axes, held_roots, running
from .materials import BAND, CLOTH_FRICTION, CLOTHED, HAIR, HAIR_FRICTION
from .running import Shot, TableRow, View, main
from .shapes import ellipses, tube

POINTS, LENGTH = 47, 0.2  # of a strand, on its way down without the curls [m]
CURL = (3e-3, 0.03)  # radius and length [m]
LAYERS = (2e-3, 3.5e-3)  # of the hair [m]
HEIGHT, WIDTH = 0.03, 0.03  # of the band's middle over that of the head, and of the band [m]
ROOM = 6.6e-3  # from the head to the band at the start: just around all hair [m]
STRETCH = 0.04  # of the band at the start
AROUND, ACROSS = 128, 8  # vertices of the band
THICKNESS, SKIN_THICKNESS = 5e-3, 1e-3  # of the surfaces of band and body [m]


def hair_band(strand_count: int) -> Scene:
    scene = Scene(**CLOTHED)
    strands = combed_strands(strand_count, POINTS, LENGTH, LAYERS, curl=CURL)
    offsets = np.arange(strand_count + 1) * POINTS
    settings = {"material": HAIR, "friction": HAIR_FRICTION, **held_roots(strands)}
    scene.add(Hair("hair", strands.reshape(-1, 3), offsets, **settings))
    points, triangles = _band()
    rest = points * [1.0 - STRETCH, 1.0 - STRETCH, 1.0]
    settings = {"material": BAND, "friction": CLOTH_FRICTION, "thickness": THICKNESS}
    scene.add(Cloth("band", points, triangles, rest_positions=rest, **settings))
    skin, faces = body()
    scene.add(
        Collider("body", lambda time: running(skin, time), faces, friction=CLOTH_FRICTION, thickness=SKIN_THICKNESS)
    )
    return scene


def _band():
    heights = HEIGHT + WIDTH * np.linspace(0.5, -0.5, ACROSS)
    widths, depths = half_axes(heights).T + ROOM
    return tube(ellipses(widths, depths, heights, AROUND))


SHOT = Shot(
    hair_band,
    size="strands",
    paper=TableRow(
        "Hair band 5k", "5,445", "257k", "161k (219k)", "104 s (124)", "56 s (70)", cores="10", memory="5.8 GB"
    ),
    view=View(
        (0.42, -0.5, 0.12),
        (0.0, 0.0, -0.03),
        {"hair": (0.2, 0.07, 0.02), "band": (0.02, 0.25, 0.35), "body": (0.6, 0.4, 0.32)},
        hair_width=8e-4,
    ),
)

if __name__ == "__main__":
    main(SHOT)
