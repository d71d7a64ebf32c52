"""The paper's scenes at the paper's sizes, `make bench-full`: many hours, which can be stopped and go on.

What was measured is stored in out/bench, a folder a scene; `python -m benchmarks.full NAME…` runs some of them.
"""

import importlib
import sys
from typing import NamedTuple

from . import funnel_step
from .report import print_table as print_rows
from .scenes.running import Shot, frame_line, print_table, summary
from .scenes.stored_run import FOLDER, StoredRun


class FullSize(NamedTuple):
    module: str  # under benchmarks/scenes
    size: int
    frames: int


SCENES = {
    "hairy-ball-16k": FullSize("hairy_ball", 15_565, 100),
    "hairy-ball-32k": FullSize("hairy_ball", 31_765, 100),
    "hairy-ball-64k": FullSize("hairy_ball", 63_529, 100),
    "hair-band-5k": FullSize("hair_band", 5445, 100),
    "shirt-only": FullSize("shirt_only", 27_000, 100),
    "long-hair-on-shirt-5k": FullSize("long_hair_on_shirt", 5445, 100),
    "rings": FullSize("rings", 120, 100),
    "stiff-rings": FullSize("stiff_rings", 120, 100),
    "pyramid": FullSize("pyramid", 7, 100),
    "bunnies": FullSize("bunnies", 120, 100),
    "pulled-body": FullSize("pulled_body", 66_700, 1250),
    "bearing": FullSize("bearing", 4, 100),
    "cubes": FullSize("cubes", 2000, 100),
    "wedge": FullSize("wedge", 120, 120),
    "strings": FullSize("strings", 12, 120),
    "stacks": FullSize("stacks", 3, 50),
    "folded-cloth": FullSize("folded_cloth", 2500, 100),
    "turning-skirt": FullSize("turning_skirt", 16_800, 50),
    "letters-164": FullSize("letters", 164, 1000),
    "mixed-stack": FullSize("mixed_stack", 4, 48),
    "skittles": FullSize("skittles", 4, 24),
    "bucket": FullSize("bucket", 24, 48),
    "walking-table": FullSize("walking_table", 12, 100),
}


STEPS = {"funnel-step": funnel_step}  # of which one is measured, after what has to happen before


def main(names: list[str]) -> None:
    known = [*SCENES, *STEPS]
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"There is no scene {', '.join(unknown)}; there are {', '.join(known)}.")
    for name in names or known:
        if name in STEPS:
            print_rows(STEPS[name].TITLE, STEPS[name].measure())
        else:
            run(name, SCENES[name])


def run(name: str, full: FullSize) -> None:
    shot: Shot = importlib.import_module(f"benchmarks.scenes.{full.module}").SHOT
    scene = shot.build(full.size)
    stored = StoredRun(FOLDER / name, scene, shot.simulate)
    print(f"\n# {name}: {len(stored.measured)} of {full.frames} frames are done")
    for entry in stored.frames(full.frames):
        print(frame_line(entry), flush=True)
    print_table(shot.paper, summary(f"ours, {full.size} {shot.size}", scene, stored.measured))


if __name__ == "__main__":
    main(sys.argv[1:])
