"""Stiffness that changes with the time: rows of strands and of bodies' laws that are written anew each step."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..materials import STIFFNESSES, Material, is_keyed, material_at
from ..model import KeyedStiffness
from ..rods.rods import Rods
from ..scene import Cloth, Scene
from .placement import Placed

Ratio = Callable[[dict[str, float]], float | np.ndarray]  # of the shares of the first frame's stiffness, by name


def keyed_stiffness(scene: Scene, placed: Iterable[Placed], rods: Rods) -> Iterator[KeyedStiffness]:
    """What follows the materials of all objects whose stiffness changes."""
    materials = {item.name: item.material for item in scene.simulated}
    for entry in placed:
        material = materials[entry.item.name]
        if is_keyed(material):
            rows = _strand_rows(entry, rods) if entry.is_hair else _body_rows(entry)
            yield from (
                KeyedStiffness(numbers, numbers.copy(), _follow(material, entry, ratio)) for numbers, ratio in rows
            )


def _follow(material: Material, entry: Placed, ratio: Ratio):
    names = [name for name in vars(material) if name in STIFFNESSES]
    start = entry.item.material

    def at(time):
        now = material_at(material, time)
        return ratio({name: getattr(now, name) / getattr(start, name) for name in names})

    return at


def _strand_rows(entry, rods) -> list[tuple[np.ndarray, Ratio]]:
    """Twisting has the modulus of bending."""
    rows = slice(entry.span.first, entry.span.end)
    return [
        (rods.stretching[rows], lambda share: share["stretching_modulus"]),
        (rods.bending[rows], lambda share: share["bending_modulus"]),
        (rods.twisting[rows], lambda share: share["bending_modulus"]),
    ]


def _body_rows(entry) -> Iterator[tuple[np.ndarray, Ratio]]:
    """Of its own laws, whose constants no other object shares."""
    for law in entry.body.laws:
        elements: Any = getattr(law, "elements", None)  # air inside has none
        if hasattr(elements, "shear_moduli"):
            yield from ((moduli, _of_solid) for moduli in (elements.shear_moduli, elements.first_moduli))
        elif hasattr(elements, "moduli"):
            yield elements.moduli, _of_membrane
        elif elements is not None:
            yield elements.stiffness, _of_springs(entry.item) if _is_sprung(entry.item) else _of_hinges(entry.item)


def _of_solid(share):
    """Lamé's moduli are in proportion to Young's."""
    return share["youngs_modulus"]


def _of_membrane(share):
    """Of C₁₁, C₂₂, C₁₂ and G: the coupling is the geometric mean."""
    warp, weft = share["warp_stiffness"], share["weft_stiffness"]
    return np.array([warp, weft, np.sqrt(warp * weft), share["shear_stiffness"]])


def _is_sprung(cloth: Cloth):
    return cloth.material.cloth_law == "springs"


def _of_hinges(cloth: Cloth) -> Ratio:
    """Each hinge bends the warp and the weft by shares of its own."""
    from ..energies.hinges import directional_rigidity, find_hinges, hinge_directions
    from .cloth import rest_coordinates

    directions = hinge_directions(find_hinges(cloth.triangles), rest_coordinates(cloth))
    start = cloth.material.warp_bending, cloth.material.weft_bending
    whole = directional_rigidity(directions, *start)

    def ratio(share):
        now = directional_rigidity(directions, start[0] * share["warp_bending"], start[1] * share["weft_bending"])
        return np.divide(now, whole, out=np.ones_like(whole), where=whole > 0.0)

    return ratio


def _of_springs(cloth: Cloth) -> Ratio:
    """Along the edges the mean of warp and weft, across them the shear."""
    from ..energies.hinges import find_edges, find_hinges

    counts = len(find_edges(cloth.triangles)), len(find_hinges(cloth.triangles).nodes)
    material: Any = cloth.material  # whose stiffness is that of the first frame
    warp, weft = material.warp_stiffness, material.weft_stiffness

    def ratio(share):
        stretching = (warp * share["warp_stiffness"] + weft * share["weft_stiffness"]) / (warp + weft)
        return np.repeat([stretching, share["shear_stiffness"]], counts)

    return ratio
