"""What the artist asked for: plain arrays and numbers, no Blender."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .attachment import Attachment
from .contact_settings import ContactSettings, PairFriction, SolidContactSettings
from .errors import Problem, SceneRefused
from .filling import Filling
from .force_fields import ForceField
from .materials import ClothMaterial, HairMaterial, Material, RigidMaterial, SolidMaterial
from .motion import Motion
from .over_time import OverTime, Vector3, VectorOverTime, value_at, vector3, vector_over_time

NO_CONTACTS, ADMM = "none", "admm"
MIXED = "cr"
PROX = "prox"
BY_NAME = ("ica", PROX, "regions")  # methods that solve each linearization by their name alone
CONTACT_METHODS = (NO_CONTACTS, ADMM, MIXED, *BY_NAME)
NEWTON, SPLITTING = "newton", "admm"
INTEGRATORS = (NEWTON, SPLITTING)


@dataclass
class SoftPins:
    """Vertices that springs draw to where a motion has them.

    A strength s below one weakens them as if their painted weights were less: with the weight w = k / (k + h) of a
    spring of stiffness k, where h is the stiffness at a weight of one half, it becomes h w s / (1 - w s).
    """

    vertices: np.ndarray  # (q,) int32
    stiffness: np.ndarray  # (q,) [N/m]; infinite: as firm as a pin, while the strength is one
    motion: Motion | None = None  # None: where they start                            (q, 3) [m]
    strength: OverTime = 1.0  # from 0, which lets go, to 1
    half_stiffness: float = 10.0  # h, at a weight of one half [N/m]

    def __post_init__(self):
        self.vertices = np.ascontiguousarray(self.vertices, dtype=np.int32)
        self.stiffness = np.ascontiguousarray(np.broadcast_to(self.stiffness, self.vertices.shape), dtype=np.float64)

    def stiffness_at(self, time: float, firmest: np.ndarray) -> np.ndarray:
        """Of the springs at a time [s] (q,) [N/m], at most the firmest (q,) [N/m]."""
        strength = float(value_at(self.strength, time))
        if strength == 1.0:
            return np.minimum(self.stiffness, firmest)
        with np.errstate(invalid="ignore"):
            weights = np.where(np.isinf(self.stiffness), 1.0, self.stiffness / (self.stiffness + self.half_stiffness))
        held = strength * weights
        return np.minimum(self.half_stiffness * held / (1.0 - held), firmest)


@dataclass
class SimulatedObject(ContactSettings):
    """What all objects that move by themselves have in common."""

    name: str
    material: Material = field(kw_only=True)
    positions: np.ndarray  # of the vertices at the start frame, world space          (n, 3) [m]
    pinned: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32), kw_only=True)  # vertices (p,)
    pin_motion: Motion | None = field(default=None, kw_only=True)  # of the pinned    (p, 3) [m]
    soft_pins: SoftPins | None = field(default=None, kw_only=True)
    is_sag_free: bool = field(default=False, kw_only=True)  # at rest under gravity as it starts
    start_velocity: Vector3 = field(default=(0.0, 0.0, 0.0), kw_only=True)  # [m/s]

    def __post_init__(self):
        super().__post_init__()
        self.positions = np.ascontiguousarray(self.positions, dtype=np.float64)
        self.pinned = np.ascontiguousarray(self.pinned, dtype=np.int32)
        self.start_velocity = vector3(self.start_velocity)

    @property
    def held(self) -> np.ndarray:
        """Vertices (p,) that follow a motion as firmly as can be: pinned, or by firm springs that may let go."""
        if self.soft_pins is None:
            return self.pinned
        return np.union1d(self.pinned, self.soft_pins.vertices[np.isinf(self.soft_pins.stiffness)]).astype(np.int32)


@dataclass
class SurfaceObject(SimulatedObject):
    """A simulated object that is given by a triangle mesh."""

    triangles: np.ndarray  # vertices of each triangle                                (t, 3) int32

    def __post_init__(self):
        super().__post_init__()
        self.triangles = np.ascontiguousarray(self.triangles, dtype=np.int32)


class RestShape:
    """What objects with a rest shape of their own have in common."""

    positions: np.ndarray
    rest_positions: np.ndarray | None  # where the object is free of stress; None: at the start   (n, 3) [m]

    @property
    def rest_shape(self) -> np.ndarray:
        """The vertices where the object is free of stress (n, 3) [m]."""
        return self.positions if self.rest_positions is None else self.rest_positions


@dataclass
class Cloth(SurfaceObject, RestShape):
    """A thin sheet."""

    material: ClothMaterial = field(default_factory=ClothMaterial, kw_only=True)
    rest_positions: np.ndarray | None = field(default=None, kw_only=True)  # None: as it starts  (n, 3) [m]
    rest_corners: np.ndarray | None = field(default=None, kw_only=True)  # of the triangles, laid flat  (t, 3, 2) [m]
    pressure: float = field(default=0.0, kw_only=True)  # inside closed cloth, over that of the air  [Pa]
    is_sealed: bool = field(default=False, kw_only=True)  # the air inside stays the same, and is pressed together

    def __post_init__(self):
        super().__post_init__()
        self.rest_positions = _optional_array(self.rest_positions)
        self.rest_corners = _optional_array(self.rest_corners)


@dataclass
class SoftBody(SurfaceObject):
    """A solid that deforms, given by its closed surface."""

    material: SolidMaterial = field(default_factory=SolidMaterial, kw_only=True)
    filling: Filling | None = field(default=None, kw_only=True)  # its tetrahedra; None: made for its surface
    resolution: int | None = field(default=None, kw_only=True)  # cells along its longest side; None: by its surface
    frame_count: int = field(default=0, kw_only=True)  # frames that move it together; 0: tetrahedra that move freely


@dataclass
class RigidBody(SurfaceObject, SolidContactSettings):
    """A solid that keeps its shape, given by its closed surface."""

    material: RigidMaterial = field(default_factory=RigidMaterial, kw_only=True)


@dataclass
class Roots:
    """Where strands grow on a simulated object: their first segments move with its surface."""

    surface: str  # the name of the object
    triangles: np.ndarray  # vertices of the object around each strand's root         (s, 3) int32
    weights: np.ndarray  # of these vertices                                          (s, 3)

    def __post_init__(self):
        self.triangles = np.ascontiguousarray(self.triangles, dtype=np.int32)
        self.weights = np.ascontiguousarray(self.weights, dtype=np.float64)


@dataclass
class Hair(SimulatedObject, RestShape):
    """Strands, roots first; also ropes."""

    strand_offsets: np.ndarray  # first vertex of each strand, and the end            (s + 1,) int32
    material: HairMaterial = field(default_factory=HairMaterial, kw_only=True)
    rest_positions: np.ndarray | None = field(default=None, kw_only=True)  # None: as it starts  (n, 3) [m]
    radii: np.ndarray | None = field(default=None, kw_only=True)  # of the points; None: the material's  (n,) [m]
    root_directors: Motion | None = field(default=None, kw_only=True)  # where the root's section points  (s, 3)
    roots: Roots | None = field(default=None, kw_only=True)  # on another simulated object

    def __post_init__(self):
        super().__post_init__()
        self.strand_offsets = np.ascontiguousarray(self.strand_offsets, dtype=np.int32)
        self.rest_positions = _optional_array(self.rest_positions)
        self.radii = _optional_array(self.radii)


@dataclass
class Collider(SolidContactSettings):
    """A body whose motion is given, for others to collide with."""

    name: str
    positions: Motion  # an array, or a callable of the time [s]                      (n, 3) [m]
    triangles: np.ndarray  # vertices of each triangle                                (t, 3) int32

    def __post_init__(self):
        super().__post_init__()
        self.triangles = np.ascontiguousarray(self.triangles, dtype=np.int32)
        if not callable(self.positions):
            self.positions = np.ascontiguousarray(self.positions, dtype=np.float64)


SceneObject = SimulatedObject | Collider


@dataclass
class Scene:
    """All objects of a shot and the settings of its simulation."""

    gravity: VectorOverTime = (0.0, 0.0, -9.81)  # [m/s²]
    wind: VectorOverTime = (0.0, 0.0, 0.0)  # velocity of the air [m/s]
    turbulence: float = 0.0  # speed of gusts in it, root mean square [m/s]
    turbulence_size: float = 0.5  # of the largest gusts [m]
    turbulence_seed: int = 0  # another number, other gusts
    frames_per_second: float = 24.0
    steps_per_frame: int = 4
    linearizations: int | None = None  # of each step, by Newton's method; None: cloth alone once, all else twice
    start_frame: int = 1  # time is zero here
    relaxes_first: bool = False  # what something holds comes to rest before the start frame
    contact_method: str = NO_CONTACTS  # how collisions are solved, one of CONTACT_METHODS
    contact_iterations: int | None = None  # of the contact method, at most, in a solve; None: its own number
    contact_tolerance: float | None = None  # way in a step that contacts may be off; None: the method's own  [m]
    contact_sweeps: int | None = None  # over all contacts in each of them; None: the integrator's own number
    integrator: str = NEWTON  # how steps are solved, one of INTEGRATORS
    objects: dict[str, SceneObject] = field(default_factory=dict)
    attachments: list[Attachment] = field(default_factory=list)
    pair_friction: list[PairFriction] = field(default_factory=list)  # of two objects, whatever each has
    force_fields: list[ForceField] = field(default_factory=list)

    def __post_init__(self):
        self.gravity = vector_over_time(self.gravity)
        self.wind = vector_over_time(self.wind)

    def add(self, scene_object: SceneObject) -> SceneObject:
        """Put an object into the scene; names are unique."""
        if scene_object.name in self.objects:
            raise SceneRefused([Problem(scene_object.name, _twice(scene_object.name))])
        self.objects[scene_object.name] = scene_object
        return scene_object

    @property
    def is_truly_rigid(self) -> bool:
        """Whether the contact method has rigid bodies of six unknowns; else they are affine, of twelve."""
        return self.contact_method not in (NO_CONTACTS, ADMM)

    def time_of(self, frame_number: float) -> float:
        """The time [s] of a frame."""
        return (frame_number - self.start_frame) / self.frames_per_second

    @property
    def time_step(self) -> float:
        """The length [s] of a step."""
        return 1.0 / (self.frames_per_second * self.steps_per_frame)

    @property
    def simulated(self) -> list[SimulatedObject]:
        return [item for item in self.objects.values() if isinstance(item, SimulatedObject)]

    @property
    def colliders(self) -> list[Collider]:
        return [item for item in self.objects.values() if isinstance(item, Collider)]

    def save(self, path: str | Path, last_frame: int | None = None) -> None:
        """Write the scene into one file, for a bug report or a later run.

        Motions given by callables are sampled at every step up to `last_frame`.
        """
        from .scene_file import save_scene

        save_scene(self, path, last_frame)

    @staticmethod
    def load(path: str | Path) -> "Scene":
        """The scene that `save` wrote."""
        from .scene_file import load_scene

        return load_scene(path)


def _optional_array(values):
    return None if values is None else np.ascontiguousarray(values, dtype=np.float64)


def _twice(name):
    return f'"{name}" is in the scene twice. Give each object a name of its own.'
