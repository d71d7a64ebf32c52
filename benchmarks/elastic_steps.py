"""A Newton iteration of a head of hair, a shirt and a solid: assembly, factorisation, solution."""

import subprocess
import sys

import numpy as np

from stiction.solver import Cloth, Hair, Scene, Simulation, SolidMaterial
from stiction.solver.bodies.solid import tetrahedral_law
from stiction.solver.integrator.body_system import BodySystem
from stiction.solver.integrator.step_start import inertia_of
from stiction.solver.model import DampedLaw
from stiction.solver.volume.mesh import VolumeMesh, lumped_masses, tetrahedron_volumes

from .report import Row
from .timing import best_seconds

TITLE = "A Newton iteration of elastic bodies"
# Assembly, factorisation and solution [ms] by the best throw-away prototypes on two cores of an AMD EPYC (39 GB/s).
# Assembly was estimated for strands only, at 2 s for eight in a frame.
STRAND_PROTOTYPE = (250.0, 19.0, 14.0)
SHIRT_PROTOTYPE = (None, 380.0, 32.0)
SOLID_PROTOTYPE = (None, 1714.0, 39.0)
BOUND = 1.5
PARTS = ("assembly", "factorisation", "solution")
STRANDS, POINTS = 16_384, 32
SHIRT_SIDE = 165  # 27k vertices
# Cells of six tetrahedra. The larger one has no prototype: nested dissection lets factorisation grow with the square
# of the nodes, and solution with their power 4/3.
SOLIDS = (
    ("solid of 50k unknowns", (25, 25, 24), SOLID_PROTOTYPE),
    ("solid of 151k tetrahedra", (29, 29, 30), (None, 1714.0 * (27.9 / 16.9) ** 2, 39.0 * (27.9 / 16.9) ** (4 / 3))),
)
TETRAHEDRA_OF_CUBE = [(0, 1, 3, 7), (0, 1, 5, 7), (0, 2, 3, 7), (0, 2, 6, 7), (0, 4, 5, 7), (0, 4, 6, 7)]
FEW, MANY = 1_024, 65_536
GROWTH_BOUND = 1.5  # time a strand among many against one among few
MEMORY_BOUND = 8.0  # [GB]


def measure() -> list[Row]:
    rows = _iteration_rows(f"{STRANDS // 1024}k strands × {POINTS}", _Iteration(groom(STRANDS)), STRAND_PROTOTYPE)
    rows += _iteration_rows(
        f"shirt of {SHIRT_SIDE**2 // 1000}k vertices", _Iteration(shirt(SHIRT_SIDE)), SHIRT_PROTOTYPE
    )
    for name, sides, prototype in SOLIDS:
        rows += _iteration_rows(name, _SolidIteration(sides), prototype)
    return [*rows, _growth_row(), _memory_row()]


def groom(strand_count: int) -> Scene:
    """Wavy strands of 16 cm, with human hair's stiffness."""
    scene = Scene()
    along = np.linspace(0.0, 0.16, POINTS)
    strand = np.column_stack([0.005 * np.cos(80 * along), 0.005 * np.sin(80 * along), -along])
    roots = np.random.default_rng(0).uniform(-0.1, 0.1, (strand_count, 1, 3))
    offsets = np.arange(strand_count + 1) * POINTS
    pinned = (offsets[:-1, None] + [0, 1]).ravel()
    scene.add(Hair("groom", (roots + strand).reshape(-1, 3), offsets, pinned=pinned))
    return scene


def shirt(side: int) -> Scene:
    """A square metre of cloth, held at one edge."""
    scene = Scene()
    y, x = np.divmod(np.arange(side * side), side)
    positions = np.column_stack([x, y, 0 * x]) / (side - 1.0)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + side])
    upper = np.column_stack([corner + 1, corner + side + 1, corner + side])
    scene.add(Cloth("shirt", positions, np.concatenate([lower, upper]), pinned=np.arange(side)))
    return scene


