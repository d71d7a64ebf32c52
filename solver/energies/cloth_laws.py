"""The laws that make a sheet: a membrane, and hinges along its edges."""

from ..scene import Cloth
from .hinge_bending import HingeBending, hinge_bending_elements
from .hinges import directional_rigidity, find_hinges, hinge_directions
from .law import Law
from .membrane import Membrane, flat_coordinates, membrane_elements


def cloth_laws(cloth: Cloth) -> list[Law]:
    """Membrane and bending of a garment whose positions are its rest shape."""
    material = cloth.material
    coordinates = flat_coordinates(cloth.triangles, cloth.positions)
    stiffness = (material.warp_stiffness, material.weft_stiffness, material.shear_stiffness, material.poisson_ratio)
    membrane = Membrane(membrane_elements(cloth.triangles, coordinates, *stiffness))
    hinges = find_hinges(cloth.triangles)
    directions = hinge_directions(hinges, coordinates)
    rigidity = directional_rigidity(directions, material.warp_bending, material.weft_bending)
    return [membrane, HingeBending(hinge_bending_elements(hinges.nodes, cloth.positions, rigidity))]
