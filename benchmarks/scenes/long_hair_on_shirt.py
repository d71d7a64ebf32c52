"""Long straight hair on the shirt of a running body [Daviet 2020, section 7.3 and figure 1].

`python -m benchmarks.scenes.long_hair_on_shirt STRANDS FRAMES`
"""

import numpy as np

from stiction.solver import Hair, Scene

from .character import combed_strands, held_roots
from .materials import CLOTHED, HAIR, HAIR_FRICTION
from .running import Shot, TableRow, View, main
from .shirt_only import BODY_COLOUR, ROOM, SHIRT_COLOUR, add_clothed_body

POINTS, LENGTH = 22, 0.45  # of a strand [m]
LAYERS = (2.5e-3, 8e-3)  # distance of the hair from head and shirt at the start: it has not far to fall [m]
# The paper's shirt has five vertices a strand at 5k strands; here as many as 27k at most, and enough for folds.
SHIRT_VERTICES = (1500, 27_000)


def long_hair_on_shirt(strand_count: int) -> Scene:
    scene = Scene(**CLOTHED)
    strands = combed_strands(strand_count, POINTS, LENGTH, LAYERS, room=1.5 * ROOM)
    offsets = np.arange(strand_count + 1) * POINTS
    settings = {"material": HAIR, "friction": HAIR_FRICTION, **held_roots(strands)}
    scene.add(Hair("hair", strands.reshape(-1, 3), offsets, **settings))
    add_clothed_body(scene, int(np.clip(5 * strand_count, *SHIRT_VERTICES)))
    return scene


SHOT = Shot(
    long_hair_on_shirt,
    size="strands",
    paper=TableRow(
        "Long hair+Shirt 5k", "5,445", "147k", "176k (340k)", "294 s (442)", "116 s (174)", cores="8", memory="11.9 GB"
    ),
    view=View(
        (0.8, 1.0, 0.15),
        (0.0, 0.0, -0.25),
        {"hair": (0.2, 0.07, 0.02), "shirt": SHIRT_COLOUR, "body": BODY_COLOUR},
        hair_width=1e-3,
    ),
)

if __name__ == "__main__":
    main(SHOT)
