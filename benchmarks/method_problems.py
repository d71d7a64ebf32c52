"""Friction problems of all kinds, for the table of methods: steps captured from scenes, and rigid bodies.

`python -m benchmarks.method_problems FOLDER` writes them as files, the same each time; `stiction solve FOLDER` solves
them. Where the format holds them, there is an FCLIB file beside each.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from stiction.solver import Simulation
from stiction.solver.contact import FrictionProblem, load_problem, save_fclib, save_problem
from stiction.solver.contact.local_form import local_form
from stiction.solver.contact.problem_file import ENDING, ProblemFileError

from .scenes.box_and_cone import box_and_cone
from .scenes.friction_problems import captured_steps, friction_problem, problem_by_method, settled_step
from .scenes.mixed_stack import mixed_stack
from .scenes.rigid_pile import box_tower, sphere_pile
from .scenes.rings import rings
from .scenes.solids import solid_simulation
from .scenes.tower import tower

FOLDER = Path(__file__).resolve().parents[1] / "out" / "problems"


class Kind(NamedTuple):
    make: Callable[[], FrictionProblem]
    what: str


def _hair():
    return friction_problem(settled_step(160))


def _cloth(stiffer: float = 1.0):
    scene = box_and_cone(400)
    cloth = scene.objects["cloth"]
    names = ("warp_stiffness", "weft_stiffness", "shear_stiffness")
    cloth.material = replace(cloth.material, **{name: stiffer * getattr(cloth.material, name) for name in names})
    return _captured(Simulation(scene), 12)


def _solid(youngs_modulus: float):
    return _captured(solid_simulation(rings(24, youngs_modulus)), 14)


def _captured(simulation, frame):
    return friction_problem(captured_steps(simulation, (frame,))[0])


def _tower():
    return problem_by_method(Simulation(tower(3)), 4)


def _by_contacts(problem):
    """The same without its bodies."""
    form = local_form(problem)
    return FrictionProblem.local(form.W, form.q, form.mu)


KINDS = {
    "hair": Kind(_hair, "160 strands that lie on a ball: stretching is 10⁸ times as stiff as bending"),
    "cloth": Kind(_cloth, "a cloth on a box and a cone"),
    "cloth-stiff": Kind(lambda: _cloth(100.0), "the same, a hundred times as stiff"),
    "solid": Kind(lambda: _solid(5e5), "24 soft rings in a heap"),
    "solid-stiff": Kind(lambda: _solid(5e8), "the same, a thousand times as stiff"),
    "mixed": Kind(lambda: _captured(Simulation(mixed_stack(2)), 10), "boxes, soft balls and cloths on each other"),
    "rigid": Kind(lambda: sphere_pile(4), "64 rigid spheres of equal mass"),
    "rigid-heavy": Kind(lambda: sphere_pile(4, heaviest=1000.0), "the same, up to a thousand times as heavy on top"),
    "tower": Kind(_tower, "21 rigid bricks in a round tower, by PROX: six unknowns each"),
    "redundant": Kind(lambda: box_tower(5, 5), "five rigid cubes on each other, with 25 contacts between any two"),
    "delassus": Kind(lambda: _by_contacts(sphere_pile(3)), "27 rigid spheres, given by W alone"),
    "spin": Kind(lambda: sphere_pile(3, spin=True), "27 rigid spheres with friction of spinning"),
}


def method_problems(folder: Path = FOLDER) -> dict[str, FrictionProblem]:
    """From the folder's files; those that are not there are made first."""
    folder.mkdir(parents=True, exist_ok=True)
    return {name: load_problem(_file(folder, name)) for name in KINDS}


def _file(folder, name):
    path = folder / f"{name}{ENDING}"
    if not path.exists():
        problem = KINDS[name].make()
        save_problem(problem, path)
        try:
            save_fclib(problem, path.with_suffix(".hdf5"))
        except ProblemFileError as error:
            print(f"{name}: no FCLIB file. {error}", file=sys.stderr)
    return path


if __name__ == "__main__":
    for name, problem in method_problems(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER).items():
        print(f"{name}: {problem.contact_count} contacts, {len(problem.f)} unknowns; {KINDS[name].what}")
