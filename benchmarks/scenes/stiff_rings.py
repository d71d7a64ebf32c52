"""120 stiff rings in a heap [Verschoor and Jalba 2019, table 1]; see `benchmarks.scenes.rings`."""

from functools import partial

from .rings import VIEW, rings
from .running import Shot, TableRow, main
from .solids import STIFF, solid_simulation

stiff_rings = partial(rings, youngs_modulus=STIFF)
SHOT = Shot(
    stiff_rings,
    size="rings",
    paper=TableRow("Stiff rings by CR, ten steps", nodes="8,640", contacts="633", frame="16 s", cores="1"),
    view=VIEW,
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
