"""Candidates and the continuous check of a step, against ipctk (a C++ library) at the same inflation, in one run."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.proximity import touching
from stiction.solver.collision.step_check import StepCheck
from stiction.solver.collision.surface import NOTHING, CollisionSurface
from stiction.solver.collision.surface_parts import SurfacePart, join_parts

from .report import Row
from .timing import best_seconds

TITLE = "Collision: candidates and continuous check of a step"
CLOTH_SIDE = 165  # 27k vertices
STRANDS, SEGMENTS = (4096, 16_384, 65_536), 31
HAIR_RADIUS, CLOTH_RADIUS = 3.7e-5, 5e-4  # [m]
MARGIN = 1e-4  # [m]
BALL_RADIUS, HAIR_LENGTH = 0.09, 0.16  # [m]
BOUND = 1.0  # the peer's time
GROWTH_BOUND = 1.25  # time a primitive among many against one among few; caches hold the few
PROTOTYPE = 227.0  # the best throw-away prototype on two cores of an AMD EPYC, nearness of segments only [ms]
PROTOTYPE_DISTANCE, PROTOTYPE_BOUND = 1e-4, 1.5  # [m], times the prototype's time
MEMORY_BOUND = 3.0  # [GB]
ROUNDS = 5  # of ours and the peer's in turn: what disturbs one disturbs the other
NO_PEER = "ipctk is not installed"
# Trees are built once a frame and refitted from then on; the peer builds its tree each time. Its check returns the
# earliest time only and may leave out what comes later; ours returns all hits, and keeps a share of the distance.
MEASURED = (
    ("first_search", "candidates of the first step, trees built", BOUND),
    ("search", "candidates of a step, trees refitted", BOUND),
    ("check", "continuous check", BOUND),
)


class Step(NamedTuple):
    """A surface and where its points go [m]."""

    surface: CollisionSurface
    starts: np.ndarray
    ends: np.ndarray
    radius: float


def measure() -> list[Row]:
    rows = _rows(f"folded cloth of {CLOTH_SIDE**2 // 1000}k vertices", folded_cloth())
    for count in STRANDS:
        rows += _rows(f"{count // 1024}k strands × {SEGMENTS}", hairy_balls(count))
    return [*rows, _prototype_row(), _growth_row(), _memory_row()]


def folded_cloth() -> Step:
    """A square metre in eight layers 2 mm apart, joined by bends, that come nearer and shiver."""
    y, x = np.divmod(np.arange(CLOTH_SIDE**2), CLOTH_SIDE)
    x, y = x / (CLOTH_SIDE - 1), y / (CLOTH_SIDE - 1)
    rest = np.column_stack([x, y, 0 * x])
    layers = 8 * x
    zigzag = np.abs(layers - 2 * np.round(layers / 2)) / 8
    starts = np.column_stack([zigzag, y, 2e-3 * layers + 2e-4 * np.sin(9 * y)])
    corner = (np.arange(CLOTH_SIDE - 1)[:, None] * CLOTH_SIDE + np.arange(CLOTH_SIDE - 1)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + CLOTH_SIDE])
    upper = np.column_stack([corner + 1, corner + CLOTH_SIDE + 1, corner + CLOTH_SIDE])
    surface = join_parts([_part("cloth", rest, CLOTH_RADIUS, triangles=np.concatenate([lower, upper]))])
    moved = np.random.default_rng(0).normal(scale=3e-4, size=starts.shape)
    return Step(surface, starts, starts * [1.0, 1.0, 0.9] + moved, CLOTH_RADIUS)


def hairy_balls(count: int, ball_count: int = 1) -> Step:
    """Frizzy strands on the upper half of balls in a row, which all move aside by half a millimetre and shiver.

    Each strand is on another ball than the one before: grooms list their strands in any order.
    """
    random = np.random.default_rng(1)
    direction = random.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    direction[:, 2] = np.abs(direction[:, 2])
    along, phase = np.linspace(0.0, HAIR_LENGTH, SEGMENTS + 1), random.uniform(0, 2 * np.pi, (count, 1))
    frizz = np.stack([np.cos(80 * along + phase), np.sin(80 * along + phase), np.cos(60 * along + phase)], axis=-1)
    hair = direction[:, None] * (BALL_RADIUS + along)[:, None] + 0.002 * frizz
    hair[:, :, 2] -= 4 * along**2
    centers = 3 * (BALL_RADIUS + HAIR_LENGTH) * np.outer(np.arange(ball_count), [1.0, 0.0, 0.0])
    hair += centers[np.arange(count) % ball_count, None]
    first = ((SEGMENTS + 1) * np.arange(count)[:, None] + np.arange(SEGMENTS)).ravel()
    hair, ball_points, ball_triangles = hair.reshape(-1, 3), *_balls(0.98 * BALL_RADIUS - 0.004, centers)
    is_root = np.arange(len(hair)) % (SEGMENTS + 1) == 0
    ball = _part("ball", ball_points, HAIR_RADIUS, triangles=ball_triangles, is_given=np.ones(len(ball_points), bool))
    ball.nodes = ball.weights = None
    strands = _part("hair", hair, HAIR_RADIUS, segments=np.column_stack([first, first + 1]), is_given=is_root)
    strands.strands = np.repeat(np.arange(count, dtype=np.int32), SEGMENTS + 1)
    surface = join_parts([strands, ball])
    starts = np.concatenate([hair, ball_points])
    ends = starts + np.array([5e-4, 0.0, 0.0])
    ends[: len(hair)] += random.normal(scale=1e-4, size=hair.shape)
    return Step(surface, starts, ends, HAIR_RADIUS)


def _balls(radius, centers):
    points, triangles = _ball(radius)
    firsts = len(points) * np.arange(len(centers))
    return (centers[:, None] + points).reshape(-1, 3), (firsts[:, None, None] + triangles).reshape(-1, 3)


def _ball(radius, around=96, rows=48):
    u, v = np.meshgrid(np.arange(around) * 2 * np.pi / around, np.linspace(0.03, np.pi - 0.03, rows))
    points = radius * np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1).reshape(-1, 3)
    here = np.arange(rows - 1)[:, None] * around + np.arange(around)
    beside = np.arange(rows - 1)[:, None] * around + (np.arange(around) + 1) % around
    lower = np.stack([here, here + around, beside], axis=-1)
    upper = np.stack([beside, here + around, beside + around], axis=-1)
    return points, np.concatenate([lower.reshape(-1, 3), upper.reshape(-1, 3)])


def _part(name, rest, radius, triangles=(), segments=(), is_given=None):
    count = len(rest)
    return SurfacePart(
        name=name,
        rest=rest,
        radii=np.full(count, radius),
        friction=np.full(count, 0.2),
        triangles=np.array(triangles, np.int32).reshape(-1, 3),
        segments=np.array(segments, np.int32).reshape(-1, 2),
        strands=np.full(count, NOTHING),
        is_given=np.zeros(count, bool) if is_given is None else is_given,
        nodes=np.arange(count)[:, None],
        weights=np.ones((count, 1)),
    )


class _Ours:
    def __init__(self, step: Step):
        self.step, self.candidates = step, StepCandidates(step.surface)
        self.search()

    def search(self):
        self.candidates.search(self.step.starts, self.step.ends, MARGIN)

    def first_search(self):
        """As in the first step, or after the trees have lost their order: they are built before they are searched."""
        self.candidates.forget_trees()
        self.candidates.search(self.step.starts, self.step.ends, MARGIN)

    def check(self):
        StepCheck(self.step.surface, self.candidates, self.step.starts).first_contacts(self.step.ends)

    @property
    def pair_count(self):
        return len(self.candidates.edge_pairs) + len(self.candidates.point_triangle_pairs)


class _Peer:
    """ipctk's best broad phase and its faster continuous check, with arrays as it likes them best."""

    def __init__(self, step: Step):
        import ipctk

        ipctk.set_logger_level(ipctk.LoggerLevel.off)
        self.starts, self.ends = np.asfortranarray(step.starts), np.asfortranarray(step.ends)
        self.inflation, surface = step.radius + MARGIN, step.surface
        self.mesh = ipctk.CollisionMesh(step.starts, surface.edges, surface.triangles)
        self.candidates, self.broad_phase, self.ccd = ipctk.Candidates(), ipctk.LBVH(), ipctk.AdditiveCCD()
        self.search()

    def search(self):
        self.candidates.build(self.mesh, self.starts, self.ends, self.inflation, self.broad_phase)

    first_search = search  # it builds its tree each time

    def check(self):
        self.candidates.compute_collision_free_stepsize(self.mesh, self.starts, self.ends, 0.0, self.ccd)

    @property
    def pair_count(self):
        return len(self.candidates)


