"""How many passes of refinement the steps of scenes take until nothing crosses [Otaduy et al. 2009, section 6].

The paper: three or fewer in more than 90 % of the steps. `python -m benchmarks.refinement_passes` prints the histogram.
"""

from collections import Counter

from stiction.solver import Scene, Simulation
from stiction.solver.integrator.constraint_refinement import RefinementSettings

from .report import Row, print_table
from .scenes.folded_cloth import folded_cloth
from .scenes.hairy_ball import hairy_ball
from .scenes.letters import letters
from .scenes.mixed_stack import mixed_stack
from .scenes.turning_skirt import turning_skirt

TITLE = "Contact: passes of refinement a step"
FEW, PAPER = 3, 0.9
SCENES = {  # with the frames that are simulated
    "folded cloth of 225 vertices": (lambda: folded_cloth(225), 12),
    "mixed stack of two layers": (lambda: mixed_stack(2), 10),
    "24 letters, steps of 30 ms": (lambda: letters(24), 30),
    "turning skirt of 600 vertices": (lambda: turning_skirt(600), 6),
    "hairy ball of 40 strands": (lambda: hairy_ball(40), 10),
}


def measure() -> list[Row]:
    return [_row(name, passes_of(build(), frames)) for name, (build, frames) in SCENES.items()]


def passes_of(scene: Scene, frame_count: int) -> Counter:
    """How many steps took how many passes, those of the parts of a halved step together."""
    simulation, passes = Simulation(scene), Counter()
    for _ in range(frame_count * scene.steps_per_frame):
        if simulation.state.step % scene.steps_per_frame == 0:
            simulation.integrator.start_frame()
        simulation.advance()
        passes[simulation.integrator.report.passes] += 1
    return passes


def _row(name, passes):
    steps = passes.total()
    share = sum(count for number, count in passes.items() if number <= FEW) / steps
    most = RefinementSettings().passes
    told = ", ".join(f"{number}: {passes[number]}" for number in range(1, most + 1) if passes[number])
    more = sum(count for number, count in passes.items() if number > most)
    told += f", more: {more}" if more else ""
    return Row(
        f"{name}: {FEW} passes or fewer, {steps} steps", f"{share:.1%} ({told})", f"{PAPER:.0%}", PAPER / share, 1.0
    )


if __name__ == "__main__":
    print_table(TITLE, measure())
