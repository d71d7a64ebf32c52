"""The solver: everything that does not touch Blender.

`Simulation` is imported on first use, because it brings numba along (a second or more).
"""

from .attachment import Attachment
from .contact_settings import PairFriction
from .errors import (
    CacheDamaged,
    CacheError,
    CacheOccupied,
    InputsChanged,
    Interrupted,
    Problem,
    SceneRefused,
    SimulationDiverged,
    SimulationFailed,
    StictionError,
)
from .filling import Filling
from .force_fields import Falloff, ForceField
from .frame import Frame
from .materials import ClothMaterial, HairMaterial, RigidMaterial, SolidMaterial
from .motion import SampledMotion
from .report import FrameReport
from .scene import Cloth, Collider, Hair, RigidBody, Roots, Scene, SoftBody, SoftPins
from .validation import check_scene
from .version import VERSION

__all__ = [
    "VERSION",
    "Attachment",
    "CacheDamaged",
    "CacheError",
    "CacheOccupied",
    "Cloth",
    "ClothMaterial",
    "Collider",
    "Falloff",
    "Filling",
    "ForceField",
    "Frame",
    "FrameReport",
    "Hair",
    "HairMaterial",
    "InputsChanged",
    "Interrupted",
    "PairFriction",
    "Problem",
    "RigidBody",
    "RigidMaterial",
    "Roots",
    "SampledMotion",
    "Scene",
    "SceneRefused",
    "Simulation",
    "SimulationDiverged",
    "SimulationFailed",
    "SoftBody",
    "SoftPins",
    "SolidMaterial",
    "StictionError",
    "check_scene",
]


def __getattr__(name):
    if name == "Simulation":
        from .simulation import Simulation

        return Simulation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
