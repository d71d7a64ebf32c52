"""Cloth: a membrane or springs, hinges along the edges, and air inside if it is closed."""

import numpy as np

from ..energies.hinge_bending import HingeBending, hinge_bending_elements
from ..energies.hinges import directional_rigidity, find_hinges, hinge_directions
from ..energies.law import Law
from ..energies.membrane import Membrane, flat_coordinates, membrane_elements
from ..energies.pressure import Gas, Pressure
from ..energies.spring import Spring, cloth_spring_elements
from ..scene import Cloth
from .body import Body

AIR_PRESSURE = 101_325.0  # [Pa] of the standard atmosphere


def cloth_body(cloth: Cloth) -> Body:
    """The vertices of a garment are its nodes."""
    laws = _spring_laws(cloth) if cloth.material.cloth_law == "springs" else _sheet_laws(cloth)
    if cloth.pressure or cloth.is_sealed:
        laws.append(_pressure(cloth))
    return Body(cloth.positions, _masses(cloth), laws)


def rest_coordinates(cloth: Cloth) -> np.ndarray:
    """Corners of the triangles at rest along warp and weft (t, 3, 2) [m]."""
    if cloth.rest_corners is not None:
        return cloth.rest_corners
    return flat_coordinates(cloth.triangles, cloth.rest_shape)


def _sheet_laws(cloth) -> list[Law]:
    material = cloth.material
    coordinates = rest_coordinates(cloth)
    stiffness = (material.warp_stiffness, material.weft_stiffness, material.shear_stiffness, material.poisson_ratio)
    membrane = Membrane(membrane_elements(cloth.triangles, coordinates, *stiffness))
    hinges = find_hinges(cloth.triangles)
    rigidity = directional_rigidity(hinge_directions(hinges, coordinates), material.warp_bending, material.weft_bending)
    angles = None if cloth.rest_corners is None else 0.0  # patterns are cut from flat cloth
    return [membrane, HingeBending(hinge_bending_elements(hinges.nodes, cloth.rest_shape, rigidity, angles))]


def _spring_laws(cloth) -> list[Law]:
    """A spring has the stiffness of the strip of sheet around it: of the order of the sheet's own [N/m]."""
    material = cloth.material
    stretching = 0.5 * (material.warp_stiffness + material.weft_stiffness)
    elements = cloth_spring_elements(cloth.triangles, cloth.rest_shape, stretching, material.shear_stiffness)
    return [Spring(elements)]


def _pressure(cloth):
    """The rest volume is that of the rest shape."""
    triangles = _outward(cloth)
    pressure = Pressure(triangles, Gas(cloth.pressure, 1.0))
    gas = Gas(cloth.pressure, pressure.volume(cloth.rest_shape), AIR_PRESSURE, cloth.is_sealed)
    return Pressure(triangles, gas)


def _outward(cloth):
    from ..volume.orientation import agreeing_triangles, outward_triangles, surface_edges

    triangles, sheets, _ = agreeing_triangles(cloth.triangles, surface_edges(cloth.triangles))
    return outward_triangles(cloth.rest_shape, triangles, sheets)


def _masses(cloth):
    """Each vertex takes a third of the triangles around it, as they are at rest."""
    corners = rest_coordinates(cloth)
    (ax, ay), (bx, by) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    areas = 0.5 * np.abs(ax * by - ay * bx)
    shares = np.repeat(cloth.material.area_density * areas / 3.0, 3)
    return np.bincount(cloth.triangles.ravel(), shares, minlength=len(cloth.positions))