def _rows(name, step):
    ours = _Ours(step)
    peer = _Peer(step) if importlib.util.find_spec("ipctk") else None
    rows = []
    for what, title, bound in MEASURED:
        own, other = _in_turn(getattr(ours, what), peer and getattr(peer, what))
        shown = f"{1e3 * own:.0f} ms, {ours.pair_count:,} pairs"
        label = f"{name}: {title}"
        if peer is None:
            rows.append(Row(label, shown, NO_PEER, float("nan")))
        else:
            rows.append(Row(label, shown, f"ipctk {1e3 * other:.0f} ms, {peer.pair_count:,} pairs", own / other, bound))
    return rows


def _in_turn(ours, theirs):
    seconds = [(best_seconds(ours, 1), best_seconds(theirs, 1) if theirs else 0.0) for _ in range(ROUNDS)]
    return (min(times) for times in zip(*seconds))


def _prototype_row():
    """All contacts nearer than a distance in a state at rest, with trees refitted."""
    step = hairy_balls(STRANDS[1])
    candidates, reach = StepCandidates(step.surface), PROTOTYPE_DISTANCE - 2 * HAIR_RADIUS

    def find():
        candidates.search(step.starts, step.starts, 0.5 * reach)
        return touching(step.surface, candidates, step.starts, reach)

    find()
    seconds = min(best_seconds(find, 1) for _ in range(ROUNDS))
    what = f"{STRANDS[1] // 1024}k strands × {SEGMENTS}: contacts nearer than {1e3 * PROTOTYPE_DISTANCE:g} mm"
    return Row(what, f"{1e3 * seconds:.0f} ms", f"{PROTOTYPE:g} ms", seconds / (1e-3 * PROTOTYPE), PROTOTYPE_BOUND)


