"""Strips of cloth clamped at one end."""

from stiction.solver import Cloth
from tests.solver.energies.meshes import strip
from tests.verification.closed_forms import GRAVITY, heavy_elastica
from tests.verification.settling import calmed, settle

LONG_CELL = 4.0  # length over width


def bent_strip(material, length, cells, direction="warp"):
    """Points (x, z) of a strip that hangs from a clamp along warp or weft, and of the heavy elastica.

    The strip is one long cell wide. Its free edges let it bend about the diagonals too, which adds 1/(1 + r²)² to the
    compliance, r being the length of a cell over its width: 0.35 % here, and part of what is compared with. The
    clamped cell begins to bend at its middle.
    """
    size = length / cells
    positions, triangles = strip(cells, 1, (size, size / LONG_CELL))
    axes = [0, 1, 2] if direction == "warp" else [1, 0, 2]  # the warp lies along x
    cloth = Cloth("strip", positions[:, axes], triangles, material=calmed(material), pinned=[0, 1, 2, 3])
    positions = settle(cloth, 40, frames_per_second=10.0)[0][:, axes]
    ours = positions.reshape(-1, 2, 3).mean(axis=1)[:, [0, 2]] - [0.5 * size, 0.0]
    rigidity = material.warp_bending if direction == "warp" else material.weft_bending
    softened = rigidity / (1.0 + (1.0 + LONG_CELL**2) ** -2)
    return ours, heavy_elastica(material.area_density * GRAVITY, softened, length - 0.5 * size)
