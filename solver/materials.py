"""What objects are made of, in SI units."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HairMaterial:
    density: float = 1320.0  # keratin, mass per volume                        [kg/m³]
    radius: float = 4e-5  # of the round cross-section                          [m]
    air_drag: float = 0.5  # rate at which the air's velocity is taken on       [1/s]


@dataclass(frozen=True)
class ClothMaterial:
    area_density: float = 0.15  # mass per area of a light cotton               [kg/m²]
    air_drag: float = 0.5  # rate at which the air's velocity is taken on       [1/s]


@dataclass(frozen=True)
class SolidMaterial:
    density: float = 1000.0  # mass per volume                                  [kg/m³]
    air_drag: float = 0.0  # rate at which the air's velocity is taken on       [1/s]


Material = HairMaterial | ClothMaterial | SolidMaterial
