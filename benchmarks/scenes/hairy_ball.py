"""A ball with hair on its upper half, turned about its three axes in turn [Daviet 2020, section 7.2 and table 2].

`python -m benchmarks.scenes.hairy_ball STRANDS FRAMES` runs it and prints seconds a frame, by stage.
"""

import sys
import time

import numpy as np

from stiction.solver import Collider, Hair, HairMaterial, Scene, Simulation
from stiction.solver.stage_timer import timings_tree

RADIUS = 0.09  # of the ball [m]
LENGTH = 0.25  # of the hair [m]; not told in the paper
POINTS = 32  # of a strand, of which the first two are held
FRIZZ = 2e-3  # radius of the waves [m]
WAVE = 0.03  # their length [m]
REST = 1.0  # before the first turn [s]
TURN = 1.0  # about each axis [s]
MATERIAL = HairMaterial(
    radius=3.7e-5, density=1300.0, bending_modulus=4e9, stretching_modulus=1e8, poisson_ratio=0.48, damping=1e-3
)
FRICTION = 0.2


def hairy_ball(strand_count: int, seed: int = 0) -> Scene:
    scene = Scene(steps_per_frame=4, contact_method="admm")
    points = _strands(strand_count, seed)
    held = (np.arange(strand_count)[:, None] * POINTS + [0, 1]).ravel()
    roots = points[held]
    offsets = np.arange(strand_count + 1) * POINTS
    settings = {"pinned": held, "pin_motion": lambda time: roots @ rotation(time).T, "friction": FRICTION}
    scene.add(Hair("hair", points, offsets, material=MATERIAL, **settings))
    ball, triangles = _ball()
    scene.add(Collider("ball", lambda time: ball @ rotation(time).T, triangles, friction=FRICTION, thickness=1e-4))
    return scene


def rotation(time: float) -> np.ndarray:
    """Half a turn about z, x and y, one after the other, each begun and ended at rest."""
    matrix = np.eye(3)
    for number, axis in enumerate((2, 0, 1)):
        part = np.clip((time - REST) / TURN - number, 0.0, 1.0)
        angle = np.pi * (part - np.sin(2.0 * np.pi * part) / (2.0 * np.pi))
        matrix = _turn(axis, angle) @ matrix
    return matrix


def _turn(axis, angle):
    turn, second, third = np.eye(3), (axis + 1) % 3, (axis + 2) % 3
    turn[second, second] = turn[third, third] = np.cos(angle)
    turn[third, second], turn[second, third] = np.sin(angle), -np.sin(angle)
    return turn


def _strands(count, seed):
    """Points (n, 3) of waves that stand up from a hemisphere."""
    random = np.random.default_rng(seed)
    outward = _hemisphere(count)
    first = np.cross(outward, [0.36, 0.48, 0.8])
    first /= np.linalg.norm(first, axis=1)[:, None]
    second = np.cross(outward, first)
    along = np.linspace(0.0, LENGTH, POINTS)
    phase = random.uniform(0.0, 2.0 * np.pi, (count, 1))
    angle = 2.0 * np.pi / WAVE * random.uniform(0.8, 1.2, (count, 1)) * along + phase
    width = FRIZZ * random.uniform(0.5, 1.5, (count, 1)) * np.clip(along / 0.02, 0.0, 1.0)
    points = outward[:, None] * (RADIUS + 2e-4 + along)[:, None]
    points = points + (width * np.cos(angle))[..., None] * first[:, None]
    points = points + (width * np.sin(angle))[..., None] * second[:, None]
    return points.reshape(-1, 3)


def _hemisphere(count):
    """Evenly spread directions (n, 3) with z > 0."""
    number = np.arange(count) + 0.5
    z, turn = 1.0 - number / count, number * np.pi * (3.0 - np.sqrt(5.0))
    return np.column_stack([np.sqrt(1.0 - z**2) * np.cos(turn), np.sqrt(1.0 - z**2) * np.sin(turn), z])


def _ball(rings=24):
    """A sphere of triangles."""
    polar = np.linspace(0.0, np.pi, rings + 1)[1:-1]
    around = np.linspace(0.0, 2.0 * np.pi, 2 * rings, endpoint=False)
    band = [[np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)] for t in polar for p in around]
    points = RADIUS * np.array([[0.0, 0.0, 1.0], *band, [0.0, 0.0, -1.0]])
    count, last = 2 * rings, len(points) - 1
    j = np.arange(count)
    after = (j + 1) % count
    triangles = [np.column_stack([0 * j, 1 + j, 1 + after])]
    for ring in range(rings - 2):
        upper, lower = 1 + ring * count, 1 + (ring + 1) * count
        triangles.append(np.column_stack([upper + j, lower + j, upper + after]))
        triangles.append(np.column_stack([upper + after, lower + j, lower + after]))
    lowest = 1 + (rings - 2) * count
    triangles.append(np.column_stack([0 * j + last, lowest + after, lowest + j]))
    return points, np.concatenate(triangles).astype(np.int32)


def main():
    strand_count, frame_count = int(sys.argv[1]), int(sys.argv[2])
    simulation = Simulation(hairy_ball(strand_count))
    start, timings = time.perf_counter(), {}
    for frame in simulation.frames(1, frame_count):
        report = frame.report
        seconds, start = time.perf_counter() - start, time.perf_counter()
        for stage, spent in report.timings.items():
            timings[stage] = timings.get(stage, 0.0) + spent
        print(
            f"frame {frame.number}: {seconds:.1f} s, {report.contacts} contacts, {report.refinement_passes} passes, "
            f"{report.held_back} nodes held back, residual {1e3 * report.contact_residual:.3f} mm",
            flush=True,
        )
    print(timings_tree(timings))


if __name__ == "__main__":
    main()