def _growth_row():
    """One ball, and many such: each strand has as many neighbours."""
    few, many = STRANDS[0], STRANDS[-1]
    ours = [_Ours(hairy_balls(count, count // few)) for count in (few, many)]
    times = np.full((2, 2), np.inf)
    for _ in range(ROUNDS):
        for row, own in zip(times, ours):
            row[:] = np.minimum(row, [best_seconds(own.search, 1), best_seconds(own.check, 1)])
    first, second = times.sum(axis=1) / [few * SEGMENTS, many * SEGMENTS]
    what = f"search and check, a segment among {many // 1024}k strands against one among {few // 1024}k"
    return Row(what, f"{1e9 * second:.0f} ns", f"{1e9 * first:.0f} ns", second / first, GROWTH_BOUND)


def peak_kilobytes() -> int:
    """The most memory that this process has held.

    Linux lets getrusage() of a new process begin with the peak of the one that started it, which here has held the
    peer's candidates too; its own status file does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0])
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)


def _memory_row():
    code = """
from benchmarks.collision_search import STRANDS, _Ours, hairy_balls, peak_kilobytes
_Ours(hairy_balls(STRANDS[-1])).check()
print("peak", peak_kilobytes())
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    gigabytes = int(printed.partition("peak ")[2].split()[0]) / 2**20
    what = f"peak memory of candidates and check, {STRANDS[-1] // 1024}k strands × {SEGMENTS}"
    return Row(what, f"{gigabytes:.2f} GB", f"{MEMORY_BOUND:g} GB", gigabytes / MEMORY_BOUND, 1.0)
