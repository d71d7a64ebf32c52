"""Sheets against closed forms: the plate as heavy elastica, and the pulled strip."""

import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial
from stiction.solver.energies.hinges import flexural_rigidity
from stiction.solver.energies.membrane import Membrane, flat_coordinates, membrane_elements
from tests.solver.energies.meshes import nodal_gradient, strip
from tests.verification.closed_forms import GRAVITY
from tests.verification.pictures import EXACT, OURS, only_for_pictures, picture
from tests.verification.settling import settle
from tests.verification.strips import bent_strip

YOUNG, THICKNESS, POISSON, DENSITY = 2e6, 1e-3, 0.3, 1100.0  # a rubber mat


def plate_material():
    stiffness = YOUNG * THICKNESS
    rigidity = flexural_rigidity(YOUNG, THICKNESS, POISSON)
    return ClothMaterial(
        area_density=DENSITY * THICKNESS,
        warp_stiffness=stiffness,
        weft_stiffness=stiffness,
        shear_stiffness=stiffness / (2 * (1 + POISSON)),
        poisson_ratio=POISSON,
        warp_bending=rigidity,
        weft_bending=rigidity,
    )


def plate_length(load):
    """At which w L³/D has this value."""
    return (load * flexural_rigidity(YOUNG, THICKNESS, POISSON) / (DENSITY * THICKNESS * GRAVITY)) ** (1 / 3)


@pytest.mark.parametrize("load", [1.0, 10.0])
def test_plate_bends_like_the_heavy_elastica_of_its_rigidity(load):
    """D = E h³ / 12 (1 − ν²); the tip converges at second order in the cells."""
    length = plate_length(load)
    errors = []
    for cells in (10, 20):
        ours, exact = bent_strip(plate_material(), length, cells)
        errors.append(np.linalg.norm(ours[-1] - exact[-1]) / length)
    assert errors[1] < 0.002
    assert errors[1] < 0.4 * errors[0]


@only_for_pictures
def test_picture_of_plates():
    picture("plate", _draw_plates)


def _draw_plates(axes):
    for load, label in ((1.0, "heavy elastica"), (10.0, None), (40.0, None)):
        length = plate_length(load)
        ours, exact = bent_strip(plate_material(), length, 20)
        axes.plot(*exact.T, **EXACT, label=label)
        axes.plot(*ours.T, **OURS, label=label and "sheet of 20 cells")
        axes.annotate(f" {100 * length:.0f} cm", exact[-1], fontsize=8)
    axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", xlim=(-0.005, 0.105))
    axes.legend(loc="lower right")


WARP, WEFT, SHEAR, NARROWING = 900.0, 400.0, 150.0, 0.3


def pulled_strip(stretch):
    """A strip held at both ends and pulled along the warp: rest and present positions, and the nodal forces [N]."""
    rest, triangles = strip(40, 4, (0.01, 0.01))
    ends = np.flatnonzero((rest[:, 0] == 0.0) | (rest[:, 0] == rest[:, 0].max()))
    material = ClothMaterial(
        warp_stiffness=WARP, weft_stiffness=WEFT, shear_stiffness=SHEAR, poisson_ratio=NARROWING, air_drag=20.0
    )
    cloth = Cloth("strip", rest, triangles, material=material, pinned=ends, pin_motion=rest[ends] * [stretch, 1.0, 1.0])
    positions, _ = settle(cloth, 40, gravity=(0.0, 0.0, 0.0), frames_per_second=10.0)
    law = Membrane(membrane_elements(triangles, flat_coordinates(triangles, rest), WARP, WEFT, SHEAR, NARROWING))
    return rest, positions, nodal_gradient(law, positions)


@pytest.mark.parametrize("stretch", [1.01, 1.2])
def test_pulled_strip_carries_the_stress_and_narrows(stretch):
    """Away from its ends: narrowing √(1 − 2 ν √(E₁/E₂) ε), and the force λ E₁ ε a metre of width, ε = ½ (λ² − 1)."""
    rest, positions, forces = pulled_strip(stretch)
    middle = np.abs(rest[:, 0] - 0.2) < 0.055
    (here, there), width = np.quantile(rest[middle, 0], (0, 1)), 0.04
    along = [positions[rest[:, 0] == x, 0].mean() for x in (here, there)]
    local = (along[1] - along[0]) / (there - here)
    strain = 0.5 * (local**2 - 1.0)
    widths = np.ptp(positions[middle, 1].reshape(-1, 5), axis=1)
    narrowed = np.sqrt(1.0 - 2.0 * NARROWING * np.sqrt(WARP / WEFT) * strain)
    # What the ends disturb has died down by exp(−π distance/width) [Saint-Venant]; the middle is 3.6 widths away.
    assert widths / width == pytest.approx(np.full(len(widths), narrowed), abs=1e-4)
    pull = forces[rest[:, 0] == rest[:, 0].max(), 0].sum()
    assert pull == pytest.approx(width * local * WARP * strain, rel=1e-3)