class _Iteration:
    """The linear system of one Newton iteration of a scene."""

    def __init__(self, scene: Scene):
        self.simulation = Simulation(scene)
        self.simulation.advance()
        integrator, self.state = self.simulation.integrator, self.simulation.state
        self.system, self.time_step = integrator.system, scene.time_step
        self.gradient, self.change = integrator.gradient, integrator.change
        start = self.state.positions.copy()
        self.inertia = inertia_of(integrator.model, self.state, self.time_step, self.time_step)
        self.system.start_step(self.state, start, self.time_step, self.time_step)

    def assemble(self):
        forget_derivatives(self.system.bodies)
        self.system.linearize(self.state, self.inertia, self.time_step, self.gradient)

    def factorize(self):
        self.assemble()  # factors of strands take the place of their matrix
        self.system.factorize()

    def solve(self):
        self.system.solve(self.gradient, self.change)

    def seconds(self):
        assembly = best_seconds(self.assemble)
        factorisation = best_seconds(self.factorize) - assembly
        return assembly, factorisation, best_seconds(self.solve)


def _iteration_rows(name, iteration, prototype):
    return [
        _row(f"{name}: {part}", 1e3 * seconds, theirs)
        for part, seconds, theirs in zip(PARTS, iteration.seconds(), prototype, strict=True)
    ]


def _row(what, ours, theirs):
    if theirs is None:
        return Row(what, f"{ours:.1f} ms", "", float("nan"))
    return Row(what, f"{ours:.1f} ms", f"prototype {theirs:.0f} ms", ours / theirs, BOUND)


class _SolidIteration(_Iteration):
    """The same for a box of tetrahedra, held on one side: no surface to be filled."""

    def __init__(self, sides):
        mesh, material = box_mesh(sides), SolidMaterial()
        masses = lumped_masses(mesh, material.density)
        laws = [DampedLaw(tetrahedral_law(mesh, material), material.damping)]
        self.bodies = BodySystem(laws, mesh.nodes, mesh.nodes[:, 0] > 0.0)
        self.positions, self.velocities = 1.01 * mesh.nodes, np.zeros_like(mesh.nodes)
        self.inertia = masses, -0.1 * masses[:, None] * np.ones(3)
        self.gradient, self.change = np.zeros_like(mesh.nodes), np.zeros_like(mesh.nodes)
        self.bodies.start_step(self.positions)

    def assemble(self):
        forget_derivatives(self.bodies)
        self.bodies.linearize(self.positions, self.velocities, self.inertia, 0.01, self.gradient)

    def factorize(self):
        self.assemble()
        self.bodies.factorize()

    def solve(self):
        self.bodies.solve(self.gradient, self.change)


def forget_derivatives(bodies: BodySystem | None):
    """As in a second iteration, which is elsewhere than the first."""
    for storage in bodies.laws if bodies else ():
        storage.start_step()


def box_mesh(sides) -> VolumeMesh:
    """A block of cubes of 1 cm, six tetrahedra each."""
    counts = np.array(sides) + 1
    node = np.arange(counts.prod()).reshape(counts)
    cut = [slice(None, -1), slice(1, None)]
    corners = np.stack([node[cut[i & 1], cut[i >> 1 & 1], cut[i >> 2]].ravel() for i in range(8)], axis=1)
    tetrahedra = corners[:, TETRAHEDRA_OF_CUBE].reshape(-1, 4)
    nodes = 0.01 * np.stack(np.unravel_index(node.ravel(), counts), axis=-1)
    is_inverted = tetrahedron_volumes(nodes, tetrahedra) < 0.0
    tetrahedra[is_inverted] = tetrahedra[is_inverted][:, [1, 0, 2, 3]]
    return VolumeMesh(nodes, tetrahedra.astype(np.int32), np.ones(len(tetrahedra)))


def _growth_row():
    few, many = (_seconds_a_strand(count) for count in (FEW, MANY))
    what = f"a time step, a strand among {MANY // 1024}k against one among {FEW // 1024}k"
    return Row(what, f"{1e6 * many:.1f} µs", f"{1e6 * few:.1f} µs", many / few, GROWTH_BOUND)


def _seconds_a_strand(count):
    simulation = Simulation(groom(count))
    simulation.advance()
    return best_seconds(simulation.advance, 3) / count


def _memory_row():
    code = """
import resource
from benchmarks.elastic_steps import MANY, groom
from stiction.solver import Simulation
simulation = Simulation(groom(MANY))
simulation.advance()
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    gigabytes = int(printed.partition("peak ")[2].split()[0]) / 2**20
    what = f"peak memory of {MANY // 1024}k strands × {POINTS}"
    return Row(what, f"{gigabytes:.2f} GB", f"{MEMORY_BOUND:g} GB", gigabytes / MEMORY_BOUND, 1.0)
