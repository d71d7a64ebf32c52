"""Does memory grow with the number of frames that are baked?"""

import subprocess
import sys
import tempfile

from .report import Row

FEW, MANY = 30, 240
CODE = """
import resource, sys, tempfile
import bpy, stiction
stiction.register()
from benchmarks.blender_scenes import add_groom, add_sheet, empty_file, move_up
TITLE = "Memory"
last_frame = int(sys.argv[1])
empty_file(last_frame)
move_up(add_sheet("Body", "COLLIDER"), last_frame)
add_groom()
bpy.context.scene.stiction.cache_folder = sys.argv[2]
bpy.context.scene.stiction.steps_per_frame = 1
bpy.ops.stiction.bake()
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
stiction.unregister()
"""


def measure() -> list[Row]:
    few, many = _peak_megabytes(FEW), _peak_megabytes(MANY)
    what = f"peak memory of a bake of {MANY} frames against {FEW}"
    return [Row(what, f"{many:.0f} MB", f"{few:.0f} MB", many / few, 1.05)]


def _peak_megabytes(last_frame):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", CODE, str(last_frame), folder]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(printed.partition("peak ")[2].split()[0]) / 1024
