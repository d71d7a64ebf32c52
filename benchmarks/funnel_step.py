"""A step of the funnel with a hundred thousand contacts: memory and time [Erleben 2017, table 1: 2,002 objects].

As in the paper, it is the meshes that make so many contacts of a thousand props: they fall as they are, and when they
fill the funnel their faces are cut into smaller ones of the same shape. `python -m benchmarks.funnel_step` prints the
table; the fall takes ten minutes, is stored in out/bench, and can be stopped and go on.
"""

import resource
import sys
import time
from dataclasses import replace

from stiction.solver import RigidBody, Scene, Simulation

from .report import Row, print_table
from .scenes.funnel import funnel
from .scenes.rigid_meshes import divided
from .scenes.running import compile_all, frame_line
from .scenes.stored_run import FOLDER, StoredRun

TITLE = "Contact: a step of the funnel by PROX"
PROPS = 1000
FRAMES = 32  # after which most props lie on each other
SETTLING = 100  # iterations of PROX on the way there
LONGEST = 4.6e-3  # edge of the smaller faces of props [m]: two million vertices, the paper has 1.6 million
LONGEST_OF_FUNNEL = 0.02  # [m]
CONTACTS = 100_000  # asked
GIGABYTES = 16.0  # allowed


def measure() -> list[Row]:
    return _rows(divided_scene(_fallen()))


def _fallen():
    """Positions of all props (n, 3) [m] by name, after the fall."""
    stored = StoredRun(FOLDER / "funnel-step", funnel(PROPS, contact_iterations=SETTLING))
    for entry in stored.frames(FRAMES):
        print(frame_line(entry), file=sys.stderr, flush=True)
    return stored.simulation.current_frame(0).positions


def divided_scene(positions: dict) -> Scene:
    """The funnel with props where they are, at rest, and smaller faces of these and of the funnel itself."""
    scene = funnel(PROPS)
    for name, item in scene.objects.items():
        if isinstance(item, RigidBody) or name == "funnel":
            longest = LONGEST_OF_FUNNEL if name == "funnel" else LONGEST
            points, triangles = divided((positions.get(name, item.positions), item.triangles), longest)
            scene.objects[name] = replace(item, positions=points, triangles=triangles)
    return scene


def _rows(scene):
    compile_all(scene)
    simulation = Simulation(scene)
    start = time.perf_counter()
    simulation.integrator.start_frame()
    simulation.advance()
    seconds, gigabytes = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    report = simulation.current_frame(1).report
    vertices = sum(len(item.positions) for item in scene.simulated)
    what = f"a step of {PROPS:,} props with {vertices:,} vertices"
    searching, solving = (report.timings[f"dynamics.{stage}"] for stage in ("detection", "prox"))
    spent = f"{searching:.1f} s in search and checks, {solving:.1f} s in {report.contact_iterations} iterations"
    return [
        Row(
            f"{what}: contacts", f"{report.contacts:,}", f"{CONTACTS:,} asked", CONTACTS / max(report.contacts, 1), 1.0
        ),
        Row(f"{what}: most memory", f"{gigabytes:.1f} GB", f"{GIGABYTES:.0f} GB allowed", gigabytes / GIGABYTES, 1.0),
        Row(f"{what}: time", f"{seconds:.1f} s", spent, float("nan")),
        Row(f"{what}: a contact off the law", f"{1e3 * report.contact_residual:.3f} mm", "", float("nan")),
    ]


if __name__ == "__main__":
    print_table(TITLE, measure())
