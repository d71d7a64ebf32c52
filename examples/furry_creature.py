"""A furry creature that hops: soft as flesh, with fur that grows on the simulated skin."""

import bpy
import numpy as np

from .grooms import add_children, groom
from .looks import hair, plain
from .meshes import add_group, closed_rings, mark, rings
from .shot import Shot
from .studio import View, set_studio

LAST_FRAME = 36
RADIUS, HEIGHT = 0.13, 0.30  # [m]
BASE = 0.05  # so high the creature is held by its keys [m]
FUR, POINTS = 0.055, 7  # length of the fur [m], points of a strand
EYES = ((-0.42, -1.0, 0.35), (0.42, -1.0, 0.35))  # directions from its middle
HOPS = ((4, 11), (17, 25))  # frames in which it leaves the floor and comes back
VIEW = View((0.35, -1.5, 0.34), (0.0, 0.0, 0.22), size=0.6, lens=60.0, backdrop=(0.60, 0.45, 0.30))


def build(detail: float) -> None:
    body = make_body(12 if detail < 0.5 else 22)
    make_eyes(body)
    strands = fur(body, round(700 * detail))
    furred = groom("Fur", strands, body, width=5e-4, tip=0.1)
    furred.data.materials.append(hair("Fox", 0.28, 0.95, roughness=0.4))
    mark("SOFT", body)
    bpy.ops.stiction.apply_preset(preset="flesh")
    mark("HAIR", furred)
    bpy.ops.stiction.apply_preset(preset="fur")
    body.stiction.pin_group = "Base"
    body.stiction.youngs_modulus, body.stiction.resolution = 2e4, 9
    furred.stiction.self_collision = True
    bpy.context.scene.stiction.steps_per_frame = 5
    bpy.context.scene.stiction.motion_samples = 2
    key_hops(body)
    add_children(furred, 22, 0.012)
    set_studio(VIEW)


def make_body(ring_count: int) -> bpy.types.Object:
    """A pear that stands on a flat foot, pinned by a vertex group at its base."""
    polar = np.linspace(0.08, 2.62, ring_count)
    heights = 0.5 * HEIGHT * (np.cos(polar) - np.cos(polar[-1])) / (1.0 - np.cos(2.62)) * 2.0
    widths = RADIUS * np.sin(polar) * (1.0 + 0.18 * (1.0 - heights / HEIGHT))
    body = closed_rings("Creature", rings(widths, widths, heights, 2 * ring_count), 2 * ring_count)
    heights = np.array([vertex.co.z for vertex in body.data.vertices])
    add_group(body, "Base", (heights < BASE).astype(float))
    body.data.materials.append(plain("Skin", (0.32, 0.12, 0.05), 0.7))
    return body


def make_eyes(body) -> list[bpy.types.Object]:
    """Balls that are parented to three vertices each, and so go with the skin."""
    white, black = plain("Eye", (0.85, 0.83, 0.78), 0.12), plain("Pupil", (0.005, 0.005, 0.006), 0.05)
    eyes = []
    for direction in EYES:
        way = np.array(direction) / np.linalg.norm(direction)
        place = np.array([0.0, 0.0, 0.5 * HEIGHT]) + way * [RADIUS, RADIUS, 0.5 * HEIGHT] * 1.02
        for radius, forward, look in ((0.030, 0.0, white), (0.0165, 0.0175, black)):
            shift = np.array([0.0, -1.0, 0.02]) * forward
            bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=radius, location=place + shift)
            bpy.ops.object.shade_smooth()
            eye = bpy.context.object
            eye.data.materials.append(look)
            _parent_to_skin(eye, body)
            eyes.append(eye)
    return eyes


def _parent_to_skin(eye, body):
    bpy.ops.object.select_all(action="DESELECT")
    eye.select_set(True)
    body.select_set(True)
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.parent_set(type="VERTEX_TRI")


def fur(body, count: int) -> np.ndarray:
    """Strands (count, POINTS, 3) [m] over the skin, combed down, with room left for the eyes and the foot."""
    faces = [face for face in body.data.polygons if face.center.z > 0.6 * BASE]
    random = np.random.default_rng(5)
    areas = np.array([face.area for face in faces])
    drawn = random.choice(len(faces), 3 * count, p=areas / areas.sum())
    corners = np.array([[body.data.vertices[index].co for index in faces[number].vertices][:3] for number in drawn])
    weights = random.dirichlet((1.0, 1.0, 1.0), 3 * count)
    feet = np.einsum("sk,skd->sd", weights, corners)
    normals = np.array([faces[number].normal for number in drawn])
    feet, normals = (part[_is_clear(feet)][:count] for part in (feet, normals))
    along = np.linspace(0.0, 1.0, POINTS)[None, :, None]
    outward = normals[:, None] + 0.9 * along * [0.0, 0.0, -1.0] + random.normal(0.0, 0.06, (len(feet), 1, 3))
    outward /= np.linalg.norm(outward, axis=2, keepdims=True)
    lengths = FUR * random.uniform(0.75, 1.0, (len(feet), 1, 1)) / (POINTS - 1)
    steps = np.cumsum(lengths * outward[:, 1:], axis=1)
    start = feet[:, None] + 2e-4 * normals[:, None]
    return np.concatenate([start, start + steps], axis=1)


def _is_clear(feet):
    middle = feet - [0.0, 0.0, 0.5 * HEIGHT]
    way = middle / np.linalg.norm(middle, axis=1)[:, None]
    eyes = np.array(EYES) / np.linalg.norm(EYES, axis=1)[:, None]
    return (way @ eyes.T < np.cos(0.30)).all(axis=1)


def key_hops(body) -> None:
    """Free flights, with a key on every frame: a landing has no ease."""
    for frame in range(1, LAST_FRAME + 1):
        flights = [(frame - start) * (end - frame) for start, end in HOPS if start < frame < end]
        body.location.z = 0.5 * 9.81 * sum(flights) / bpy.context.scene.render.fps**2
        body.keyframe_insert("location", index=2, frame=frame)


SHOT = Shot(build, LAST_FRAME, pictures=(21, 26))
