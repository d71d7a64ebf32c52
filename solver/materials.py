"""What objects are made of, in SI units."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .over_time import value_at

Stiffness = float | Callable[[float], float]  # which may be a function of the time [s]


@dataclass(frozen=True)
class HairMaterial:
    """A strand; the defaults are the preset "Straight Hair", human hair in Daviet 2020, table 4."""

    density: float = 1320.0  # keratin, mass per volume                        [kg/m³]
    radius: float = 4e-5  # half axis of the cross-section along its first axis  [m]
    flatness: float = 1.0  # second half axis over the first; 1 is round
    bending_modulus: Stiffness = 4e9  # Young's modulus in bending                  [Pa]
    stretching_modulus: Stiffness = 1e8  # Young's modulus in stretching            [Pa]
    poisson_ratio: float = 0.48  # twisting has the modulus E / 2 (1 + ν)
    damping: float = 1e-3  # time by which stress runs ahead of strain, ξ       [s]
    air_drag: float = 0.5  # rate at which the air's velocity is taken on       [1/s]


@dataclass(frozen=True)
class ClothMaterial:
    """A sheet; the defaults are the preset "Cotton"."""

    area_density: float = 0.15  # mass per area                                 [kg/m²]
    warp_stiffness: Stiffness = 5000.0  # against stretching along the warp         [N/m]
    weft_stiffness: Stiffness = 5000.0  # against stretching along the weft         [N/m]
    shear_stiffness: Stiffness = 100.0  # against changing the angle between them   [N/m]
    poisson_ratio: float = 0.2  # how much a pull narrows the sheet
    cloth_law: str = "membrane"  # one of CLOTH_LAWS
    warp_bending: Stiffness = 5e-6  # flexural rigidity of the warp                 [N m]
    weft_bending: Stiffness = 5e-6  # flexural rigidity of the weft                 [N m]
    damping: float = 2e-3  # time by which stress runs ahead of strain, ξ       [s]
    air_drag: float = 0.5  # rate at which the air's velocity is taken on       [1/s]
    normal_drag: float = 1.28  # coefficient of drag across the sheet; a flat plate's [NASA Glenn Research Center]


CLOTH_LAWS = ("membrane", "springs")
SOLID_LAWS = ("neo_hookean", "fixed_corotated", "corotated")


@dataclass(frozen=True)
class SolidMaterial:
    """A solid that deforms; the defaults are the preset "Soft Rubber"."""

    density: float = 1000.0  # mass per volume                                  [kg/m³]
    youngs_modulus: Stiffness = 1e5  # force per area over relative stretch         [Pa]
    poisson_ratio: float = 0.45  # how much a pull narrows it; 0.5 keeps volume
    solid_law: str = "neo_hookean"  # one of SOLID_LAWS
    damping: float = 2e-3  # time by which stress runs ahead of strain, ξ       [s]
    air_drag: float = 0.0  # rate at which the air's velocity is taken on       [1/s]


@dataclass(frozen=True)
class RigidMaterial:
    """A solid that keeps its shape."""

    density: float = 1000.0  # mass per volume                                  [kg/m³]
    air_drag: float = 0.0  # rate at which the air's velocity is taken on       [1/s]


Material = HairMaterial | ClothMaterial | SolidMaterial | RigidMaterial


STIFFNESSES = frozenset(
    {
        *("bending_modulus", "stretching_modulus", "youngs_modulus"),
        *("warp_stiffness", "weft_stiffness", "shear_stiffness", "warp_bending", "weft_bending"),
    }
)


def is_keyed(material: Material) -> bool:
    """Whether a stiffness of it changes with the time."""
    return any(callable(value) for value in vars(material).values())


def material_at(material: Material, time: float) -> Material:
    """The material with the numbers that it has at a time [s]."""
    changing: dict[str, Any] = {
        name: float(value_at(value, time)) for name, value in vars(material).items() if callable(value)
    }
    return replace(material, **changing)
