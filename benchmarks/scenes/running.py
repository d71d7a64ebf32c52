"""Running a scene from the command line: a line a frame, then the time by stage and the paper's row beside ours."""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import numba
import numpy as np

from stiction.solver import Scene, Simulation
from stiction.solver.collision.frame_check import intersection_counter
from stiction.solver.frame import Frame
from stiction.solver.jit_cache import compile_kernels
from stiction.solver.kernel_imports import import_kernels
from stiction.solver.report import FrameReport
from stiction.solver.scene import CONTACT_METHODS, Hair
from stiction.solver.stage_timer import timings_tree

from .view import View

SOLVER_STAGES = (
    *("linear_solve", "projection"),  # of ADMM, without the search for contacts
    *("mixed_system", "ica", "prox", "regions"),  # of the other methods
)
__all__ = ["Shot", "TableRow", "View", "main"]


class TableRow(NamedTuple):
    """Means over the frames, with the largest in brackets."""

    scene: str
    hairs: str = ""
    nodes: str = ""
    contacts: str = ""
    frame: str = ""  # time of one
    solver: str = ""  # of this, in the contact method
    iterations: str = ""  # of the contact method, a frame
    passes: str = ""  # of refinement, a step
    held_back: str = ""  # nodes, in all
    forced: str = ""  # pairs that the animation drives through each other, in all
    residual: str = ""  # [mm]
    intersections: str = ""  # in all frames
    cores: str = ""
    memory: str = ""


class Runnable(Protocol):
    def frames(self, first: int, last: int) -> Iterator[Frame]: ...


class Shot(NamedTuple):
    """A scene of the paper, at any size."""

    build: Callable[[int], Scene]
    size: str  # what the number is that `build` takes
    paper: TableRow
    view: View
    simulate: Callable[[Scene], Runnable] = Simulation


class MeasuredFrame(NamedTuple):
    report: FrameReport
    seconds: float
    intersections: int
    frame: Frame | None = None  # where a run keeps them


def compile_all(scene: Scene) -> None:
    """The kernels that a scene needs, before a clock starts."""
    import_kernels(scene)
    for _ in compile_kernels():
        pass


def run(shot: Shot, scene: Scene, frame_count: int) -> Iterator[MeasuredFrame]:
    """The frames of a shot."""
    compile_all(scene)
    count_intersections = intersection_counter(scene)
    frames = shot.simulate(scene).frames(1, frame_count)
    start = time.perf_counter()
    for frame in frames:
        seconds = time.perf_counter() - start
        yield MeasuredFrame(frame.report, seconds, count_intersections(frame), frame)
        start = time.perf_counter()


def main(shot: Shot) -> None:
    arguments = _parser(shot).parse_args()
    scene = shot.build(arguments.size)
    scene.contact_method = arguments.method or scene.contact_method
    measured = []
    for entry in run(shot, scene, arguments.frames):
        print(frame_line(entry), flush=True)
        measured.append(entry)
    print(timings_tree(_sum_timings(measured)))
    print_table(shot.paper, summary(f"ours, {arguments.size} {shot.size}", scene, measured))
    if arguments.picture:
        from .view import draw

        draw(scene, measured[-1].frame, shot.view, arguments.picture)


def _parser(shot):
    parser = argparse.ArgumentParser(prog=f"python -m {sys.modules['__main__'].__spec__.name}")
    parser.add_argument("size", type=int, help=shot.size)
    parser.add_argument("frames", type=int)
    parser.add_argument("--method", choices=CONTACT_METHODS[1:], help="of contacts; else the scene's own")
    parser.add_argument("--picture", metavar="FILE", help="render the last frame into a PNG, with Blender's Cycles")
    return parser


def frame_line(entry: MeasuredFrame) -> str:
    report = entry.report
    forced = f", {report.forced} forced" if report.forced else ""
    return (
        f"frame {report.frame_number}: {entry.seconds:.1f} s, {report.contacts} contacts, "
        f"{report.contact_iterations} iterations, {report.refinement_passes} passes, {report.halvings} halvings, "
        f"{report.held_back} nodes held back{forced}, residual {1e3 * report.contact_residual:.3f} mm, "
        f"{entry.intersections} intersections"
    )


def summary(name: str, scene: Scene, measured: list[MeasuredFrame]) -> TableRow:
    """Our row of the table; the first frame is the start and takes no time."""
    moved = measured[1:] or measured
    reports = [entry.report for entry in moved]
    solver = [_solver_seconds(report.timings) for report in reports]
    steps = sum(report.steps for report in reports) or 1
    return TableRow(
        name,
        hairs=_thousands(sum(len(item.strand_offsets) - 1 for item in scene.simulated if isinstance(item, Hair))),
        nodes=_thousands(sum(map(_node_count, scene.simulated))),
        contacts=_mean_and_largest([report.contacts for report in reports], ".0f"),
        frame=_mean_and_largest([entry.seconds for entry in moved], ".2f", " s"),
        solver=_mean_and_largest(solver, ".2f", " s"),
        iterations=_mean_and_largest([report.contact_iterations for report in reports], ".0f"),
        passes=f"{sum(report.refinement_passes for report in reports) / steps:.2f}",
        held_back=str(sum(report.held_back for report in reports)),
        forced=str(sum(report.forced for report in reports)),
        residual=_mean_and_largest([1e3 * report.contact_residual for report in reports], ".3f"),
        intersections=str(sum(entry.intersections for entry in measured)),
        cores=str(numba.get_num_threads()),
        memory=f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB",
    )


def print_table(*rows: TableRow) -> None:
    columns = [field.replace("_", " ") for field in TableRow._fields]
    print(f"\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def _sum_timings(measured):
    timings = {}
    for entry in measured:
        for stage, spent in entry.report.timings.items():
            timings[stage] = timings.get(stage, 0.0) + spent
    return timings


def _solver_seconds(timings):
    return sum(spent for stage, spent in timings.items() if stage.rsplit(".", 1)[-1] in SOLVER_STAGES)


def _mean_and_largest(values, form, unit=""):
    return f"{np.mean(values):{form}}{unit} ({max(values):{form}})"


def _node_count(item):
    """With those inside that a soft body brings along."""
    filling = getattr(item, "filling", None)
    return len(item.positions) + (0 if filling is None else len(filling.inner_points))


def _thousands(count):
    return f"{count:,}"
